"""Jobs: listed and found by the beginning of an id, and stopped from outside while an ingest holds the writer lock."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from app_bench import report
from stand_in_embedder import AxisEmbedder

from kebab.app import assemble, filling
from kebab.app.scope import ScopeRequest
from kebab.core.errors import IndexLocked, InvalidInput, NotIndexed, ReadonlyMode
from kebab.core.events import EmbedBatchFinished, IngestEvent
from kebab.core.job import Job, JobKind, JobStatus
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

NOTES = 7


@pytest.fixture
def unembedded(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> "Desk":
    """Notes that were indexed by words only; the next ingest embeds them two at a time."""
    monkeypatch.setattr(assemble, "embedder_for", AxisEmbedder)
    monkeypatch.setattr(filling, "BATCH", 2)
    for number in range(NOTES):
        desk.write(f"{number}.md", f"zebra {number}\n")
    desk.ingest()
    desk.flags["models.embedding.provider"] = "builtin"
    return desk


def begin(desk: "Desk") -> Job:
    with Store.writer(desk.index) as store:
        return store.jobs.begin(JobKind.EMBED, {"model": "m"}, 10)


def until_first_batch(events: Iterator[IngestEvent]) -> EmbedBatchFinished:
    return next(event for event in events if isinstance(event, EmbedBatchFinished))


def without_vectors(desk: "Desk") -> int:
    return desk.app().vector_status().chunks_without_vectors


def test_a_job_is_canceled_while_the_ingest_that_runs_it_holds_the_lock(unembedded: "Desk") -> None:
    running = unembedded.app().ingest(ScopeRequest())
    assert until_first_batch(running).done == 2
    with pytest.raises(IndexLocked):
        unembedded.ingest()
    other = unembedded.app()
    (job,) = other.list_jobs()
    assert (job.status, job.total) == (JobStatus.RUNNING, NOTES)

    stopped = other.cancel_job(job.job_id)
    assert stopped.by_us
    assert (stopped.job.status, stopped.job.finished_at is None) == (JobStatus.CANCELED, False)
    assert not any(isinstance(event, EmbedBatchFinished) for event in running), "it stopped before the next batch"
    assert other.find_job(job.job_id).status is JobStatus.CANCELED
    assert without_vectors(unembedded) == NOTES - 2, "what was done is kept"


def test_the_next_ingest_does_the_rest_under_a_new_job(unembedded: "Desk") -> None:
    running = unembedded.app().ingest(ScopeRequest())
    until_first_batch(running)
    (job,) = unembedded.app().list_jobs()
    unembedded.app().cancel_job(job.job_id)
    report(running)
    unembedded.ingest()
    newest, oldest = unembedded.app().list_jobs()
    assert oldest.job_id == job.job_id
    assert (newest.status, newest.done, newest.total) == (JobStatus.SUCCEEDED, NOTES - 2, NOTES - 2)
    assert without_vectors(unembedded) == 0


@pytest.mark.parametrize("status", [JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELED])
def test_a_job_that_has_ended_stays_as_it_ended(desk: "Desk", status: JobStatus) -> None:
    job = begin(desk)
    with Store.writer(desk.index) as store:
        store.jobs.finish(job.job_id, status, "why" if status is JobStatus.FAILED else None)
    ended = desk.app().find_job(job.job_id)
    assert desk.app().cancel_job(job.job_id) == (ended, False)
    assert desk.app().find_job(job.job_id) == ended


def test_a_pending_job_can_be_canceled_and_only_once(desk: "Desk") -> None:
    job = begin(desk)
    with Store.writer(desk.index) as store:
        store.jobs.finish(job.job_id, JobStatus.PENDING)
    first, second = (desk.app().cancel_job(job.job_id) for _ in range(2))
    assert (first.by_us, second.by_us) == (True, False)
    assert first.job == second.job


def test_a_job_is_found_by_the_beginning_of_its_id_with_or_without_the_prefix(desk: "Desk") -> None:
    job = begin(desk)
    digits = job.job_id.removeprefix("job_")
    for reference in (job.job_id, job.job_id[:7], digits, digits[:1]):
        assert desk.app().find_job(reference) == job


@pytest.mark.parametrize("reference", ["", "job_", "job_x", "%", "job_000000000000000"])
def test_what_is_no_job_is_told_with_the_way_to_the_list(desk: "Desk", reference: str) -> None:
    begin(desk)
    for ask in (desk.app().find_job, desk.app().cancel_job):
        with pytest.raises(InvalidInput, match="no job") as caught:
            ask(reference)
        assert "kebab jobs list" in (caught.value.hint or "")


def test_a_beginning_that_fits_two_jobs_is_refused(desk: "Desk") -> None:
    # Ids are random hex digits, so of 17 jobs two begin alike.
    with Store.writer(desk.index) as store:
        ids = [store.jobs.begin(JobKind.EMBED, {"model": str(number)}, 10).job_id for number in range(17)]
    digits = [job_id.removeprefix("job_")[0] for job_id in ids]
    shared = next(digit for digit in digits if digits.count(digit) > 1)
    with pytest.raises(InvalidInput, match="several jobs"):
        desk.app().cancel_job(shared)
    assert [job.status for job in desk.app().list_jobs()].count(JobStatus.RUNNING) == 1


def test_readonly_lists_and_does_not_cancel(desk: "Desk") -> None:
    job = begin(desk)
    app = desk.app(readonly=True)
    assert app.list_jobs() == [job]
    with pytest.raises(ReadonlyMode):
        app.cancel_job(job.job_id)
    assert app.find_job(job.job_id) == job


def test_without_an_index_there_are_no_jobs_and_none_is_made(desk: "Desk") -> None:
    for ask in (desk.app().list_jobs, lambda: desk.app().cancel_job("job_1")):
        with pytest.raises(NotIndexed):
            ask()
    assert not (desk.home / "data").exists()
