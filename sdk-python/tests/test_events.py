from __future__ import annotations

import threading
from typing import Any

from local_server import Respond, ServerTest, respond


class EventsTest(ServerTest):
    def test_an_event_is_handled_once_and_the_cursor_is_saved_after_it_was_handled(self) -> None:
        def page(cursor: str, *ids: str) -> Respond:
            events = [{"event_id": one, "type": "order.received"} for one in ids]
            return respond(200, {"events": events, "next_cursor": cursor})

        log: list[str] = []
        stop = threading.Event()

        def save(cursor: str) -> None:
            log.append(f"saved {cursor}")
            if cursor == "3":
                stop.set()

        client = self.client(page("1", "a", "b"), page("1"), page("3", "b", "c"))
        client.consume_events(None, lambda event: log.append(event["event_id"]), save, stop=stop)
        self.assertEqual(log, ["a", "b", "saved 1", "c", "saved 3"])
        paths = [one["path"] for one in self.server.received]
        self.assertEqual(["after=1" in path for path in paths], [False, True, True])

    def test_an_error_of_the_handler_stops_the_consumer_unless_on_error_decides_otherwise(self) -> None:
        event = {"event_id": "a", "type": "order.received"}
        response = respond(200, {"events": [event], "next_cursor": "1"})
        saved: list[str] = []

        def fail(_: Any) -> None:
            raise ValueError("broken")

        with self.assertRaisesRegex(ValueError, "broken"):
            self.client(response).consume_events("0", fail, saved.append)
        self.assertEqual(saved, [])
        stop = threading.Event()

        def save(cursor: str) -> None:
            saved.append(cursor)
            stop.set()

        self.client(response).consume_events("0", fail, save, stop=stop, on_error=lambda *_: "skip")
        self.assertEqual(saved, ["1"])

    def test_an_event_can_be_tried_again_for_as_long_as_it_takes(self) -> None:
        event = {"event_id": "a", "type": "order.received"}
        attempts = 0

        class Hurried(threading.Event):
            def wait(self, timeout: float | None = None) -> bool:
                return self.is_set()

        def fail(_: Any) -> None:
            nonlocal attempts
            attempts += 1
            if attempts <= 1100:
                raise ValueError("the database is away for a night")

        stop = Hurried()
        client = self.client(respond(200, {"events": [event], "next_cursor": "1"}))
        client.consume_events("0", fail, lambda _: stop.set(), stop=stop, on_error=lambda *_: "retry")
        self.assertEqual(attempts, 1101)
