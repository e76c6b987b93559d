"""Decides which requests are sent again, and when."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Mapping

from .errors import AisleConnectionError, ApiError, UnexpectedResponseError

_TEMPORARY = {408, 429, 500, 502, 503, 504}
# With these errors the API has changed nothing. With `service_unavailable`, it may have.
_REJECTED = {"request_timeout", "rate_limited"}
_FAILED = {"internal_error", "service_unavailable"}


def retry_delay(
    retry: str, error: Exception, attempt: int, random: float, max_delay: float = float("inf")
) -> float | None:
    """How many seconds to wait before the request is sent again.

    This is what the server asks for in `Retry-After`, otherwise an exponential delay with jitter, so
    that clients that failed together do not all come back at once. None if the request must not be
    repeated, or if the server asks for more than `max_delay`. `attempt` is the number of the attempt
    that failed, and `random` is between 0 and 1.
    """
    if not _is_repeatable(retry, error):
        return None
    asked = retry_after(error)
    if asked is None:
        return min(max_delay, min(8.0, 0.25 * 2.0 ** min(attempt, 10)) * (0.5 + random / 2))
    return min(max_delay, asked + 0.25 * random) if asked <= max_delay else None


def is_temporary(error: Exception) -> bool:
    """Whether the same request can succeed later."""
    if isinstance(error, (ApiError, UnexpectedResponseError)):
        return error.status >= 500 or error.status == 429
    return isinstance(error, AisleConnectionError)


def _is_repeatable(retry: str, error: Exception) -> bool:
    if isinstance(error, ApiError):
        if error.code in _REJECTED:
            return True
        if error.code == "idempotency_in_progress":
            return retry == "keyed"
        return retry != "rejected" and error.code in _FAILED
    if retry == "rejected":
        return False
    if isinstance(error, UnexpectedResponseError):
        return error.status in _TEMPORARY
    return isinstance(error, AisleConnectionError)


def retry_after(error: Exception) -> float | None:
    """The seconds that the response asks for with `Retry-After`: a number or a date."""
    headers: Mapping[str, str] = getattr(error, "headers", {})
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
