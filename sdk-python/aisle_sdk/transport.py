"""Sends requests over connections that are kept open. It can be used by several threads."""

from __future__ import annotations

import http.client
import io
import selectors
import ssl
import threading
import time
import zlib
from contextlib import contextmanager
from typing import Any, Iterator, Mapping, cast
from urllib.parse import urlsplit

from .errors import AisleConnectionError, AisleError, AisleTimeoutError

# Servers and proxies close connections that were idle for longer.
_MAX_IDLE_SECONDS = 30.0
_MAX_IDLE_CONNECTIONS = 10
_PART_BYTES = 64 * 1024
_MAX_INFORMATION = 20


class Transport:
    def __init__(self, base_url: str, ssl_context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(base_url)
        if parts.username is not None or parts.password is not None:
            raise AisleError("base_url must not contain a user name or a password.")
        if parts.scheme not in ("http", "https") or not parts.hostname or not _has_valid_port(base_url):
            raise AisleError(f'base_url must be an address such as "https://aisle.example.com", not "{base_url}".')
        self._host = parts.hostname
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._prefix = parts.path.rstrip("/")
        self._context = (ssl_context or ssl.create_default_context()) if parts.scheme == "https" else None
        self._idle: list[tuple[http.client.HTTPConnection, float]] = []
        self._lock = threading.Lock()

    def send(
        self, method: str, target: str, headers: Mapping[str, str], body: Any, timeout: float, is_fresh: bool
    ) -> RawResponse:
        """Sends a request and reads the headers of the response.

        A connection that was used before can be closed by the server at any time, so requests that
        cannot be repeated use a fresh one.
        """
        connection = self._open(timeout) if is_fresh else self._take(timeout)
        try:
            with connection_errors(f"There was no response within {timeout:g} seconds."):
                try:
                    connection.request(method, self._prefix + target, body=body, headers=dict(headers))
                except (BrokenPipeError, ConnectionResetError):
                    # The server can respond, for example with 413, before it has read the whole body.
                    if connection.sock is None:
                        raise
                return RawResponse(self, connection, cast(_FinalResponse, connection.getresponse()), timeout)
        except BaseException:
            connection.close()
            raise

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < _MAX_IDLE_CONNECTIONS:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _take(self, timeout: float) -> http.client.HTTPConnection:
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection, since = self._idle.pop()
            if time.monotonic() - since < _MAX_IDLE_SECONDS and not _is_readable(connection.sock):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()
        return self._open(timeout)

    def _open(self, timeout: float) -> http.client.HTTPConnection:
        connection = (
            http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            if self._context is None
            else http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
        )
        connection.response_class = _FinalResponse
        return connection


class _FinalResponse(http.client.HTTPResponse):
    """Skips information such as 103, which the standard library takes for the response."""

    def __init__(self, sock: Any, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.reader = _TimedReader(cast(io.BufferedReader, self.fp).detach(), sock)
        self.fp = io.BufferedReader(self.reader)

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(_MAX_INFORMATION):
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 <= status < 200:
                return version, status, reason
            http.client.parse_headers(self.fp)
        raise http.client.HTTPException("The server sends information without a response")


class _TimedReader(io.RawIOBase):
    """Reads from a connection for as long as its timeout in total. On its own, a socket waits that long for each byte."""

    def __init__(self, raw: io.RawIOBase, sock: Any) -> None:
        self._raw = raw
        self._socket = sock
        self._timeout: float = sock.gettimeout()
        self.restart()

    def restart(self) -> None:
        self._deadline = time.monotonic() + self._timeout

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class RawResponse:
    """A response whose body has not been read yet."""

    def __init__(
        self,
        transport: Transport,
        connection: http.client.HTTPConnection,
        response: _FinalResponse,
        timeout: float,
    ) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self._transport = transport
        self._connection: http.client.HTTPConnection | None = connection
        self._response = response
        self._timeout = timeout

    def read(self, max_bytes: int | None = None) -> bytes:
        """The body, or its start. Takes at most the time that a request can take, even if bytes arrive one by one."""
        parts: list[bytes] = []
        length = 0
        for part in self.parts(is_limited=True):
            parts.append(part)
            length += len(part)
            if max_bytes is not None and length >= max_bytes:
                self.close()
                break
        return b"".join(parts)

    def parts(self, is_limited: bool = False) -> Iterator[bytes]:
        """The body, decompressed, as it arrives. Afterwards, the connection can be used again.

        The timeout applies to each part, or to all of them together if `is_limited`.
        """
        is_compressed = self.headers.get("content-encoding") == "gzip"
        self._response.reader.restart()
        try:
            for part in _decompressed(self._raw_parts()) if is_compressed else self._raw_parts():
                yield part
                if not is_limited:
                    self._response.reader.restart()
        except zlib.error as error:
            raise AisleConnectionError(f"The response could not be decompressed: {error}") from error
        finally:
            self.close()

    def _raw_parts(self) -> Iterator[bytes]:
        while part := self._next():
            yield part

    def close(self) -> None:
        """Keeps the connection if the body was read to its end."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._response.isclosed():
            self._transport.give_back(connection)
        else:
            self._response.close()
            connection.close()

    def _next(self) -> bytes:
        with connection_errors(f"The response was not complete within {self._timeout:g} seconds."):
            # Unlike `read`, it does not wait until the part is full.
            part = self._response.read1(_PART_BYTES)
            # http.client does not report a body that is shorter than its content-length.
            if not part and self._response.length:
                raise http.client.IncompleteRead(part, self._response.length)
            if not part:
                self._response.read()  # `read1` does not notice the end of the response.
            return part


def _decompressed(parts: Iterator[bytes]) -> Iterator[bytes]:
    """A gzip file can have several members. One that is cut is an error, because rows would be missing."""
    decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
    is_started = False
    for part in parts:
        rest = part
        while rest:
            if decoder.eof:
                decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
            is_started = True
            if decoded := decoder.decompress(rest):
                yield decoded
            rest = decoder.unused_data
    if is_started and not decoder.eof:
        raise AisleConnectionError("The response ended before all of it was received.")


@contextmanager
def connection_errors(timeout_text: str) -> Iterator[None]:
    """Raises errors of the network as errors of this package."""
    try:
        yield
    except TimeoutError as error:
        raise AisleTimeoutError(timeout_text) from error
    except (OSError, http.client.HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise AisleConnectionError(f"The request failed: {reason}") from error


def _has_valid_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _is_readable(connection: Any) -> bool:
    """An idle connection is readable only if the server has closed it."""
    if connection is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(0))
