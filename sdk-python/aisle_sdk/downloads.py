"""Files that are read while they arrive."""

from __future__ import annotations

import codecs
import json
import re
from os import PathLike
from types import TracebackType
from typing import Any, Iterator

from .transport import RawResponse


class Download:
    """A file that is read while it arrives, once. Use it in a `with` statement if you do not read all of it."""

    def __init__(self, response: RawResponse) -> None:
        self._response = response
        self.headers = response.headers
        self.content_type = response.headers.get("content-type")
        name = re.search(r'filename="([^"]*)"', response.headers.get("content-disposition", ""))
        self.file_name = name.group(1) if name else None
        """The name from `content-disposition`."""

    def __iter__(self) -> Iterator[bytes]:
        return self._response.parts()

    def read(self) -> bytes:
        return self._response.read()

    def text(self) -> str:
        """The whole file as text."""
        return self.read().decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file to disk without holding it in memory."""
        with open(path, "wb") as file:
            for part in self:
                file.write(part)

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_rows(download: Download) -> Iterator[Any]:
    """The objects in a file with one JSON object per line."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest = ""
    for part in download:
        *lines, rest = (rest + decoder.decode(part)).split("\n")
        yield from (json.loads(line) for line in lines if line)
    rest += decoder.decode(b"", final=True)
    if rest:
        yield json.loads(rest)
