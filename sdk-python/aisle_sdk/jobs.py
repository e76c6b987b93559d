"""Jobs: work that the API accepts and finishes later."""

from __future__ import annotations

import time
from typing import Any, Callable, Generic, Mapping, TypeVar

from .errors import AisleError, AisleTimeoutError, JobError

Body = TypeVar("Body")
Finished = TypeVar("Finished")
OnProgress = Callable[[Any], None]

_FIRST_POLL_SECONDS = 0.15


class AcceptedJob(Generic[Body, Finished]):
    """The response of an operation that creates a job."""

    def __init__(self, response: Body, read: Callable[[str], Any], sleep: Callable[[float], None]) -> None:
        self.response = response
        """The body of the response, which says that the job was accepted."""
        self._read = read
        self._sleep = sleep

    def finished(
        self, *, on_progress: OnProgress | None = None, poll: float = 3.0, timeout: float | None = None
    ) -> Finished:
        """Waits until the job has finished, and returns it. Raises a `JobError` if it failed as a whole.

        :param on_progress: Called with the job each time it is read.
        :param poll: The longest time between two reads of the job, in seconds.
        :param timeout: How many seconds to wait for the job. Default: without limit.
        """
        response: Any = self.response
        if not isinstance(response, dict):
            raise AisleError("The response is not a job.")
        # The update of a single product is applied at once, so there is no job.
        if "job_id" not in response:
            return response
        job_id = response["job_id"]
        return wait_for_job(lambda: self._read(job_id), self._sleep, on_progress, poll, timeout)


def wait_for_job(
    read: Callable[[], Any],
    sleep: Callable[[float], None],
    on_progress: OnProgress | None,
    poll: float,
    timeout: float | None,
) -> Any:
    """Reads the job until it has finished."""
    started = time.monotonic()
    delay = min(_FIRST_POLL_SECONDS, poll)
    while True:
        job: Mapping[str, Any] = read()
        if not isinstance(job, dict) or not isinstance(job.get("job_status"), str):
            raise AisleError("The response is not a job.")
        if on_progress:
            on_progress(job)
        if job["job_status"] == "COMPLETED":
            return job
        if job["job_status"] == "FAILED":
            raise JobError(job)
        if timeout is not None and time.monotonic() - started + delay > timeout:
            raise AisleTimeoutError(f"The job {job['job_id']} has not finished within {timeout:g} seconds.")
        sleep(delay)
        delay = min(delay * 1.5, poll)
