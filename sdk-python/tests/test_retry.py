import time
import unittest
from email.utils import formatdate
from typing import Any

from aisle_sdk import AisleConnectionError, AisleTimeoutError, ApiError, UnexpectedResponseError
from aisle_sdk.retry import retry_delay


def api(code: str, **headers: str) -> ApiError:
    problem: Any = {"code": code, "detail": "", "instance": ""}
    return ApiError(problem, 0, {name.replace("_", "-"): value for name, value in headers.items()})


def proxy(status: int) -> UnexpectedResponseError:
    return UnexpectedResponseError(status, {}, "")


CASES: list[tuple[Exception, tuple[bool, bool, bool]]] = [
    (AisleConnectionError("lost"), (True, True, False)),
    (AisleTimeoutError("late"), (True, True, False)),
    (api("rate_limited"), (True, True, True)),
    (api("request_timeout"), (True, True, True)),
    # The change may have been made.
    (api("service_unavailable"), (True, True, False)),
    (api("internal_error"), (True, True, False)),
    (api("idempotency_in_progress"), (False, True, False)),
    (api("secret_key_missing"), (False, False, False)),
    (api("order_state_conflict"), (False, False, False)),
    (proxy(502), (True, True, False)),
    (proxy(429), (True, True, False)),
    (proxy(404), (False, False, False)),
    (TypeError("a mistake in the program"), (False, False, False)),
]


class RetryTest(unittest.TestCase):
    def test_a_request_is_repeated_only_if_that_is_safe(self) -> None:
        for error, expected in CASES:
            with self.subTest(error=repr(error)):
                delays = [retry_delay(retry, error, 1, 0.5) for retry in ("always", "keyed", "rejected")]
                self.assertEqual(tuple(delay is not None for delay in delays), expected)

    def test_delays_grow_up_to_a_maximum_and_are_spread_at_random(self) -> None:
        cases = [(1, 0.0), (1, 1.0), (2, 1.0), (3, 1.0), (20, 1.0)]
        delays = [retry_delay("always", AisleConnectionError("x"), attempt, random) for attempt, random in cases]
        self.assertEqual(delays, [0.25, 0.5, 1.0, 2.0, 8.0])

    def test_the_server_decides_how_long_to_wait_in_seconds_or_with_a_date(self) -> None:
        def delay(value: str) -> float:
            return retry_delay("always", api("rate_limited", retry_after=value), 1, 0.0) or 0.0

        self.assertEqual(delay("7"), 7.0)
        self.assertTrue(50 < delay(formatdate(time.time() + 60, usegmt=True)) <= 60)
        self.assertEqual(delay("Thu, 01 Jan 1970 00:00:00 GMT"), 0.0)
        self.assertEqual(delay("soon"), 0.25)
