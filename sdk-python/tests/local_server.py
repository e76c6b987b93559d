"""A server whose responses are decided by the test."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

from aisle_sdk import Client

Respond = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Sends the next response of the test, and keeps what was received."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def handle_one_method(self) -> None:
        if "chunked" in self.headers.get("transfer-encoding", ""):
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        names = [name.lower() for name in self.headers]
        self.server.received.append(
            {"method": self.command, "path": self.path, "headers": headers, "names": names, "body": body}
        )
        self.server.ports.add(self.client_address[1])
        self.server.responses.pop(0)(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one_method

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.responses: list[Respond] = []
        self.received: list[dict[str, Any]] = []
        self.ports: set[int] = set()

    def handle_error(self, *_: Any) -> None:
        """Connections that the client closes are part of the tests."""


def respond(status: int, body: Any, **headers: str) -> Respond:
    def send(handler: Handler) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        if "content_length" not in headers:
            handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return send


def problem(status: int, code: str, **headers: str) -> Respond:
    return respond(status, {"code": code, "detail": "Something", "instance": "r1"}, **headers)


def lose(handler: Handler) -> None:
    """Closes the connection without a response."""
    handler.close_connection = True


def cut(handler: Handler) -> None:
    """Closes the connection in the middle of the response."""
    respond(200, b'{"a": ', content_length="100")(handler)
    handler.close_connection = True


class ServerTest(unittest.TestCase):
    """Has a server for the client of the test, which does not really wait."""

    def setUp(self) -> None:
        self.server = Server()
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.delays: list[float] = []

    def client(self, *responses: Respond, **options: Any) -> Client:
        self.server.responses = list(responses)
        url = f"http://127.0.0.1:{self.server.server_port}"
        credentials = {} if "client_id" in options else {"token": "t"}
        client = Client(url, chain_id="c", sleep=self.delays.append, **{**credentials, **options})
        self.addCleanup(client.close)
        return client

    def sent(self, header: str) -> list[Any]:
        return [one["headers"].get(header) for one in self.server.received]
