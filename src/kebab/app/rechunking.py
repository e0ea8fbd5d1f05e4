"""Files that were cut under other settings are cut anew: an ingest does it anyway, this keeps it visible as a job."""

from kebab.core.job import JobKind, JobStatus
from kebab.store.jobs import Jobs

# Noted once in so many files; each note is a transaction.
_EVERY = 25


class Rechunking:
    """One job over `total` files that the settings made stale."""

    def __init__(self, jobs: Jobs, settings: str, total: int) -> None:
        self._jobs = jobs
        self._total = total
        self._done = 0
        self._job = jobs.begin(JobKind.RECHUNK, {"settings": settings}, total)

    def step(self) -> bool:
        """One more file is done; False when someone asked the job to stop."""
        self._done += 1
        if self._done % _EVERY:
            return True
        return self._jobs.progress(self._job.job_id, self._done, self._total)

    def finish(self, *, aborted: bool) -> None:
        if not aborted:
            self._jobs.progress(self._job.job_id, self._done, self._total)
        self._jobs.finish(self._job.job_id, JobStatus.PENDING if aborted else JobStatus.SUCCEEDED)
