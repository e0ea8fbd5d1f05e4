"""A job: long work over what is stored already, taken up where it was left."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class JobKind(StrEnum):
    EMBED = "embed"
    RECHUNK = "rechunk"


class JobStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"


@dataclass(frozen=True, slots=True)
class Job:
    """`payload` says what it works towards; `done` and `total` count what it works through."""

    job_id: str
    kind: JobKind
    status: JobStatus
    payload: Mapping[str, str | int]
    done: int
    total: int
    error: str | None
    created_at: str
    updated_at: str
    finished_at: str | None
