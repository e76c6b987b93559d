"""Updates any number of products with jobs."""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterable, Iterator, Mapping, cast

from .bodies import EncodedBody, compressed_json, to_json
from .errors import AisleError, JobError
from .generated.models import CatalogJob, ProductUpdate


@dataclass(frozen=True)
class PushCounts:
    """The counts of the finished jobs."""

    jobs: int = 0
    items: int = 0
    succeeded: int = 0
    unchanged: int = 0
    failed: int = 0

    def plus(self, job: CatalogJob) -> PushCounts:
        progress = job["progress"]
        return PushCounts(
            self.jobs + 1,
            self.items + progress["total"],
            self.succeeded + progress["succeeded"],
            self.unchanged + progress["unchanged"],
            self.failed + progress["failed"],
        )


@dataclass(frozen=True)
class PushProgress:
    read: int = 0
    """The number of rows that were read."""
    accepted: int = 0
    """The number of rows whose job was accepted."""
    finished: PushCounts = PushCounts()


class CatalogPush:
    """The finished jobs, in the order of the rows.

    The rows are read only as fast as the jobs finish, and only one chunk of rows is in memory,
    compressed. Jobs are accepted one after the other, so if a SKU occurs twice, the last row wins.
    A job in which all rows failed is returned like any other.
    """

    def __init__(
        self,
        rows: Iterable[ProductUpdate],
        maximums: Callable[[], tuple[int, int]],
        accept: Callable[[EncodedBody], str],
        wait: Callable[[str], CatalogJob],
        unfinished_jobs: int,
        on_progress: Callable[[PushProgress], None] | None,
    ) -> None:
        self._rows = rows
        self._maximums = maximums
        self._accept = accept
        self._wait = wait
        self._unfinished_jobs = unfinished_jobs
        self._on_progress = on_progress
        self._progress = PushProgress()

    def __iter__(self) -> Iterator[CatalogJob]:
        pending: deque[str] = deque()
        max_rows, max_bytes = self._maximums()
        for body, count in _chunks(self._rows, max_rows, max_bytes, lambda read: self._report(read=read)):
            while len(pending) >= self._unfinished_jobs:
                yield self._finish(pending.popleft())
            pending.append(self._accept(body))
            self._report(accepted=self._progress.accepted + count)
        while pending:
            yield self._finish(pending.popleft())

    def finished(self) -> PushCounts:
        """Pushes all rows without looking at the jobs, and returns the counts."""
        counts = PushCounts()
        for job in self:
            counts = counts.plus(job)
        return counts

    def _finish(self, job_id: str) -> CatalogJob:
        try:
            job = self._wait(job_id)
        except JobError as error:
            # How rows are divided into jobs must not decide whether the other rows are pushed.
            if not error.has_only_failed_rows:
                raise
            job = cast(CatalogJob, error.job)
        self._report(finished=self._progress.finished.plus(job))
        return job

    def _report(self, **changes: Any) -> None:
        self._progress = replace(self._progress, **changes)
        if self._on_progress:
            self._on_progress(self._progress)


def _chunks(
    rows: Iterable[ProductUpdate], max_rows: int, max_bytes: int, on_read: Callable[[int], None]
) -> Iterator[tuple[EncodedBody, int]]:
    """Request bodies, each with the number of its rows."""
    chunk = _Chunk()
    read = 0
    for row in rows:
        if not isinstance(row, Mapping):
            raise AisleError(f"Row {read + 1} is not an object with a sku.")
        content = to_json(row).encode()
        is_full = chunk.rows >= max_rows or chunk.bytes + len(content) > max_bytes
        if is_full and chunk.rows > 0:
            on_read(read)
            yield chunk.end(), chunk.rows
            chunk = _Chunk()
        chunk.add(content)
        read += 1
    on_read(read)
    if chunk.rows > 0:
        yield chunk.end(), chunk.rows


class _Chunk:
    """Rows that are compressed as they are added."""

    def __init__(self) -> None:
        self._gzip = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        self._parts = [self._gzip.compress(b'{"products":[')]
        self.rows = 0
        # The characters around the rows.
        self.bytes = 16

    def add(self, content: bytes) -> None:
        part = content if self.rows == 0 else b"," + content
        self._parts.append(self._gzip.compress(part))
        self.rows += 1
        self.bytes += len(part)

    def end(self) -> EncodedBody:
        self._parts += [self._gzip.compress(b"]}"), self._gzip.flush()]
        return compressed_json(b"".join(self._parts))
