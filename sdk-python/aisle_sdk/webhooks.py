"""Verifies the messages that Aisle sends to webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Iterable, Literal, Protocol, Sequence, Union

from .errors import AisleError
from .seen_ids import SeenIds


class Headers(Protocol):
    """The headers of any framework, of the standard library, or a dictionary. Names can have any case."""

    def items(self) -> Iterable[tuple[str, Union[str, Sequence[str]]]]: ...


Secrets = Union[str, Sequence[str]]
WebhookProblem = Literal[
    "missing_header", "invalid_signature", "too_old", "invalid_body", "type_mismatch", "duplicate"
]

_STATUSES: dict[str, int] = {
    "missing_header": 400,
    "invalid_signature": 401,
    "too_old": 401,
    "invalid_body": 400,
    "type_mismatch": 400,
    # The message was handled, so it must not be sent again.
    "duplicate": 200,
}


class WebhookError(AisleError):
    """The message must not be handled. `status` is the status to respond with: 200 for a duplicate."""

    def __init__(self, reason: WebhookProblem, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = _STATUSES[reason]


@dataclass(frozen=True)
class WebhookMessage:
    """A verified message: an event, or the test message of `ping_webhook`. Ignore types that you do not know."""

    id: str
    """The id of the event, the same in every retry and in the feed."""
    type: str
    sent_at: datetime
    """When this attempt was made."""
    environment: str | None
    body: Any
    """The body of the event, as in the feed; for example an `OrderReceivedEvent`'s `body`."""


@dataclass(frozen=True)
class Received:
    """What to respond with."""

    status: int
    text: str


def verify_webhook(
    headers: Headers,
    raw_body: str | bytes,
    secrets: Secrets,
    *,
    tolerance_seconds: float = 300,
    seen: SeenIds | None = None,
    now: float | None = None,
) -> WebhookMessage:
    """Verifies a message as defined by Standard Webhooks 1.0, and parses it. Raises a `WebhookError`.

    :param raw_body: Exactly what was received, before any parsing.
    :param secrets: The signing secret. During a rotation, pass the old and the new one.
    :param tolerance_seconds: How old a message can be, and how far in the future.
    :param seen: Rejects messages that were handled before, as `duplicate`. Add the `id` after you
        have handled the message.
    :param now: For tests: the current time, in seconds since 1970.
    """
    message_id = _required(headers, "webhook-id")
    timestamp = _required(headers, "webhook-timestamp")
    signatures = _required(headers, "webhook-signature").split(" ")
    # Characters that cannot be encoded were not sent.
    body = raw_body.encode(errors="replace") if isinstance(raw_body, str) else bytes(raw_body)
    signed = f"{message_id}.{timestamp}.".encode(errors="replace") + body
    if not _is_signed(signatures, signed, [secrets] if isinstance(secrets, str) else secrets):
        raise WebhookError("invalid_signature", "None of the signatures matches. Check the signing secret.")
    # Checked after the signature, because the time is part of what is signed.
    sent_at = _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)
    if seen is not None and message_id in seen:
        raise WebhookError("duplicate", f"The message {message_id} was handled before.")
    message_type = _required(headers, "aisle-event-type")
    parsed = _parse(body)
    _check_type(message_type, parsed)
    return WebhookMessage(message_id, message_type, sent_at, _find(headers, "x-environment"), parsed)


def receive_webhook(
    headers: Headers,
    raw_body: str | bytes,
    *,
    secrets: Secrets | Callable[[], Secrets],
    handle: Callable[[WebhookMessage], object],
    seen: SeenIds | None = None,
    tolerance_seconds: float = 300,
    on_rejected: Callable[[WebhookError], None] | None = None,
) -> Received:
    """Verifies and handles a message, and returns what to respond with.

    Raises what `handle` raises, so that the framework responds with 500 and Aisle sends the message
    again. Respond within 10 seconds: store the message in `handle`, and process it later.
    """
    try:
        known = secrets() if callable(secrets) else secrets
        message = verify_webhook(headers, raw_body, known, tolerance_seconds=tolerance_seconds, seen=seen)
    except WebhookError as error:
        if on_rejected:
            on_rejected(error)
        return Received(error.status, str(error))
    handle(message)
    if seen is not None:
        seen.add(message.id)
    return Received(200, "")


def _find(headers: Headers, name: str) -> str | None:
    for key, value in headers.items():
        if key.lower() == name:
            return value if isinstance(value, str) else next(iter(value), None)
    return None


def _required(headers: Headers, name: str) -> str:
    value = _find(headers, name)
    if not value:
        raise WebhookError("missing_header", f"The header {name} is missing.")
    return value


def _is_signed(signatures: Sequence[str], signed: bytes, secrets: Sequence[str]) -> bool:
    if not secrets:
        raise AisleError("At least one signing secret is required.")
    values = [_decode(one[len("v1,") :]) for one in signatures if one.startswith("v1,")]
    is_valid = False
    for secret in secrets:
        key = _decode(secret.removeprefix("whsec_"))
        if not key:
            raise AisleError('A signing secret starts with "whsec_", followed by base64.')
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for value in values:
            is_valid |= value is not None and hmac.compare_digest(value, expected)
    return is_valid


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _check_time(timestamp: str, tolerance_seconds: float, now: float) -> datetime:
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not is_number or abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookError("too_old", f"The message was sent at {timestamp}. Check the clock of this machine.")
    return datetime.fromtimestamp(int(timestamp), timezone.utc)


def _parse(body: bytes) -> Any:
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        raise WebhookError("invalid_body", "The body is not JSON.") from None
    if isinstance(parsed, dict):
        return parsed
    raise WebhookError("invalid_body", "The body is not a JSON object.")


def _check_type(message_type: str, body: Any) -> None:
    """The signature does not cover the type, so it must match the body. Unknown types are passed on."""
    fields = body
    job_type = fields.get("job_type")
    expected = {
        "order.received": fields.get("status") == "RECEIVED",
        "order.ready_for_pickup": fields.get("status") == "READY_FOR_PICKUP",
        "order.dispatched": fields.get("status") == "DISPATCHED",
        "order.cancelled": fields.get("status") == "CANCELLED",
        "order.delivered": fields.get("status") == "DELIVERED",
        "order.replacement_decided": fields.get("status") == "RECEIVED",
        "order.edited": fields.get("status") in ("RECEIVED", "READY_FOR_PICKUP", "DISPATCHED"),
        "catalog.job_finished": job_type is not None and job_type != "CATALOG_EXPORT",
        "catalog.export_finished": job_type == "CATALOG_EXPORT",
        "webhook.ping": fields.get("type") == "webhook.ping",
    }
    if not expected.get(message_type, True):
        raise WebhookError("type_mismatch", f"The body does not belong to a message of the type {message_type}.")
