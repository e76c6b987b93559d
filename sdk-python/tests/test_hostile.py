"""Servers and networks that do not behave."""

import gzip
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable

from local_server import Handler, Respond, ServerTest, cut, problem, respond

from aisle_sdk import AisleConnectionError, AisleError, AisleTimeoutError, ApiError, Client, UnexpectedResponseError
from aisle_sdk.retry import retry_delay

SECRET = "aisle_live_5ecret"


def endless(status: int) -> Respond:
    def send(handler: Handler) -> None:
        handler.send_response(status)
        handler.end_headers()
        handler.close_connection = True
        try:
            while True:
                handler.wfile.write(b"x" * 1_048_576)
        except OSError:
            pass

    return send


class HostileTest(ServerTest):
    def test_a_redirect_is_not_followed_and_names_the_server(self) -> None:
        for status in (301, 302, 303, 307, 308):
            moved = respond(status, b"", location="https://other.example.com/v2/x?token=1")
            with self.assertRaises(UnexpectedResponseError) as caught:
                self.client(moved, client_id="i", client_secret="s").whoami()
            self.assertIn("redirects to https://other.example.com,", str(caught.exception))
            self.assertNotIn("token=1", str(caught.exception))

    def test_credentials_that_cannot_be_sent_are_an_error_that_does_not_repeat_them(self) -> None:
        for token in (f"{SECRET} {SECRET}", f"{SECRET}\u200b", f"{SECRET}\r\nx-other: 1", "خ"):
            with self.assertRaises(AisleError) as caught:
                self.client(token=token).whoami()
            self.assert_no_secret(caught.exception)
        with self.assertRaises(AisleError) as caught:
            self.client(headers={"authorization": f"Basic {SECRET}\n1"}).whoami()
        self.assert_no_secret(caught.exception)
        for address in (f"http://user:{SECRET}@127.0.0.1", f"ftp://user:{SECRET}@127.0.0.1"):
            with self.assertRaises(AisleError) as caught:
                Client(address, token="t")
            self.assert_no_secret(caught.exception)
        self.assertEqual(self.server.received, [])

    def assert_no_secret(self, error: BaseException) -> None:
        self.assertNotIn(SECRET, f"{error} {error.__cause__} {error.__context__}")

    def test_a_token_from_a_file_can_end_with_a_line_break(self) -> None:
        self.client(respond(200, {}), token="x\n").whoami()
        self.assertEqual(self.sent("authorization"), ["Bearer x"])

    def test_a_header_of_the_caller_replaces_the_one_of_the_client_in_any_case(self) -> None:
        client = self.client(respond(200, {}), headers={"User-Agent": "till/1"})
        client.whoami(options={"headers": {"Authorization": "Bearer y"}})
        headers, names = (self.server.received[0][field] for field in ("headers", "names"))
        self.assertEqual((headers["user-agent"], headers["authorization"]), ("till/1", "Bearer y"))
        self.assertEqual((names.count("user-agent"), names.count("authorization")), (1, 1))

    def test_an_error_whose_fields_have_other_types_is_an_unexpected_response(self) -> None:
        for body in (b'{"code":"x","detail":{}}', b'{"code":"x"}', b"null", b"[" * 100_000):
            with self.assertRaises(UnexpectedResponseError):
                self.client(respond(400, body)).whoami()
        with self.assertRaises(ApiError) as caught:
            self.client(respond(404, {"code": "x", "detail": "y", "instance": 7}, x_request_id="r1")).whoami()
        self.assertEqual(caught.exception.request_id, "r1")
        with self.assertRaises(UnexpectedResponseError):
            self.client(respond(200, b"[" * 100_000)).whoami()

    def test_an_endless_error_page_is_not_read_to_its_end(self) -> None:
        with self.assertRaises(UnexpectedResponseError):
            self.client(endless(404)).whoami()

    def test_an_endless_response_is_not_read_until_the_memory_is_full(self) -> None:
        with self.assertRaisesRegex(UnexpectedResponseError, "more than 268435456 bytes"):
            self.client(endless(200), retries=0).whoami()
        rows = self.client(endless(200), retries=0).download_catalog_job_rows(job_id="j")
        with self.assertRaisesRegex(AisleError, "more than 16777216 characters"):
            next(rows)

    def test_a_response_that_arrives_byte_by_byte_is_a_timeout(self) -> None:
        done = threading.Event()
        self.addCleanup(done.set)

        def drip(handler: Handler) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "10000")
            handler.end_headers()
            while not done.wait(0.02):
                handler.wfile.write(b" ")

        with self.assertRaises(AisleTimeoutError):
            self.client(drip, timeout=0.3, retries=0).whoami()

    def test_a_response_that_arrives_without_any_content_is_a_timeout(self) -> None:
        done = threading.Event()
        self.addCleanup(done.set)

        def repeat(start: bytes, part: bytes) -> Respond:
            def send(handler: Handler) -> None:
                handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + start)
                while not done.wait(0.02):
                    handler.wfile.write(part)

            return send

        chunked = b"transfer-encoding: chunked\r\n"
        empty = gzip.compress(b"")
        compressed = repeat(chunked + b"content-encoding: gzip\r\n\r\n", b"%x\r\n%s\r\n" % (len(empty), empty))
        responses = {
            "header": repeat(b"x-long: ", b"a"),
            "chunk extension": repeat(chunked + b"\r\n2;", b"a"),
            "trailer": repeat(chunked + b"\r\n2\r\n{}\r\n0\r\n", b"a: b\r\n"),
            "gzip": compressed,
        }
        for name, response in responses.items():
            with self.subTest(name), self.assertRaises(AisleTimeoutError):
                self.client(response, timeout=0.3, retries=0).whoami()
        with self.assertRaises(AisleTimeoutError):
            self.client(compressed, timeout=0.3, retries=0).download_catalog_job(job_id="j").read()

    def test_a_download_can_take_longer_than_the_timeout(self) -> None:
        def slow(handler: Handler) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "8")
            handler.end_headers()
            for _ in range(8):
                time.sleep(0.1)
                handler.wfile.write(b"x")

        client = self.client(slow, timeout=0.5, retries=0)
        self.assertEqual(client.download_catalog_job(job_id="j").read(), b"x" * 8)

    def test_information_before_the_response_is_skipped_and_does_not_end_it(self) -> None:
        def early(count: int) -> Respond:
            def send(handler: Handler) -> None:
                handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" * count)
                respond(200, {"number": count})(handler)

            return send

        client = self.client(early(1), early(3), respond(200, {"number": 0}), retries=0)
        self.assertEqual([client.get_limits() for _ in range(3)], [{"number": 1}, {"number": 3}, {"number": 0}])
        with self.assertRaises(AisleConnectionError):
            self.client(early(10_000), retries=0).get_limits()

    def test_compressed_responses_that_are_cut_or_have_several_parts(self) -> None:
        rows = b'{"sku":"a"}\n' * 5000
        part = gzip.compress(rows)
        with self.assertRaises(AisleConnectionError):
            self.client(respond(200, part[:-20], content_encoding="gzip")).download_catalog_job(job_id="j").read()
        download = self.client(respond(200, part + part, content_encoding="gzip")).download_catalog_job(job_id="j")
        self.assertEqual(download.read(), rows + rows)

    def test_a_file_is_not_left_half_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "catalog.csv"
            path.write_text("before")
            with self.assertRaises(AisleConnectionError):
                self.client(cut).download_catalog_job(job_id="j").save(path)
            self.assertEqual((path.read_text(), len(list(Path(folder).iterdir()))), ("before", 1))
            self.client(respond(200, b"after")).download_catalog_job(job_id="j").save(path)
            self.assertEqual((path.read_text(), len(list(Path(folder).iterdir()))), ("after", 1))

    def test_rows_that_are_not_valid_are_an_error_that_names_the_row(self) -> None:
        for content, text in ((b'{"sku":"a"}\n{"sku":', "Row 2"), (b"{}\n\n<html>\n", "Row 3"), (b'"\xff"', "UTF-8")):
            with self.assertRaisesRegex(AisleError, text):
                list(self.client(respond(200, content)).download_catalog_job_rows(job_id="j"))

    def test_lists_jobs_events_and_tokens_of_other_types_are_errors(self) -> None:
        calls: list[tuple[Any, Callable[[Client], Any]]] = [
            ({}, lambda client: list(client.search_orders_all())),
            (None, lambda client: list(client.search_orders_all())),
            ({"orders": []}, lambda client: list(client.search_orders_all())),
            ({"orders": [{}], "total_pages": "many"}, lambda client: list(client.search_orders_all())),
            ({"events": [{}], "next_cursor": None}, lambda client: list(client.list_events_all())),
            ({"events": [{}], "next_cursor": "a"}, lambda client: list(client.list_events_all())),
            ({}, lambda client: client.wait_for_catalog_job("j")),
            (None, lambda client: client.wait_for_catalog_job("j")),
            (None, lambda client: client.export_catalog(vendor_id="v").finished()),
            ({}, lambda client: client.consume_events(None, print)),
            ({"events": [], "next_cursor": 7}, lambda client: client.consume_events(None, print)),
            ({}, lambda client: client.push_catalog([{"sku": "a"}], vendor_id="v").finished()),
            (None, lambda client: client.push_catalog([{"sku": "a"}], vendor_id="v").finished()),
        ]
        for body, call in calls:
            with self.assertRaises(AisleError):
                call(self.client(*[respond(200, body)] * 4))
        for body in ({}, {"access_token": 5}, None):
            with self.assertRaises(AisleError):
                self.client(respond(200, body), client_id="i", client_secret="s").whoami()
        self.server.responses = [respond(200, {})]
        with self.assertRaises(AisleError), Client(f"http://127.0.0.1:{self.server.server_port}", token="t") as client:
            client.get_settings()

    def test_a_push_with_numbers_or_rows_that_make_no_sense_is_rejected(self) -> None:
        numbers: list[dict[str, Any]] = [{"unfinished_jobs": 0}, {"rows_per_job": 0}, {"rows_per_job": -1}]
        for options in numbers:
            with self.assertRaisesRegex(ValueError, "must be at least 1"):
                self.client().push_catalog([{"sku": "a"}], vendor_id="v", **options)
        limits = {"catalog_items_per_request": 100, "catalog_bytes_per_request": 1000}
        rows: Any = [None]
        with self.assertRaisesRegex(AisleError, "Row 1 is not an object"):
            self.client(respond(200, limits)).push_catalog(rows, vendor_id="v").finished()

    def test_a_feed_that_responds_at_once_without_events_is_not_read_in_a_tight_loop(self) -> None:
        stop = threading.Event()
        threading.Timer(0.5, stop.set).start()
        client = self.client(*[respond(200, {"events": [], "next_cursor": "a"})] * 1000)
        client.consume_events("a", print, stop=stop)
        self.assertLessEqual(len(self.server.received), 2)

    def test_the_consumer_waits_as_long_as_the_server_asks_for(self) -> None:
        stop = threading.Event()
        delays: list[float] = []

        def on_retry(_: AisleError, delay: float) -> None:
            delays.append(delay)
            stop.set()

        client = self.client(problem(429, "rate_limited", retry_after="120"))
        client.consume_events(None, print, stop=stop, on_retry=on_retry)
        self.assertEqual(delays, [120])

    def test_the_consumer_is_told_about_a_gap_before_the_events_after_it(self) -> None:
        stop = threading.Event()
        log: list[str] = []
        event = {"event_id": "e", "type": "order.received", "body": {}}

        def handle(_: Any) -> None:
            log.append("event")
            stop.set()

        client = self.client(respond(200, {"events": [event], "next_cursor": "b", "has_gap": True}))
        client.consume_events("a", handle, stop=stop, on_gap=lambda: log.append("gap"))
        self.assertEqual(log, ["gap", "event"])

    def test_an_id_cannot_change_the_path_of_a_request(self) -> None:
        for order_id in (".", ".."):
            with self.assertRaises(AisleError) as caught:
                self.client(respond(200, {})).get_order(order_id=order_id)
            self.assertEqual(str(caught.exception), f'order_id must not be "{order_id}".')

    def test_the_cursor_is_saved_if_the_consumer_is_stopped_in_the_last_event(self) -> None:
        stop = threading.Event()
        saved: list[str] = []
        event = {"event_id": "e", "type": "order.received", "body": {}}
        client = self.client(respond(200, {"events": [event], "next_cursor": "b"}))
        client.consume_events(None, lambda _: stop.set(), saved.append, stop=stop)
        self.assertEqual(saved, ["b"])


class RetryAfterTest(unittest.TestCase):
    def delay(self, value: str, random: float = 0.0, max_delay: float = 60.0) -> "float | None":
        error = ApiError({"code": "rate_limited", "detail": "x"}, 429, {"retry-after": value})  # type: ignore[arg-type, typeddict-item]
        return retry_delay("always", error, 1, random, max_delay)

    def test_jitter_does_not_make_a_delay_longer_than_the_maximum(self) -> None:
        self.assertEqual(self.delay("60", 1.0), 60)
        for value in ("61", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"):
            self.assertIsNone(self.delay(value))

    def test_a_value_that_is_neither_a_number_nor_a_date_is_ignored(self) -> None:
        for value in ("-5", "1.5", "1e9", "soon", "Mon, 01 Jan 0001 00:00:00 -0000", "x, 99 Foo 99999 99:99:99"):
            self.assertIn(self.delay(value), (0.25, 0.0), value)
