"""How the generated methods call the API."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping

from .downloads import Download, read_rows
from .generated.table import OPERATIONS
from .jobs import AcceptedJob
from .lists import items_of, read_pages
from .operation import RequestOptions
from .requester import Requester

Values = Mapping[str, Any]


class Calls:
    """The parent of the generated class, with one method per kind of operation."""

    _requester: Requester
    _sleep: Callable[[float], None]

    def _call(self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None) -> Any:
        return self._requester.request(OPERATIONS[name], params, query, body, options)

    def _pages(
        self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> Iterator[Any]:
        return read_pages(OPERATIONS[name], query, lambda page: self._call(name, params, page, body, options))

    def _all(
        self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> Iterator[Any]:
        for page in self._pages(name, params, query, body, options):
            yield from items_of(OPERATIONS[name], page)

    def _job(
        self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> AcceptedJob[Any, Any]:
        job = OPERATIONS[name].job or ""
        chain = {"chain_id": params.get("chain_id")}
        return AcceptedJob(
            self._call(name, params, query, body, options),
            lambda job_id: self._call(job, {**chain, "job_id": job_id}, {}, None, None),
            self._sleep,
        )

    def _download(
        self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> Download:
        return self._requester.exchange(OPERATIONS[name], params, query, body, options, Download)

    def _rows(
        self, name: str, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> Iterator[Any]:
        given = options or {}
        headers = {**given.get("headers", {}), "accept": "application/x-ndjson"}
        with self._download(name, params, query, body, {**given, "headers": headers}) as download:
            yield from read_rows(download)
