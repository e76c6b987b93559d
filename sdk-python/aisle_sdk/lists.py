"""Reads lists page by page."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping

from .operation import Operation

# The page size when all items are read, to save requests.
_PAGE_SIZE = 100

Query = Mapping[str, Any]


def read_pages(operation: Operation, query: Query, read: Callable[[Query], Any]) -> Iterator[Any]:
    """`read` sends the request with the query of the next page."""
    is_numbered = operation.list_style in ("pages", "array")
    given = {name: value for name, value in query.items() if value is not None}
    following: Query | None = {"page": 1, "page_size": _PAGE_SIZE, **given} if is_numbered else given
    while following is not None:
        body = read(following)
        yield body
        following = _next_page(following, body) if is_numbered else _next_cursor(operation, following, body)


def items_of(operation: Operation, body: Any) -> list[Any]:
    return body if operation.list_style == "array" else body[operation.list_items]


def _next_page(query: Query, body: Any) -> Query | None:
    """A bare array has no number of pages, so it ends with the first page that is not full."""
    if isinstance(body, list):
        is_last = len(body) < int(query["page_size"])
    else:
        is_last = int(query["page"]) >= body["total_pages"]
    return None if is_last else {**query, "page": int(query["page"]) + 1}


def _next_cursor(operation: Operation, query: Query, body: Any) -> Query | None:
    """The feed ends with the first response without events."""
    if not body.get("has_more", len(body.get("events", [])) > 0):
        return None
    if operation.list_style == "feed":
        return {**query, "after": body["next_cursor"]}
    # The cursor includes where the list started.
    kept = {name: value for name, value in query.items() if name != "updated_since"}
    return {**kept, "cursor": body["next_cursor"]}
