"""Which messages and events were handled."""

from __future__ import annotations

import threading
from typing import Protocol


class SeenIds(Protocol):
    """To recognize ids in several processes or after a restart, implement it with your database."""

    def __contains__(self, id: object, /) -> bool: ...

    def add(self, id: str, /) -> None: ...


class RecentIds:
    """Keeps the last ids in memory."""

    def __init__(self, max_ids: int = 10_000) -> None:
        self._ids: dict[str, None] = {}
        self._max_ids = max_ids
        self._lock = threading.Lock()

    def __contains__(self, id: object, /) -> bool:
        return id in self._ids

    def add(self, id: str, /) -> None:
        with self._lock:
            self._ids[id] = None
            if len(self._ids) > self._max_ids:
                del self._ids[next(iter(self._ids))]
