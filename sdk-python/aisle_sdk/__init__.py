"""The Aisle API for Python: one typed method per operation, and the parts that every integration needs."""

from . import models
from .client import Client
from .downloads import Download
from .errors import (
    AisleConnectionError,
    AisleError,
    AisleTimeoutError,
    ApiError,
    JobError,
    NotModifiedError,
    UnexpectedResponseError,
)
from .generated.constants import CLOSED_REASONS, SCOPES
from .generated.version import VERSION as __version__
from .jobs import AcceptedJob
from .operation import ApiResponse, FileBody, RequestOptions
from .push import CatalogPush, PushCounts, PushProgress
from .requester import Retry
from .seen_ids import RecentIds, SeenIds
from .webhooks import Received, WebhookError, WebhookMessage, receive_webhook, verify_webhook

__all__ = [
    "CLOSED_REASONS",
    "SCOPES",
    "AcceptedJob",
    "AisleConnectionError",
    "AisleError",
    "AisleTimeoutError",
    "ApiError",
    "ApiResponse",
    "CatalogPush",
    "Client",
    "Download",
    "FileBody",
    "JobError",
    "NotModifiedError",
    "PushCounts",
    "PushProgress",
    "Received",
    "RecentIds",
    "RequestOptions",
    "Retry",
    "SeenIds",
    "UnexpectedResponseError",
    "WebhookError",
    "WebhookMessage",
    "__version__",
    "models",
    "receive_webhook",
    "verify_webhook",
]
