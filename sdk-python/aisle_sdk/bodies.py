"""Turns request bodies into bytes."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

# Bodies of at least this many bytes are compressed, where the API accepts large bodies.
_MIN_COMPRESSED = 16 * 1024


@dataclass(frozen=True)
class EncodedBody:
    """A body that is ready to be sent. One that can be sent only once is never sent again."""

    content: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    is_one_shot: bool = False


def encode_body(form: str | None, body: Any) -> EncodedBody:
    if isinstance(body, EncodedBody):
        return body
    if body is None:
        return EncodedBody()
    if form == "stream":
        return _encode_file(body)
    if form == "form":
        return EncodedBody(urlencode(body).encode(), {"content-type": "application/x-www-form-urlencoded"})
    content = to_json(body).encode()
    if form == "large" and len(content) >= _MIN_COMPRESSED:
        return compressed_json(gzip.compress(content, 6))
    return EncodedBody(content, {"content-type": "application/json"})


def compressed_json(content: bytes) -> EncodedBody:
    return EncodedBody(content, {"content-type": "application/json", "content-encoding": "gzip"})


def to_json(value: Any) -> str:
    """JSON, in which prices can be a `Decimal` and times a `datetime`."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_encode_value)


def _encode_value(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _encode_file(body: Any) -> EncodedBody:
    headers = {"content-type": "application/octet-stream"}
    if isinstance(body, str):
        return EncodedBody(body.encode(), headers)
    if isinstance(body, (bytes, bytearray)):
        return EncodedBody(bytes(body), headers)
    return EncodedBody(body, headers, is_one_shot=True)
