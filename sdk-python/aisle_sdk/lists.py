"""Reads lists page by page."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping

from .errors import AisleError
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
        _check_page(operation, body)
        yield body
        following = _next_page(following, body) if is_numbered else _next_cursor(operation, following, body)


def items_of(operation: Operation, body: Any) -> list[Any]:
    return body if operation.list_style == "array" else body[operation.list_items]


def _check_page(operation: Operation, body: Any) -> None:
    """A response of another form, for example of a proxy, would be read for ever."""
    fields = body if isinstance(body, dict) else {}
    items = body if operation.list_style == "array" else fields.get(operation.list_items)
    if not isinstance(items, list):
        raise AisleError("The response is not a page of a list.")
    if operation.list_style == "pages" and not isinstance(fields.get("total_pages"), int):
        raise AisleError("The response has no number of pages.")


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
    previous = query.get("after" if operation.list_style == "feed" else "cursor")
    if not isinstance(body.get("next_cursor"), str) or body["next_cursor"] == previous:
        raise AisleError("The response has no cursor for the next page.")
    if operation.list_style == "feed":
        return {**query, "after": body["next_cursor"]}
    # The cursor includes where the list started.
    kept = {name: value for name, value in query.items() if name != "updated_since"}
    return {**kept, "cursor": body["next_cursor"]}
