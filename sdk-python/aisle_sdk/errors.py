"""Every error that the package raises is an `AisleError`."""

from __future__ import annotations

import re
from typing import Any, Mapping

from .generated.models import ErrorCode, Problem


class AisleError(Exception):
    """Every error that the package raises."""


class ApiError(AisleError):
    """The API returned an error. `code` says which one, and is stable."""

    def __init__(self, problem: Problem, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']}")
        self.problem = problem
        self.status = status
        self.headers = headers

    @property
    def code(self) -> ErrorCode:
        return self.problem["code"]

    @property
    def request_id(self) -> str:
        """The id to quote when you report a problem."""
        instance = self.problem.get("instance")
        return instance if isinstance(instance, str) else self.headers.get("x-request-id", "")


class UnexpectedResponseError(AisleError):
    """The response was not from the API, for example from a proxy."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        # A page of a proxy can repeat the headers of the request.
        start = re.sub(r"""(?i)(bearer\s+|aisle_[a-z]+_)[^\s"'<]+""", r"\1…", text[:200])
        super().__init__(f"Unexpected response with status {status}{': ' if start else ''}{start}")
        self.status = status
        self.headers = headers


class NotModifiedError(AisleError):
    """304: the copy whose `etag` was sent in `if-none-match` is current."""


class AisleConnectionError(AisleError):
    """There was no response."""


class AisleTimeoutError(AisleConnectionError):
    """There was no response in time."""


class JobError(AisleError):
    """A job failed as a whole."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        super().__init__(f"The job {job['job_id']} failed: {job.get('error') or 'no reason was given'}")
        self.job = job

    @property
    def has_only_failed_rows(self) -> bool:
        """Whether the job ran, and every row of it failed."""
        progress = self.job.get("progress") or {"total": 0, "failed": 0}
        return bool(progress["total"] > 0 and progress["failed"] == progress["total"])
