"""The types of everything that is sent and returned."""

from .generated.models import *  # noqa: F403
