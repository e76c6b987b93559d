"""Sends requests with the client's credentials, and repeats those that failed temporarily."""

from __future__ import annotations

import json
import random
import threading
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Mapping, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .bodies import EncodedBody, encode_body
from .credentials import Authorizer, Token
from .errors import AisleError, ApiError, NotModifiedError, UnexpectedResponseError
from .generated.table import OPERATIONS
from .generated.version import VERSION
from .operation import ApiResponse, Operation, RequestOptions
from .retry import retry_delay
from .transport import RawResponse, Transport

Result = TypeVar("Result")
Values = Mapping[str, Any]

# More of an error is not read: a page of a proxy can be endless.
_MAX_ERROR_BYTES = 1024 * 1024

# Twice what a server sends at once by default. A longer response would fill the memory of the program.
_MAX_BYTES = 256 * 1024 * 1024

# Repeating an exchange only creates another token.
_TOKEN_OPERATION = Operation(method="POST", path="/v2/oauth/token", access="public", retry="always", body="form")


@dataclass(frozen=True)
class Retry:
    """A request that is about to be repeated."""

    method: str
    path: str
    attempt: int
    """The number of the attempt that failed, starting at 1."""
    delay: float
    """The seconds until the next attempt."""
    error: AisleError


@dataclass(frozen=True)
class Settings:
    """What applies to all requests of a client."""

    chain_id: str | None
    timeout: float | None
    retries: int
    max_retry_delay: float
    headers: Mapping[str, str]
    on_retry: Callable[[Retry], None] | None
    sleep: Callable[[float], None]


class Requester:
    def __init__(
        self, transport: Transport, settings: Settings, token: Token | None, form: Mapping[str, str] | None
    ) -> None:
        self._transport = transport
        self._settings = settings
        self._authorizer = Authorizer(token, form, self._exchange_credentials)
        self._chain_id = settings.chain_id
        self._chain_lock = threading.Lock()

    def request(
        self, operation: Operation, params: Values, query: Values, body: Any, options: RequestOptions | None
    ) -> Any:
        """Returns the body of the response."""
        return self.exchange(operation, params, query, body, options, _read_json)

    def exchange(
        self,
        operation: Operation,
        params: Values,
        query: Values,
        body: Any,
        options: RequestOptions | None,
        read: Callable[[RawResponse], Result],
    ) -> Result:
        options = options or {}
        encoded = encode_body(operation.body, body)
        retries = 0 if encoded.is_one_shot else options.get("retries", self._settings.retries)
        target = target_of(operation, self._with_chain(operation, params), query)
        headers = self._headers(operation, encoded, options, retries)
        timeout = _timeout_of(operation, query, options.get("timeout", self._settings.timeout))

        def send(credentials: Mapping[str, str]) -> Result:
            is_fresh = operation.retry == "rejected" or encoded.is_one_shot
            response = self._transport.send(
                operation.method, target, merge_headers(credentials, headers), encoded.content, timeout, is_fresh
            )
            result = read(_checked(response))
            if on_response := options.get("on_response"):
                data = None if operation.download else result
                on_response(ApiResponse(response.status, response.headers, response.headers.get("x-request-id"), data))
            return result

        return self._with_retries(operation, target, retries, lambda: self._authorized(operation, encoded, send))

    def _authorized(
        self, operation: Operation, encoded: EncodedBody, send: Callable[[Mapping[str, str]], Result]
    ) -> Result:
        credentials = {} if operation.access == "public" else self._authorizer.headers()
        try:
            return send(credentials)
        except ApiError as error:
            # Also renewed if the body cannot be sent again, for the next request.
            is_renewed = error.code == "invalid_token" and self._authorizer.renew(credentials)
            if not is_renewed or encoded.is_one_shot:
                raise
        return send(self._authorizer.headers())

    def _with_retries(
        self, operation: Operation, target: str, retries: int, send: Callable[[], Result]
    ) -> Result:
        attempt = 1
        while True:
            try:
                return send()
            except AisleError as error:
                if attempt > retries:
                    raise
                max_delay = self._settings.max_retry_delay
                delay = retry_delay(operation.retry, error, attempt, random.random(), max_delay)
                if delay is None:
                    raise
                if self._settings.on_retry:
                    self._settings.on_retry(Retry(operation.method, target, attempt, delay, error))
            self._settings.sleep(delay)
            attempt += 1

    def _headers(
        self, operation: Operation, encoded: EncodedBody, options: RequestOptions, retries: int
    ) -> dict[str, str]:
        """The headers are the same in every attempt, including the idempotency key."""
        key = options.get("idempotency_key") or (uuid.uuid4().hex if retries > 0 else None)
        keyed = {"idempotency-key": key} if operation.retry == "keyed" and key else {}
        standard = {"user-agent": f"aisle-sdk-python/{VERSION}", "accept-encoding": "gzip"}
        return merge_headers(standard, encoded.headers, keyed, self._settings.headers, options.get("headers", {}))

    def _with_chain(self, operation: Operation, params: Values) -> Values:
        """The chain of the credentials is read once. If that fails, the next request asks again."""
        is_given = params.get("chain_id") is not None
        if "{chain_id}" not in operation.path or is_given or operation.access == "platform":
            return params
        with self._chain_lock:
            if self._chain_id is None:
                whoami = self.request(OPERATIONS["whoami"], {}, {}, None, None)
                chain = whoami.get("chain") if isinstance(whoami, dict) else None
                if not isinstance(chain, dict) or not isinstance(chain.get("chain_id"), str):
                    raise AisleError("The response to whoami has no chain. Set chain_id.")
                self._chain_id = chain["chain_id"]
        return {**params, "chain_id": self._chain_id}

    def _exchange_credentials(self, form: Mapping[str, str]) -> Mapping[str, Any]:
        return self.request(_TOKEN_OPERATION, {}, {}, form, None)


