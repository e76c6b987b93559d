"""The credentials of a client."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Mapping, Union

from .errors import AisleError

Token = Union[str, Callable[[], str]]


class Authorizer:
    """Returns the headers that authenticate a request.

    Client credentials are exchanged when the first request needs a token, and again before the token
    expires. Threads that need a token at the same time share one exchange.
    """

    def __init__(
        self,
        token: Token | None,
        form: Mapping[str, str] | None,
        exchange: Callable[[Mapping[str, str]], Mapping[str, Any]],
    ) -> None:
        if token is not None and form is not None:
            raise AisleError("Pass a token, or a client_id and a client_secret, but not both.")
        self._token = token
        self._form = form
        self._exchange = exchange
        self._lock = threading.Lock()
        self._current: str | None = None
        self._renew_at = 0.0

    def headers(self) -> dict[str, str]:
        if self._form is not None:
            return _bearer(self._access_token(self._form))
        if self._token is None:
            return {}
        return _bearer(self._token() if callable(self._token) else self._token)

    def renew(self, rejected: Mapping[str, str]) -> bool:
        """Discards the access token that the API has rejected. Returns whether there can be a new one."""
        if self._form is None:
            return False
        with self._lock:
            if rejected.get("authorization") == f"Bearer {self._current}":
                self._current = None
        return True

    def _access_token(self, form: Mapping[str, str]) -> str:
        with self._lock:
            if self._current is None or time.monotonic() >= self._renew_at:
                self._current, lifetime = _read_token(self._exchange(form))
                # A tenth of the lifetime is left, so that a token never expires on the way to the server.
                self._renew_at = time.monotonic() + lifetime * 0.9
            return self._current


def _read_token(response: Any) -> tuple[str, float]:
    fields = response if isinstance(response, dict) else {}
    token, lifetime = fields.get("access_token"), fields.get("expires_in")
    if not isinstance(token, str):
        raise AisleError("The response to the credentials has no access token.")
    return token, lifetime if isinstance(lifetime, (int, float)) else 0


def _bearer(token: str) -> dict[str, str]:
    """A token from a file can end with a line break."""
    text = token.strip()
    # The error of the standard library would contain the token.
    if not text or any(not "!" <= character <= "~" for character in text):
        raise AisleError("The token is empty, or contains spaces, line breaks or characters that no token has.")
    return {"authorization": f"Bearer {text}"}
