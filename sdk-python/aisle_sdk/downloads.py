"""Files that are read while they arrive."""

from __future__ import annotations

import codecs
import json
import os
import re
import uuid
from os import PathLike
from types import TracebackType
from typing import Any, Iterator

from .errors import AisleError
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
        return b"".join(self)

    def text(self) -> str:
        """The whole file as text."""
        return self.read().decode()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file to disk without holding it in memory. A file with this name is replaced at the end."""
        target = os.path.realpath(path)
        if os.path.exists(target) and not os.path.isfile(target):
            self._write(target)  # A device or a pipe.
            return
        draft = f"{target}.{uuid.uuid4().hex}"
        try:
            self._write(draft)
            if os.path.exists(target):
                os.chmod(draft, os.stat(target).st_mode & 0o777)
            os.replace(draft, target)
        except BaseException:
            if os.path.exists(draft):
                os.unlink(draft)
            raise

    def _write(self, path: str) -> None:
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


# A row of Aisle has two megabytes at most. A file without rows would fill the memory of the program.
_MAX_ROW_LENGTH = 16 * 1024 * 1024


def read_rows(download: Download) -> Iterator[Any]:
    """The objects in a file with one JSON object per line."""
    for number, line in enumerate(_lines(download), 1):
        if not line:
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            raise AisleError(f"Row {number} of the file is not valid JSON.") from None


def _lines(download: Download) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    # The pieces of a long line are joined once.
    pieces: list[str] = []
    length = 0
    try:
        for part in download:
            first, *lines = decoder.decode(part).split("\n")
            pieces.append(first)
            length += len(first)
            if length > _MAX_ROW_LENGTH:
                raise AisleError(f"A row of the file has more than {_MAX_ROW_LENGTH} characters.")
            for line in lines:
                yield "".join(pieces)
                pieces = [line]
                length = len(line)
        yield "".join(pieces) + decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise AisleError("The file is not UTF-8.") from None

