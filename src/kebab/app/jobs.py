"""`kebab jobs`: what long work there is, and asking it to stop from another process."""

from typing import NamedTuple

from kebab.config import Config
from kebab.core.errors import InvalidInput
from kebab.core.job import Job, JobStatus
from kebab.store.store import Store

OPEN = (JobStatus.PENDING, JobStatus.RUNNING)
_PREFIX = "job_"


class Stopped(NamedTuple):
    """A job as it is after someone asked it to stop; `by_us` is False when it had ended before."""

    job: Job
    by_us: bool


def list_jobs(store: Store) -> list[Job]:
    """Newest first. An index that an older kebab wrote has no jobs."""
    return store.jobs.list() if store.has_vectors else []


def find_job(store: Store, reference: str) -> Job:
    """By id or by the beginning of it, with or without `job_`."""
    start = reference.removeprefix(_PREFIX)
    found = [job for job in list_jobs(store) if start and job.job_id.removeprefix(_PREFIX).startswith(start)]
    if not found:
        raise InvalidInput(f"no job {reference}", hint="`kebab jobs list` shows their ids", reference=reference)
    if len(found) > 1:
        raise InvalidInput(f"{reference} fits several jobs", hint="give more of the id", reference=reference)
    return found[0]


def cancel_job(config: Config, reference: str) -> Stopped:
    """Does not wait for the writer lock: the one who holds it is the one to be stopped.

    It looks at the job's row between two batches and ends.
    """
    with Store.note_taker(config.storage.sqlite) as store:
        before = find_job(store, reference)
        store.jobs.finish(before.job_id, JobStatus.CANCELED)
        after = store.jobs.find(before.job_id) or before
    return Stopped(after, before.status in OPEN and after.status is JobStatus.CANCELED)
