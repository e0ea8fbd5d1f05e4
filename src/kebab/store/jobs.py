"""The table `jobs`: what long work there is, how far it got, and whether someone asked it to stop."""

import json
import secrets
from collections.abc import Mapping

from kebab.core.clock import now
from kebab.core.job import Job, JobKind, JobStatus
from kebab.store.sql import Database, Row

KEPT_JOBS = 100
_COLUMNS = "job_id, kind, status, payload_json, progress_json, error_json, created_at, updated_at, finished_at"
_OPEN = (JobStatus.PENDING, JobStatus.RUNNING)
_REPLACED = "replaced by another job"


class Jobs:
    def __init__(self, database: Database) -> None:
        self._db = database

    def begin(self, kind: JobKind, payload: Mapping[str, str | int], total: int) -> Job:
        """A job that runs from here on: the one left open with the same aim, or a new one.

        The caller holds the writer lock, so whatever else still counts as running has lost its process.
        """
        text = _aim(payload)
        with self._db.transaction():
            found = self._db.first(
                "SELECT job_id FROM jobs WHERE kind = ? AND payload_json = ? AND status IN (?, ?) ORDER BY created_at",
                (kind, text, *_OPEN),
            )
            job_id = str(found[0]) if found else f"job_{secrets.token_hex(6)}"
            if found is None:
                sql = f"INSERT INTO jobs({_COLUMNS}) VALUES (?, ?, ?, ?, NULL, NULL, ?, ?, NULL)"
                self._db.run(sql, (job_id, kind, JobStatus.RUNNING, text, now(), now()))
            self._db.run(
                "UPDATE jobs SET status = ?, error_json = ?, finished_at = ? WHERE kind = ? AND job_id <> ? "
                "AND status IN (?, ?)",
                (JobStatus.CANCELED, json.dumps(_REPLACED), now(), kind, job_id, *_OPEN),
            )
            self._progress(job_id, 0, total)
            self._prune()
        job = self.find(job_id)
        assert job is not None
        return job

    def progress(self, job_id: str, done: int, total: int) -> bool:
        """Notes how far the job is; False when someone asked it to stop."""
        with self._db.transaction():
            status: str | None = self._db.scalar("SELECT status FROM jobs WHERE job_id = ?", (job_id,))
            running = status == JobStatus.RUNNING
            if running:
                self._progress(job_id, done, total)
        return running

    def finish(self, job_id: str, status: JobStatus, error: str | None = None) -> None:
        """Ends a job, unless it was ended before. `pending` leaves it to be taken up by the next run."""
        finished = None if status in _OPEN else now()
        self._db.run(
            "UPDATE jobs SET status = ?, error_json = ?, updated_at = ?, finished_at = ? WHERE job_id = ? "
            "AND status IN (?, ?)",
            (status, json.dumps(error) if error else None, now(), finished, job_id, *_OPEN),
        )

    def settle(self, kind: JobKind, payload: Mapping[str, str | int]) -> None:
        """There is nothing to do: what was left open with this aim has reached it, with another is overtaken."""
        aim = _aim(payload)
        for job in self.list():
            if job.kind is kind and job.status in _OPEN:
                reached = _aim(job.payload) == aim
                status = JobStatus.SUCCEEDED if reached else JobStatus.CANCELED
                self.finish(job.job_id, status, None if reached else _REPLACED)

    def list(self) -> list[Job]:
        """Newest first."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM jobs ORDER BY created_at DESC, job_id")
        return [_job(row) for row in rows]

    def find(self, job_id: str) -> Job | None:
        row = self._db.first(f"SELECT {_COLUMNS} FROM jobs WHERE job_id = ?", (job_id,))
        return _job(row) if row else None

    def _progress(self, job_id: str, done: int, total: int) -> None:
        self._db.run(
            "UPDATE jobs SET status = ?, progress_json = ?, updated_at = ? WHERE job_id = ?",
            (JobStatus.RUNNING, json.dumps({"done": done, "total": total}), now(), job_id),
        )

    def _prune(self) -> None:
        self._db.run(
            "DELETE FROM jobs WHERE status NOT IN (?, ?) AND job_id NOT IN "
            "(SELECT job_id FROM jobs ORDER BY created_at DESC LIMIT ?)",
            (*_OPEN, KEPT_JOBS),
        )


def _aim(payload: Mapping[str, str | int]) -> str:
    return json.dumps(payload, ensure_ascii=False, sort_keys=True)


def _job(row: Row) -> Job:
    job_id, kind, status, payload, progress, error, created, updated, finished = row
    counts = json.loads(progress) if progress else {}
    return Job(
        job_id=job_id,
        kind=JobKind(kind),
        status=JobStatus(status),
        payload=json.loads(payload),
        done=counts.get("done", 0),
        total=counts.get("total", 0),
        error=json.loads(error) if error else None,
        created_at=created,
        updated_at=updated,
        finished_at=finished,
    )
