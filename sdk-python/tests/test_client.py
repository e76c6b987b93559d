import gzip
import json
import threading
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from local_server import Handler, Respond, ServerTest, cut, lose, problem, respond

from aisle_sdk import (
    AisleConnectionError,
    AisleError,
    AisleTimeoutError,
    ApiError,
    Client,
    JobError,
    NotModifiedError,
    UnexpectedResponseError,
)
from aisle_sdk.generated.table import OPERATIONS
from aisle_sdk.requester import target_of


class ClientTest(ServerTest):
    def test_requests_are_repeated_after_lost_connections_cut_responses_and_errors(self) -> None:
        client = self.client(lose, cut, respond(502, b"<html>"), respond(200, {"ok": 1}))
        self.assertEqual(client.get_limits(), {"ok": 1})
        self.assertEqual(len(self.delays), 3)

    def test_a_repeated_post_has_the_same_idempotency_key_and_every_call_its_own(self) -> None:
        client = self.client(lose, respond(201, {}), respond(201, {}))
        client.create_token(body={"name": "a"})
        client.create_token(body={"name": "a"})
        first, again, other = self.sent("idempotency-key")
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual([one["body"] for one in self.server.received], [b'{"name":"a"}'] * 3)

    def test_the_callers_idempotency_key_is_sent(self) -> None:
        self.client(respond(201, {})).create_token(body={"name": "a"}, options={"idempotency_key": "mine"})
        self.assertEqual(self.sent("idempotency-key"), ["mine"])

    def test_retry_after_is_respected_unless_it_is_too_long(self) -> None:
        client = self.client(problem(429, "rate_limited", retry_after="7"), respond(200, {}))
        client.get_limits()
        self.assertTrue(7 <= self.delays[0] <= 7.25)
        with self.assertRaises(ApiError):
            self.client(problem(429, "rate_limited", retry_after="61")).get_limits()

    def test_a_change_that_may_have_been_made_is_not_repeated(self) -> None:
        for fault in (lose, problem(503, "service_unavailable"), respond(502, b"")):
            with self.assertRaises(AisleError):
                self.client(fault, respond(200, {})).delete_token(token_id="t")
        self.assertEqual(self.delays, [])
        client = self.client(problem(429, "rate_limited"), respond(200, {}))
        client.delete_token(token_id="t")
        self.assertEqual(self.sent("idempotency-key"), [None] * 5)

    def test_the_number_of_retries_is_limited(self) -> None:
        with self.assertRaises(AisleConnectionError):
            self.client(lose, lose, lose, lose).get_limits()
        self.assertEqual(len(self.server.received), 4)
        with self.assertRaises(AisleConnectionError):
            self.client(lose, retries=0).get_limits()

    def test_a_response_that_does_not_arrive_is_a_timeout(self) -> None:
        done = threading.Event()
        self.addCleanup(done.set)

        def never(_: Handler) -> None:
            done.wait(30)

        with self.assertRaises(AisleTimeoutError):
            self.client(never, timeout=0.05, retries=0).get_limits()

    def test_one_connection_is_used_for_several_requests(self) -> None:
        client = self.client(*[respond(200, {})] * 3)
        for _ in range(3):
            client.get_limits()
        self.assertEqual(len(self.server.ports), 1)

    def test_a_connection_that_the_server_has_closed_is_not_used_again(self) -> None:
        def respond_and_close(handler: Handler) -> None:
            respond(200, {})(handler)
            handler.close_connection = True

        client = self.client(respond_and_close, respond(200, {}), retries=0)
        client.get_limits()
        idle = client._transport._idle[0][0].sock
        idle.settimeout(5)
        self.assertEqual(idle.recv(1), b"")
        client.get_limits()
        self.assertEqual(len(self.server.ports), 2)

    def test_errors_have_a_code_and_a_request_id(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.client(problem(404, "order_not_found")).get_order(order_id="o")
        self.assertEqual((caught.exception.code, caught.exception.status), ("order_not_found", 404))
        self.assertEqual(caught.exception.request_id, "r1")

    def test_responses_of_a_proxy_and_304_have_their_own_errors(self) -> None:
        with self.assertRaises(UnexpectedResponseError):
            self.client(respond(404, b"<html>")).get_limits()
        with self.assertRaises(UnexpectedResponseError):
            self.client(respond(200, b"<html>")).get_limits()
        with self.assertRaises(NotModifiedError):
            self.client(respond(304, b"")).get_limits(options={"headers": {"if-none-match": "x"}})

    def test_client_credentials_are_exchanged_once_and_renewed_when_they_are_rejected(self) -> None:
        def token(name: str) -> Respond:
            return respond(200, {"access_token": name, "expires_in": 3600})

        client = self.client(
            token("one"),
            respond(200, {}),
            respond(200, {}),
            problem(401, "invalid_token"),
            token("two"),
            respond(200, {}),
            client_id="id",
            client_secret="secret",
        )
        for _ in range(3):
            client.whoami()
        bearers = [None, "Bearer one", "Bearer one", "Bearer one", None, "Bearer two"]
        self.assertEqual(self.sent("authorization"), bearers)
        self.assertIn(b"grant_type=client_credentials", self.server.received[0]["body"])

    def test_a_token_that_was_rejected_is_renewed_even_if_the_file_cannot_be_sent_again(self) -> None:
        def token(name: str) -> Respond:
            return respond(200, {"access_token": name, "expires_in": 3600})

        client = self.client(
            token("one"),
            problem(401, "invalid_token"),
            token("two"),
            respond(202, {}),
            client_id="id",
            client_secret="secret",
        )
        with self.assertRaises(ApiError):
            client.upload_file(folder="/catalog/all", name="a.csv", body=iter([b"sku"]))
        client.upload_file(folder="/catalog/all", name="a.csv", body=iter([b"sku"]))
        self.assertEqual(self.sent("authorization"), [None, "Bearer one", None, "Bearer two"])

    def test_threads_share_a_client_and_one_exchange_of_credentials(self) -> None:
        token = respond(200, {"access_token": "a", "expires_in": 3600})
        client = self.client(token, *[respond(200, {"ok": 1})] * 8, client_id="i", client_secret="s")
        results: list[Any] = []
        threads = [threading.Thread(target=lambda: results.append(client.whoami())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [{"ok": 1}] * 8)
        self.assertEqual([one["path"] for one in self.server.received].count("/v2/oauth/token"), 1)

    def test_an_access_token_is_renewed_before_it_expires(self) -> None:
        token = respond(200, {"access_token": "a", "expires_in": 0})
        client = self.client(token, respond(200, {}), token, respond(200, {}), client_id="i", client_secret="s")
        client.whoami()
        client.whoami()
        self.assertEqual(self.sent("authorization"), [None, "Bearer a"] * 2)

    def test_paths_queries_and_values_are_encoded(self) -> None:
        client = self.client(respond(200, {}), respond(200, {}), respond(200, {}))
        client.list_catalog(vendor_id="a/b", query_term="milk & more")
        self.assertEqual(self.server.received[0]["path"].split("/vendors/")[1], "a%2Fb/catalog?query_term=milk+%26+more")
        products: Any = [{"sku": "A", "price": Decimal("6.25"), "quantity": Decimal("4")}]
        client.update_catalog(vendor_id="v", body={"products": products}, dry_run=True)
        self.assertTrue(self.server.received[1]["path"].endswith("?dry_run=true"))
        self.assertEqual(self.server.received[1]["body"], b'{"products":[{"sku":"A","price":6.25,"quantity":4}]}')
        apply_at: Any = datetime(2026, 5, 4, tzinfo=timezone.utc)
        client.apply_catalog_preview(job_id="j", body={"apply_at": apply_at})
        self.assertEqual(self.server.received[2]["body"], b'{"apply_at":"2026-05-04T00:00:00+00:00"}')

    def test_the_address_can_have_a_path(self) -> None:
        self.server.responses = [respond(200, {})]
        with Client(f"http://127.0.0.1:{self.server.server_port}/aisle/", token="t") as client:
            client.get_limits()
        self.assertEqual(self.server.received[0]["path"], "/aisle/v2/limits")

    def test_lists_in_a_query_are_separated_by_commas_and_none_is_left_out(self) -> None:
        operation = OPERATIONS["get_limits"]
        target = target_of(operation, {}, {"a": ["x", "y"], "b": None, "c": False, "d": 1.5})
        self.assertEqual(target, "/v2/limits?a=x%2Cy&c=false&d=1.5")

    def test_a_missing_path_parameter_and_a_wrong_address_are_reported_before_anything_is_sent(self) -> None:
        with self.assertRaisesRegex(AisleError, "order_id is required"):
            self.client().get_order(order_id="")
        for address in ("aisle.example.com", "ftp://aisle.example.com", "http://", "http://aisle.example.com:x"):
            with self.assertRaisesRegex(AisleError, "base_url"):
                Client(address, token="t")
        with self.assertRaisesRegex(AisleError, "not both"):
            Client("http://a", token="t", client_id="i", client_secret="s")

    def test_large_bodies_are_compressed(self) -> None:
        products: Any = [{"sku": f"S{number}", "price": 1} for number in range(2000)]
        self.client(respond(202, {"job_id": "j"})).update_catalog(vendor_id="v", body={"products": products})
        self.assertEqual(self.sent("content-encoding"), ["gzip"])
        self.assertEqual(json.loads(gzip.decompress(self.server.received[0]["body"])), {"products": products})

    def test_an_upload_from_an_iterable_is_streamed_and_never_repeated(self) -> None:
        client = self.client(respond(202, {}), problem(429, "rate_limited"))
        for _ in range(2):
            try:
                client.upload_file(folder="/catalog/all", name="a.csv", body=iter([b"sku,", b"price\n"]))
            except ApiError as error:
                self.assertEqual(error.code, "rate_limited")
        self.assertEqual([one["body"] for one in self.server.received], [b"sku,price\n"] * 2)
        self.assertEqual(self.delays, [])

    def test_compressed_responses_are_decompressed(self) -> None:
        body = gzip.compress(b'{"ok": true}')
        self.assertEqual(self.client(respond(200, body, content_encoding="gzip")).get_limits(), {"ok": True})

    def test_a_download_that_is_cut_off_raises_an_error(self) -> None:
        with self.assertRaises(AisleConnectionError):
            self.client(cut).download_catalog_job(job_id="j").read()

    def test_a_failed_job_raises_an_error_and_a_job_that_takes_too_long_too(self) -> None:
        failed = {"job_id": "j", "job_status": "FAILED", "error": "no space"}
        client = self.client(respond(202, {"job_id": "j"}), respond(200, failed))
        with self.assertRaisesRegex(JobError, "no space"):
            client.export_catalog(vendor_id="v").finished()
        rejected = {**failed, "progress": {"total": 2, "succeeded": 0, "unchanged": 0, "failed": 2}}
        limits = {"catalog_items_per_request": 100, "catalog_bytes_per_request": 1000}
        client = self.client(respond(200, limits), respond(202, {"job_id": "j"}), respond(200, rejected))
        counts = client.push_catalog([{"sku": "A", "quantity": 1}, {"sku": "B", "quantity": 1}], vendor_id="v").finished()
        self.assertEqual((counts.items, counts.failed), (2, 2))
        running = respond(200, {"job_id": "j", "job_status": "IN_PROGRESS"})
        with self.assertRaises(AisleTimeoutError):
            self.client(running).wait_for_catalog_job("j", timeout=0)
