"""Files that were cut under other settings: cut anew by the next ingest, which is visible as a job."""

from typing import TYPE_CHECKING

import pytest
from app_bench import Desk, report, results

from kebab.app import rechunking
from kebab.app.scope import ScopeRequest
from kebab.core.events import AssetFinished
from kebab.core.job import Job, JobKind, JobStatus

if TYPE_CHECKING:
    from word_embedder import WordModel

NOTES = 6


@pytest.fixture
def cut(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Notes that the settings of today cut otherwise."""
    monkeypatch.setattr(rechunking, "_EVERY", 2)
    for number in range(NOTES):
        desk.write(f"{number}.md", f"# Note {number}\n\n{'A zebra stands here. ' * 60}\n")
    desk.ingest()
    desk.flags["chunking.target_tokens"] = 100
    return desk


def jobs(desk: Desk) -> list[tuple[JobKind, JobStatus, int, int]]:
    return [(job.kind, job.status, job.done, job.total) for job in desk.app().list_jobs()]


def test_a_first_ingest_and_one_without_changes_are_no_jobs(desk: Desk) -> None:
    desk.write("a.md")
    desk.ingest()
    desk.ingest()
    assert jobs(desk) == []


def test_settings_that_changed_make_a_job_of_the_files_they_touch(cut: Desk) -> None:
    cut.write("new.md", "okapi\n")
    found = results(cut.ingest())
    assert {name for name, kind in found.items() if kind == "updated"} == {f"{number}.md" for number in range(NOTES)}
    assert jobs(cut) == [(JobKind.RECHUNK, JobStatus.SUCCEEDED, NOTES, NOTES)]
    cut.ingest()
    assert len(jobs(cut)) == 1


def test_a_dry_run_makes_no_job(cut: Desk) -> None:
    cut.ingest(dry_run=True)
    assert jobs(cut) == []


def until(desk: Desk, files: int) -> Job:
    """The job as it is after so many files; the run goes on until someone stops it."""
    app = desk.app()
    running = app.ingest(ScopeRequest())
    for event in running:
        if isinstance(event, AssetFinished) and event.idx == files:
            (job,) = desk.app().list_jobs()
            desk.app().cancel_job(job.job_id)
    return desk.app().find_job(job.job_id)


def test_a_job_that_is_canceled_stops_between_files_and_the_next_run_does_the_rest(cut: Desk) -> None:
    job = until(cut, 3)
    assert (job.status, job.done) == (JobStatus.CANCELED, 2)
    found = results(cut.ingest())
    assert sorted(found.values()) == ["unchanged"] * 4 + ["updated"] * 2
    assert (JobKind.RECHUNK, JobStatus.SUCCEEDED, 2, 2) in jobs(cut)


def test_a_run_that_is_stopped_leaves_its_job_to_the_next(cut: Desk) -> None:
    import threading

    cancel = threading.Event()
    for event in cut.app().ingest(ScopeRequest(), cancel=cancel):
        if isinstance(event, AssetFinished) and event.idx == 4:
            cancel.set()
    assert jobs(cut) == [(JobKind.RECHUNK, JobStatus.PENDING, 4, NOTES)]
    cut.ingest()
    assert jobs(cut) == [(JobKind.RECHUNK, JobStatus.SUCCEEDED, 2, 2)]


def test_chunks_that_are_cut_anew_get_vectors_in_the_same_run(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", f"# Note\n\n{'A zebra stands here. ' * 60}\n")
    desk.ingest()
    model.take()
    desk.flags["chunking.target_tokens"] = 100
    found = report(desk.app().ingest(ScopeRequest()))
    assert found.counts.embeddings_indexed > 2
    assert desk.app().vector_status().chunks_without_vectors == 0
