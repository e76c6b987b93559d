"""Sends requests over connections that are kept open. It can be used by several threads."""

from __future__ import annotations

import http.client
import selectors
import ssl
import threading
import time
import zlib
from contextlib import contextmanager
from typing import Any, Iterator, Mapping
from urllib.parse import urlsplit

from .errors import AisleConnectionError, AisleError, AisleTimeoutError

# Servers and proxies close connections that were idle for longer.
_MAX_IDLE_SECONDS = 30.0
_MAX_IDLE_CONNECTIONS = 10
_PART_BYTES = 64 * 1024


class Transport:
    def __init__(self, base_url: str, ssl_context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(base_url)
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
            with connection_errors(timeout):
                try:
                    connection.request(method, self._prefix + target, body=body, headers=dict(headers))
                except (BrokenPipeError, ConnectionResetError):
                    # The server can respond, for example with 413, before it has read the whole body.
                    if connection.sock is None:
                        raise
                return RawResponse(self, connection, connection.getresponse(), timeout)
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
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)


class RawResponse:
    """A response whose body has not been read yet."""

    def __init__(
        self,
        transport: Transport,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        timeout: float,
    ) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self._transport = transport
        self._connection: http.client.HTTPConnection | None = connection
        self._response = response
        self._timeout = timeout

    def read(self) -> bytes:
        return b"".join(self.parts())

    def parts(self) -> Iterator[bytes]:
        """The body, decompressed, as it arrives. Afterwards, the connection can be used again."""
        is_compressed = self.headers.get("content-encoding") == "gzip"
        decoder = zlib.decompressobj(zlib.MAX_WBITS | 16) if is_compressed else None
        try:
            while part := self._next():
                decoded = decoder.decompress(part) if decoder else part
                if decoded:
                    yield decoded
            if decoder and (rest := decoder.flush()):
                yield rest
        except zlib.error as error:
            raise AisleConnectionError(f"The response could not be decompressed: {error}") from error
        finally:
            self.close()

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
        with connection_errors(self._timeout):
            part = self._response.read(_PART_BYTES)
            # http.client does not report a body that is shorter than its content-length.
            if not part and self._response.length:
                raise http.client.IncompleteRead(part, self._response.length)
            return part


@contextmanager
def connection_errors(timeout: float) -> Iterator[None]:
    """Raises errors of the network as errors of this package."""
    try:
        yield
    except TimeoutError as error:
        raise AisleTimeoutError(f"There was no response within {timeout:g} seconds.") from error
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
