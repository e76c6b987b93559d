"""The client."""

from __future__ import annotations

import ssl
import threading
import time
from types import TracebackType
from typing import Any, Callable, Collection, Iterable, Mapping

from .bodies import EncodedBody
from .credentials import Token
from .errors import AisleError
from .events import Consumer, OnError
from .generated.models import CatalogJob, FeedEvent, ProductUpdate, PromotionJob
from .generated.operations import Operations
from .jobs import wait_for_job
from .push import CatalogPush, PushProgress
from .requester import Requester, Retry, Settings
from .seen_ids import RecentIds, SeenIds
from .transport import Transport


class Client(Operations):
    """The API: one method per operation, and what integrations need on top of it.

    It sends no request before the first call, and can be used by several threads.
    """

    def __init__(
        self,
        base_url: str,
        *,
        token: Token | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scope: str | None = None,
        chain_id: str | None = None,
        timeout: float | None = None,
        retries: int = 3,
        max_retry_delay: float = 60.0,
        on_retry: Callable[[Retry], None] | None = None,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        :param base_url: The address of the installation, such as `https://aisle.example.com`.
        :param token: An API token, or a function that returns it.
        :param client_id: Client credentials, instead of a token.
        :param scope: The scopes to request, separated by spaces. Default: all scopes of the client.
        :param chain_id: The chain for paths that contain one. Default: the chain of the credentials.
        :param timeout: How many seconds to wait for the connection, and for the next bytes of a
            response. Default: 30 seconds, and 5 minutes for large bodies and files.
        :param retries: How often a request is repeated after a temporary failure, if that is safe.
        :param max_retry_delay: The longest `Retry-After` to wait for, in seconds. If the server asks
            for more, the error is raised.
        :param on_retry: Called before a request is repeated, for example to log it.
        :param headers: Headers for every request.
        :param sleep: For tests: how to wait.
        """
        if (client_id is None) != (client_secret is None):
            raise AisleError("Pass both client_id and client_secret.")
        self._transport = Transport(base_url, ssl_context)
        self._sleep = sleep
        settings = Settings(chain_id, timeout, retries, max_retry_delay, headers or {}, on_retry, sleep)
        form = _credentials_form(client_id, client_secret, scope)
        self._requester = Requester(self._transport, settings, token, form)

    def consume_events(
        self,
        start: str | None,
        handle: Callable[[FeedEvent], object],
        save_cursor: Callable[[str], object] | None = None,
        *,
        types: Collection[str] | None = None,
        stop: threading.Event | None = None,
        on_error: OnError | None = None,
        on_retry: Callable[[AisleError, float], None] | None = None,
        on_gap: Callable[[], object] | None = None,
        seen: SeenIds | None = None,
        limit: int = 100,
        wait_seconds: int = 25,
    ) -> None:
        """Follows the event feed, in order and without losing an event, until `stop` is set.

        :param start: The cursor that was saved last, `latest` for events from now on, or None for
            all events that are kept.
        :param save_cursor: Called when all events before the cursor have been handled.
        :param types: Only these types are handled. Default: all.
        :param stop: Ends the consumer after the event that is being handled, or when the server
            responds, which takes up to `wait_seconds`.
        :param on_error: Called with the error, the event and the number of the attempt if `handle`
            raises. Returns `retry`, `skip` or `stop`. Default: `stop`, which raises the error.
        :param on_retry: Called before the feed is read again after a temporary failure.
        :param on_gap: Called before the next events are handled if events before them were deleted
            before they were read.
        :param seen: Which events were handled. Default: the last 10,000, in memory.
        :param limit: How many events are read at once.
        :param wait_seconds: How long the server waits for an event.
        """
        known = RecentIds() if seen is None else seen
        ending = threading.Event() if stop is None else stop
        Consumer(
            self.list_events,
            handle,
            save_cursor,
            types,
            ending,
            on_error,
            on_retry,
            on_gap,
            known,
            limit,
            wait_seconds,
        ).run(start)

    def push_catalog(
        self,
        rows: Iterable[ProductUpdate],
        *,
        vendor_id: str,
        chain_id: str | None = None,
        rows_per_job: int = 20_000,
        unfinished_jobs: int = 3,
        dry_run: bool | None = None,
        on_progress: Callable[[PushProgress], None] | None = None,
        poll: float = 3.0,
    ) -> CatalogPush:
        """Updates any number of products of a store with jobs, without holding all of them in memory.

        Nothing is sent until you iterate over the result, or call its `finished()`.

        :param rows_per_job: How many rows a job has, or fewer if the installation does not accept as many.
        :param unfinished_jobs: How many jobs can be unfinished at the same time.
        :param dry_run: Create previews, which change nothing.
        :param poll: The longest time between two reads of a job, in seconds.
        """

        if rows_per_job < 1 or unfinished_jobs < 1:
            raise ValueError("rows_per_job and unfinished_jobs must be at least 1.")

        def maximums() -> tuple[int, int]:
            limits: Any = self.get_limits()
            fields = limits if isinstance(limits, dict) else {}
            max_rows, max_bytes = (fields.get(f"catalog_{unit}_per_request") for unit in ("items", "bytes"))
            if not isinstance(max_rows, int) or not isinstance(max_bytes, int):
                raise AisleError("The response to get_limits has no limits of a request.")
            return min(rows_per_job, max_rows), max_bytes

        def accept(body: EncodedBody) -> str:
            params = {"vendor_id": vendor_id, "chain_id": chain_id}
            # Without it, a chunk with a single row would be applied at once instead of by a job.
            headers = {"prefer": "respond-async"}
            accepted: Any = self._call("update_catalog", params, {"dry_run": dry_run}, body, {"headers": headers})
            return accepted["job_id"]

        def wait(job_id: str) -> CatalogJob:
            return self.wait_for_catalog_job(job_id, chain_id=chain_id, poll=poll)

        return CatalogPush(rows, maximums, accept, wait, unfinished_jobs, on_progress)

    def wait_for_catalog_job(
        self,
        job_id: str,
        *,
        chain_id: str | None = None,
        on_progress: Callable[[CatalogJob], None] | None = None,
        poll: float = 3.0,
        timeout: float | None = None,
    ) -> CatalogJob:
        """Waits until a catalog job has finished, for example one of the jobs of an uploaded file."""
        return wait_for_job(
            lambda: self.get_catalog_job(job_id=job_id, chain_id=chain_id), self._sleep, on_progress, poll, timeout
        )

    def wait_for_promotion_job(
        self,
        job_id: str,
        *,
        chain_id: str | None = None,
        on_progress: Callable[[PromotionJob], None] | None = None,
        poll: float = 3.0,
        timeout: float | None = None,
    ) -> PromotionJob:
        """Waits until a promotion job has finished."""
        return wait_for_job(
            lambda: self.get_promotion_job(job_id=job_id, chain_id=chain_id), self._sleep, on_progress, poll, timeout
        )

    def close(self) -> None:
        """Closes the connections that are not in use."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _credentials_form(client_id: str | None, client_secret: str | None, scope: str | None) -> dict[str, str] | None:
    if client_id is None or client_secret is None:
        return None
    form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
    return form if scope is None else {**form, "scope": scope}
