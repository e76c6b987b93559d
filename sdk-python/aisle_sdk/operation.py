"""What the package knows about an operation, and the options of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, Callable, Iterable, Literal, Mapping, TypedDict, Union


@dataclass(frozen=True)
class Operation:
    """A row of the generated table."""

    method: str
    path: str
    access: str
    retry: Literal["always", "keyed", "rejected"]
    """`always`: repeating the request is harmless. `keyed`: it is harmless with the same idempotency
    key. `rejected`: only after a response that says that nothing was changed.
    """
    body: Literal["json", "large", "stream", "form"] | None = None
    job: str | None = None
    """The operation that returns the job that a 202 response names."""
    download: bool = False
    list_style: Literal["pages", "array", "cursor", "feed"] | None = None
    list_items: str = ""
    """The field that contains the items. Responses with the style `array` are the items."""


@dataclass(frozen=True)
class ApiResponse:
    """A successful response."""

    status: int
    headers: Mapping[str, str]
    """The names are in lower case."""
    request_id: str | None
    data: Any
    """The body. None for a download."""


class RequestOptions(TypedDict, total=False):
    """Options for a single request."""

    timeout: float
    """How many seconds to wait for the connection, and for the next bytes of the response."""
    retries: int
    idempotency_key: str
    """Made automatically. Set it to repeat a request safely even after your program was restarted."""
    headers: Mapping[str, str]
    """For example `if-match`, `if-none-match`, `prefer` or `accept`."""
    on_response: Callable[[ApiResponse], None]
    """Called with the response, for example to read its `etag`."""


FileBody = Union[str, bytes, BinaryIO, Iterable[bytes]]
"""The file to upload. A file object or an iterable can be sent only once, so its upload is never retried."""
