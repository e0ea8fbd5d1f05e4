"""From one model to another: the old vectors serve until the new ones are complete, and no text is embedded twice."""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from app_bench import Desk, report

from kebab.app import filling
from kebab.app.scope import ScopeRequest
from kebab.core.errors import ModelUnreachable
from kebab.core.events import EmbedBatchFinished, IngestEvent, IngestReport
from kebab.core.inspection import Check
from kebab.core.job import Job, JobStatus
from kebab.core.query import Query, SearchMode, SearchResult
from kebab.store.store import Store

if TYPE_CHECKING:
    from word_embedder import WordModel

NOTES = 6
CAR = Query("automobile", SearchMode.HYBRID, 3)


@pytest.fixture
def filled(desk: Desk, model: "WordModel", monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Notes of one chunk and two vectors each, embedded two chunks at a time when they are filled in."""
    monkeypatch.setattr(filling, "BATCH", 2)
    for number in range(NOTES - 1):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra {number}\n")
    desk.write("car.md", "# Driving\n\nThe car is red.\n")
    desk.ingest()
    model.take()
    return desk


def switch(desk: Desk, version: str = "v2") -> None:
    desk.flags["models.embedding.version"] = version


def stopped(desk: Desk, batches: int, **options: bool) -> IngestReport:
    """An ingest that someone stops after so many batches."""
    cancel = threading.Event()

    def events() -> Iterator[IngestEvent]:
        seen = 0
        for event in desk.app().ingest(ScopeRequest(), cancel=cancel, **options):
            seen += isinstance(event, EmbedBatchFinished)
            if seen == batches:
                cancel.set()
            yield event

    return report(events())


def state(desk: Desk) -> tuple[str, dict[str, int]]:
    """The version searches use, and the vectors of each."""
    with Store.reader(desk.index) as store:
        active = store.embeddings.active()
        assert active is not None
        models = store.embeddings.models()
        return active.identity.version, {
            model.identity.version: store.embeddings.table(model).count() for model in models
        }


def jobs(desk: Desk) -> list[Job]:
    return desk.app().list_jobs()


def found(desk: Desk) -> SearchResult:
    return desk.app().search(CAR)


def row(desk: Desk, name: str) -> Check:
    return next(check for check in desk.app().doctor().checks if check.name == name)


def files(desk: Desk) -> int:
    return len(list(desk.config.storage.vector_dir.glob("*.scan")))


# -- the way there


@pytest.mark.parametrize("change", [("version", "v2"), ("model", "other"), ("dimensions", 64)])
def test_another_model_is_filled_in_and_takes_over(
    filled: Desk, model: "WordModel", change: tuple[str, str | int]
) -> None:
    filled.flags[f"models.embedding.{change[0]}"] = change[1]
    report = filled.ingest()
    assert len(model.take()) == report.counts.embeddings_indexed == 2 * NOTES
    assert (report.counts.unchanged, report.counts.updated) == (NOTES, 0)
    with Store.reader(filled.index) as store:
        (only,) = store.embeddings.models()
        assert (store.embeddings.active(), only.identity) == (only, filled.config.embedding.identity())
    assert found(filled).hits[0].doc_path == "car.md"
    assert (found(filled).hint, files(filled)) == (None, 1)
    (job,) = jobs(filled)
    assert (job.status, job.done, job.total) == (JobStatus.SUCCEEDED, NOTES, NOTES)


def test_the_old_vectors_serve_until_the_new_ones_are_complete(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    before = found(filled)
    assert (before.hits[0].doc_path, before.degraded, before.embedding_model) == ("car.md", None, "use-multilingual-v3")
    assert "kebab ingest" in (before.hint or "")
    assert stopped(filled, 2).aborted
    assert state(filled) == ("v1", {"v1": 2 * NOTES, "v2": 8})
    meanwhile = found(filled)
    assert [(hit.doc_path, hit.score) for hit in meanwhile.hits] == [(hit.doc_path, hit.score) for hit in before.hits]
    assert meanwhile.degraded is None
    (job,) = jobs(filled)
    assert (job.status, job.done, job.total, job.finished_at) == (JobStatus.PENDING, 4, NOTES, None)


def test_the_next_ingest_goes_on_where_the_last_one_was_stopped(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    stopped(filled, 2)
    first = model.take()
    filled.ingest()
    second = model.take()
    assert (len(first), len(second), set(first) & set(second)) == (8, 4, set())
    assert state(filled) == ("v2", {"v2": 2 * NOTES})
    assert (found(filled).hits[0].doc_path, found(filled).hint, files(filled)) == ("car.md", None, 1)
    (job,) = jobs(filled)
    assert (job.status, job.done, job.total) == (JobStatus.SUCCEEDED, 2, 2)


def test_a_search_that_is_open_all_along_follows_the_switch(filled: Desk, model: "WordModel") -> None:
    reader = filled.app()
    before = reader.search(CAR)
    switch(filled)
    filled.ingest()
    after = reader.search(CAR)
    assert before.hits[0].doc_path == after.hits[0].doc_path == "car.md"
    assert model.questions == ["automobile", "automobile"]
    assert after.degraded is None


def test_new_and_changed_files_go_straight_to_the_new_model(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    filled.write("new.md", "# New\n\nokapi\n")
    filled.write("0.md", "# Note 0\n\nokapi\n", at=1_700_000_100)
    filled.ingest()
    texts = model.take()
    assert len(texts) == len(set(texts)) == 2 * (NOTES + 1)
    assert state(filled) == ("v2", {"v2": 2 * (NOTES + 1)})


def test_a_single_file_does_not_set_off_the_switch(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    filled.ingest_file(filled.write("new.md", "# New\n\nokapi\n"))
    assert len(model.take()) == 2
    assert state(filled) == ("v1", {"v1": 2 * NOTES, "v2": 2})
    filled.ingest()
    assert len(model.take()) == 2 * NOTES
    assert state(filled) == ("v2", {"v2": 2 * (NOTES + 1)})


def test_a_model_that_fails_on_the_way_leaves_the_old_one_in_charge(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    model.failure, model.good = ModelUnreachable("nobody there"), 4
    assert "nobody there" in filled.ingest().warnings[0]
    model.failure = None
    assert state(filled) == ("v1", {"v1": 2 * NOTES, "v2": 4})
    assert found(filled).hits[0].doc_path == "car.md"
    filled.ingest()
    assert state(filled) == ("v2", {"v2": 2 * NOTES})


# -- and back


def test_the_old_vectors_can_be_kept_and_used_again(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    filled.ingest(keep_old=True)
    assert state(filled) == ("v2", {"v1": 2 * NOTES, "v2": 2 * NOTES})
    model.take()
    switch(filled, "v1")
    filled.ingest(keep_old=True)
    assert model.take() == []
    assert state(filled) == ("v1", {"v1": 2 * NOTES, "v2": 2 * NOTES})


def test_a_change_of_mind_midway_costs_nothing_and_leaves_no_job_open(filled: Desk, model: "WordModel") -> None:
    switch(filled)
    stopped(filled, 1)
    model.take()
    switch(filled, "v1")
    filled.ingest()
    assert model.take() == []
    assert state(filled) == ("v1", {"v1": 2 * NOTES})
    assert [job.status for job in jobs(filled)] == [JobStatus.CANCELED]


def test_a_job_whose_chunks_went_is_not_left_open(filled: Desk) -> None:
    switch(filled)
    stopped(filled, 2)
    with Store.reader(filled.index) as store:
        (_, new) = store.embeddings.models()
        missing = {chunk.title for chunk in store.embeddings.unembedded(new.model_key, 10)}
    for file in filled.root.glob("*.md"):
        if any(title in file.read_text() for title in missing):
            file.unlink()
    filled.ingest()
    assert state(filled) == ("v2", {"v2": 8})
    assert [job.status for job in jobs(filled)] == [JobStatus.SUCCEEDED]


# -- what is told of it


def test_the_doctor_tells_how_far_the_switch_is(filled: Desk, model: "WordModel") -> None:
    assert row(filled, "vectors_complete") == Check("vectors_complete", ok=True, detail=f"{2 * NOTES} vectors")
    switch(filled)
    waiting = row(filled, "vectors_complete")
    assert (waiting.ok, waiting.hint) == (False, "kebab ingest")
    assert "@v1" in waiting.detail
    assert "@v2" in waiting.detail
    stopped(filled, 1)
    assert row(filled, "vectors_complete") == waiting
    filled.ingest()
    assert row(filled, "vectors_complete").ok
    assert row(filled, "vector_engine") == Check("vector_engine", ok=True, detail="scan")


def test_the_doctor_tells_what_is_missing_and_what_does_not_answer(filled: Desk, model: "WordModel") -> None:
    filled.flags["models.embedding.provider"] = "none"
    filled.write("new.md", "# New\n\nokapi\n")
    filled.ingest()
    assert row(filled, "embedding_model").detail == "none: searches are by words only"
    filled.flags["models.embedding.provider"] = "builtin"
    missing = row(filled, "vectors_complete")
    assert (missing.ok, missing.detail, missing.hint) == (False, "1 chunks have no vectors", "kebab ingest")
    model.failure = ModelUnreachable("nobody there", hint="start it")
    silent = row(filled, "embedding_model")
    assert (silent.ok, silent.detail, silent.hint) == (False, "nobody there", "start it")
    assert not filled.app().doctor().ok


def test_the_doctor_mends_files_that_were_derived(filled: Desk) -> None:
    (file,) = filled.config.storage.vector_dir.glob("*.scan")
    file.write_bytes(b"nonsense")
    broken = row(filled, "vector_engine")
    assert (broken.ok, broken.hint) == (False, "kebab doctor --repair")
    assert filled.app().doctor(repair=True).repaired == (f"vector files rebuilt from {2 * NOTES} vectors",)
    assert row(filled, "vector_engine").ok
    assert filled.app().doctor(repair=True).repaired == ()


# -- without vectors


def test_a_reset_of_vectors_leaves_the_words_and_the_next_ingest_makes_them_anew(
    filled: Desk, model: "WordModel"
) -> None:
    done = filled.app().reset("vector_only")
    assert (done.scope, done.embedding_rows_truncated, len(done.removed_paths)) == ("vector_only", 2 * NOTES, 1)
    assert (files(filled), filled.found("zebra") != []) == (0, True)
    assert row(filled, "vectors_complete").detail == "the index holds no vectors"
    degraded = found(filled)
    assert (degraded.mode, degraded.embedding_model, degraded.hits) == (SearchMode.LEXICAL, None, ())
    assert degraded.degraded == "the index holds no vectors yet; searched by words only"
    assert filled.ingest().counts.unchanged == NOTES
    assert len(model.take()) == 2 * NOTES
    assert (found(filled).hits[0].doc_path, files(filled)) == ("car.md", 1)


def test_one_app_survives_a_reset_of_its_vectors(filled: Desk) -> None:
    app = filled.app()
    assert app.search(CAR).hits[0].doc_path == "car.md"
    app.reset("vector_only")
    assert app.search(CAR).degraded is not None
    report(app.ingest(ScopeRequest()))
    after = app.search(CAR)
    assert (after.hits[0].doc_path, after.degraded) == ("car.md", None)


def test_a_reset_of_vectors_without_an_index_makes_none(desk: Desk, model: "WordModel") -> None:
    assert desk.app().reset("vector_only").embedding_rows_truncated == 0
    assert not desk.index.exists()
