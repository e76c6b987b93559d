"""Follows the event feed."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Collection, Literal

from .errors import AisleError
from .generated.models import FeedEvent, ListEventsResponse
from .retry import is_temporary, retry_after
from .seen_ids import SeenIds

OnError = Callable[[Exception, FeedEvent, int], Literal["retry", "skip", "stop"]]

_MAX_DELAY_SECONDS = 30.0
# The longest `Retry-After` that is respected, so that a wrong one does not end the consumer.
_MAX_RETRY_AFTER_SECONDS = 600.0
# If the server responds at once although there are no events, the feed is read this often.
_MIN_POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Consumer:
    read: Callable[..., ListEventsResponse]
    handle: Callable[[FeedEvent], object]
    save_cursor: Callable[[str], object] | None
    types: Collection[str] | None
    stop: threading.Event
    on_error: OnError | None
    on_retry: Callable[[AisleError, float], None] | None
    on_gap: Callable[[], object] | None
    seen: SeenIds
    limit: int
    wait_seconds: int

    def run(self, cursor: str | None) -> None:
        """The cursor is saved only after the events before it were handled, so no event is lost if the
        process is killed; events that are returned again are recognized by their ids.
        """
        while not self.stop.is_set():
            started = time.monotonic()
            page = self._read_page(cursor)
            if page is not None and self.on_gap and page.get("has_gap"):
                self.on_gap()
            if page is None or not self._handle_page(page):
                return
            if page["next_cursor"] == cursor:
                self.stop.wait(max(0.0, started + _MIN_POLL_SECONDS - time.monotonic()))
            elif self.save_cursor:
                self.save_cursor(page["next_cursor"])
            cursor = page["next_cursor"]

    def _read_page(self, after: str | None) -> ListEventsResponse | None:
        """Returns None if the consumer was stopped."""
        # The first cursor is needed at once, so that a restart does not skip events.
        wait = 0 if after == "latest" else self.wait_seconds
        failures = 0
        while not self.stop.is_set():
            try:
                return _check_page(self.read(after=after, limit=self.limit, wait=wait))
            except AisleError as error:
                if not is_temporary(error):
                    raise
                backoff = min(_MAX_DELAY_SECONDS, 2.0**failures) * (0.5 + random.random() / 2)
                delay = max(backoff, min(_MAX_RETRY_AFTER_SECONDS, retry_after(error) or 0.0))
                failures = min(failures + 1, 10)
                if self.on_retry:
                    self.on_retry(error, delay)
            self.stop.wait(delay)
        return None

    def _handle_page(self, page: ListEventsResponse) -> bool:
        """Returns whether all events were handled before the consumer was stopped."""
        for event in page["events"]:
            if self.stop.is_set():
                return False
            is_wanted = self.types is None or event["type"] in self.types
            if is_wanted and event["event_id"] not in self.seen and not self._handle_event(event):
                return False
        return True

    def _handle_event(self, event: FeedEvent) -> bool:
        attempt = 1
        while True:
            try:
                self.handle(event)
                break
            except Exception as error:
                decision = self.on_error(error, event, attempt) if self.on_error else "stop"
                if decision == "stop":
                    raise
                if decision == "skip":
                    break
            if self.stop.wait(min(_MAX_DELAY_SECONDS, 0.5 * 2.0 ** min(attempt, 10))):
                return False
            attempt += 1
        self.seen.add(event["event_id"])
        return True


def _check_page(page: ListEventsResponse) -> ListEventsResponse:
    """A response of another form would be read for ever."""
    fields: Any = page if isinstance(page, dict) else {}
    if isinstance(fields.get("events"), list) and isinstance(fields.get("next_cursor"), str):
        return page
    raise AisleError("The response is not a page of events.")