def merge_headers(*all_headers: Mapping[str, str]) -> dict[str, str]:
    """Later headers replace earlier ones, whatever the case of their names."""
    merged: dict[str, str] = {}
    for name, value in (item for headers in all_headers for item in headers.items()):
        # The error of the standard library would contain the value.
        if not name.isascii() or not str(value).isascii() or any(end in name + str(value) for end in "\r\n\0"):
            raise AisleError(f"The header {name!r} has a name or a value that cannot be sent.")
        merged[name.lower()] = str(value)
    return merged


def target_of(operation: Operation, params: Values, query: Values) -> str:
    """The path and query of a request. Lists are separated by commas; None is left out."""
    path = operation.path
    for name, value in params.items():
        if not value:
            raise AisleError(f"{name} is required for {operation.method} {operation.path}.")
        # In a URL, these are steps in the path, also if they are encoded.
        if value in (".", ".."):
            raise AisleError(f'{name} must not be "{value}".')
        path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
    given = {name: _query_text(value) for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_query_text(one).replace(",", "\\,") for one in value)
    return str(value)


def _timeout_of(operation: Operation, query: Values, given: float | None) -> float:
    """The time that the server waits for an event or a change comes on top."""
    is_long = operation.body in ("large", "stream") or operation.download
    waiting = query.get("wait") or query.get("wait_seconds") or 0
    return (given if given is not None else 300.0 if is_long else 30.0) + float(waiting)


def _read_json(response: RawResponse) -> Any:
    text = response.read(_MAX_BYTES + 1)
    if len(text) > _MAX_BYTES:
        raise _unexpected(response, f"it has more than {_MAX_BYTES} bytes".encode())
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _unexpected(response, text) from None


def _checked(response: RawResponse) -> RawResponse:
    """Raises the error that an unsuccessful response contains."""
    if 200 <= response.status < 300:
        return response
    text = response.read(_MAX_ERROR_BYTES)
    if response.status == 304:
        raise NotModifiedError("The resource has not been modified.")
    if 300 <= response.status < 400:
        raise _unexpected(response, _redirect_text(response.headers.get("location", "")))
    try:
        problem = json.loads(text)
    except (ValueError, RecursionError):
        problem = None
    if isinstance(problem, dict) and all(isinstance(problem.get(name), str) for name in ("code", "detail")):
        if not isinstance(problem.get("errors"), list):
            problem.pop("errors", None)
        raise ApiError(problem, response.status, response.headers)  # type: ignore[arg-type]
    raise _unexpected(response, text)


def _redirect_text(location: str) -> bytes:
    """Only the server is named, because the rest of an address can contain secrets."""
    try:
        parts = urlsplit(location)
        target = f" to {parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
    except ValueError:
        parts, target = None, ""
    name = target if parts and parts.scheme and parts.hostname else ""
    return f"the server redirects{name}, which is not followed. Use the final address as base_url.".encode()


def _unexpected(response: RawResponse, text: bytes) -> UnexpectedResponseError:
    return UnexpectedResponseError(response.status, response.headers, text.decode(errors="replace"))
