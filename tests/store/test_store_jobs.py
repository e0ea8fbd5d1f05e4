"""Long work: taken up where it was left, replaced by work with another aim, stopped from outside."""

import pytest
from store_bench import Index

from kebab.core.job import Job, JobKind, JobStatus
from kebab.store import jobs
from kebab.store.store import Store

AIM = {"model": "a"}


def begin(index: Index, aim: str = "a", total: int = 5, kind: JobKind = JobKind.EMBED) -> Job:
    return index.store.jobs.begin(kind, {"model": aim}, total)


def found(index: Index, job: Job) -> Job:
    seen = index.store.jobs.find(job.job_id)
    assert seen is not None
    return seen


def test_a_job_runs_from_the_moment_it_is_begun(index: Index) -> None:
    job = begin(index)
    assert (job.kind, job.status, job.payload, job.done, job.total) == (JobKind.EMBED, JobStatus.RUNNING, AIM, 0, 5)
    assert (job.error, job.finished_at) == (None, None)
    assert job.created_at <= job.updated_at
    assert index.store.jobs.list() == [job]


def test_a_job_says_how_far_it_is(index: Index) -> None:
    job = begin(index)
    assert index.store.jobs.progress(job.job_id, 3, 5)
    assert (found(index, job).done, found(index, job).total, found(index, job).status) == (3, 5, JobStatus.RUNNING)


@pytest.mark.parametrize("status", [JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELED])
def test_a_job_ends_once(index: Index, status: JobStatus) -> None:
    job = begin(index)
    index.store.jobs.progress(job.job_id, 5, 5)
    index.store.jobs.finish(job.job_id, status, "why")
    ended = found(index, job)
    assert (ended.status, ended.error, ended.done) == (status, "why", 5)
    assert ended.finished_at is not None
    index.store.jobs.finish(job.job_id, JobStatus.SUCCEEDED)
    index.store.jobs.finish(job.job_id, JobStatus.PENDING)
    assert found(index, job) == ended


@pytest.mark.parametrize("how", ["left pending", "lost its process"])
def test_an_open_job_with_the_same_aim_is_taken_up(index: Index, how: str) -> None:
    job = begin(index)
    index.store.jobs.progress(job.job_id, 3, 5)
    if how == "left pending":
        index.store.jobs.finish(job.job_id, JobStatus.PENDING)
        assert found(index, job).finished_at is None
    again = begin(index, total=2)
    assert (again.job_id, again.created_at) == (job.job_id, job.created_at)
    assert (again.status, again.done, again.total) == (JobStatus.RUNNING, 0, 2)
    assert len(index.store.jobs.list()) == 1


def test_the_order_of_what_it_aims_at_does_not_matter(index: Index) -> None:
    first = index.store.jobs.begin(JobKind.EMBED, {"model": "a", "input": "가"}, 1)
    assert index.store.jobs.begin(JobKind.EMBED, {"input": "가", "model": "a"}, 1).job_id == first.job_id


@pytest.mark.parametrize("status", [JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELED])
def test_a_job_that_ended_is_not_taken_up(index: Index, status: JobStatus) -> None:
    job = begin(index)
    index.store.jobs.finish(job.job_id, status)
    assert begin(index).job_id != job.job_id
    assert found(index, job).status is status


def test_a_job_with_another_aim_replaces_what_was_left_open(index: Index) -> None:
    first = begin(index, "a")
    index.store.jobs.finish(first.job_id, JobStatus.PENDING)
    other = begin(index, kind=JobKind.RECHUNK)
    second = begin(index, "b")
    replaced = found(index, first)
    assert (replaced.status, replaced.error) == (JobStatus.CANCELED, "replaced by another job")
    assert replaced.finished_at is not None
    assert found(index, other).status is JobStatus.RUNNING
    assert found(index, second).status is JobStatus.RUNNING


def test_where_nothing_is_left_to_do_open_jobs_are_settled(index: Index) -> None:
    first = begin(index, "a")
    other = begin(index, kind=JobKind.RECHUNK)
    index.store.jobs.settle(JobKind.EMBED, AIM)
    reached = found(index, first)
    assert (reached.status, reached.error, reached.finished_at is None) == (JobStatus.SUCCEEDED, None, False)
    assert found(index, other).status is JobStatus.RUNNING
    second = begin(index, "b")
    index.store.jobs.settle(JobKind.EMBED, AIM)
    assert (found(index, second).status, found(index, first)) == (JobStatus.CANCELED, reached)


def test_a_job_learns_between_two_steps_that_it_is_to_stop(index: Index) -> None:
    job = begin(index)
    with Store.note_taker(index.path) as other:
        other.jobs.finish(job.job_id, JobStatus.CANCELED)
    assert not index.store.jobs.progress(job.job_id, 4, 5)
    stopped = found(index, job)
    assert (stopped.status, stopped.done) == (JobStatus.CANCELED, 0)
    index.store.jobs.finish(job.job_id, JobStatus.SUCCEEDED)
    assert found(index, job).status is JobStatus.CANCELED


def test_a_job_that_is_unknown_neither_runs_nor_is_found(index: Index) -> None:
    assert not index.store.jobs.progress("job_0", 1, 2)
    index.store.jobs.finish("job_0", JobStatus.FAILED)
    assert index.store.jobs.find("job_0") is None
    assert index.store.jobs.list() == []


def test_the_newest_comes_first(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for second in (1, 3, 2):
        monkeypatch.setattr(jobs, "now", lambda second=second: f"2026-01-01T00:00:0{second}Z")
        job = begin(index, str(second))
        index.store.jobs.finish(job.job_id, JobStatus.SUCCEEDED)
        made.append(job.job_id)
    assert [job.job_id for job in index.store.jobs.list()] == [made[1], made[2], made[0]]


def test_only_the_latest_are_kept_and_none_that_is_open_goes(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "KEPT_JOBS", 3)
    waiting = begin(index, kind=JobKind.RECHUNK)
    made = []
    for second in range(6):
        monkeypatch.setattr(jobs, "now", lambda second=second: f"2100-01-01T00:00:0{second}Z")
        made.append(begin(index, str(second)).job_id)
        index.store.jobs.finish(made[-1], JobStatus.SUCCEEDED)
    assert [job.job_id for job in index.store.jobs.list()] == [*made[:-4:-1], waiting.job_id]
