"""An ingest embeds each text once, whatever happens to the files it stands in."""

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from app_bench import Desk, report

from kebab.app import filling, process
from kebab.app.scope import ScopeRequest
from kebab.core.errors import ModelInvalid, ModelUnreachable
from kebab.core.events import AssetFinished, IngestEvent
from kebab.core.job import JobStatus
from kebab.core.query import Query, SearchMode
from kebab.store.store import Store

if TYPE_CHECKING:
    from word_embedder import WordModel

LATER = 1_700_000_100
NOTE = "# Pets\n\nThe cat sleeps.\n\n## Food\n\nFish and milk.\n"


def vectors(desk: Desk) -> tuple[int, int]:
    """Records of the active model, and chunks that have none."""
    with Store.reader(desk.index) as store:
        active = store.embeddings.active()
        assert active is not None
        return store.embeddings.table(active).count(), store.embeddings.count_unembedded(active.model_key)


# -- once


def test_an_ingest_embeds_passages_under_their_title_and_headings(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    found = desk.ingest()
    assert model.take() == [
        "Pets\n# Pets\n\nThe cat sleeps.",
        "Pets",
        "Pets\n## Food\n\nFish and milk.",
        "Pets > Food",
    ]
    assert (found.counts.chunks_indexed, found.counts.embeddings_indexed, found.warnings) == (2, 4, ())
    assert vectors(desk) == (4, 0)


def test_a_very_long_document_is_embedded_after_it_was_stored(
    desk: Desk, model: "WordModel", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MOST_EMBEDDED_AT_ONCE", 1)
    desk.write("a.md", NOTE)
    kinds = [event.kind for event in desk.app().ingest(ScopeRequest())]
    assert kinds.index("asset_finished") < kinds.index("embed_batch_started") < kinds.index("embed_batch_finished")
    assert vectors(desk) == (4, 0)
    model.take()
    assert desk.ingest(force=True).counts.embeddings_indexed == 4
    assert model.take() == []


# Once more at the end of every ingest.
@pytest.mark.parametrize(("limit", "releases"), [("LARGE_BYTES", 2), ("LARGE_TEXT", 2), (None, 1)])
def test_the_model_makes_room_for_a_large_file(
    desk: Desk, model: "WordModel", monkeypatch: pytest.MonkeyPatch, limit: str | None, releases: int
) -> None:
    if limit is not None:
        monkeypatch.setattr(process, limit, 2 * len(NOTE))
    desk.write("a.md", NOTE)
    desk.write("b.md", NOTE.replace("Fish", "Fish " * 30))
    desk.ingest()
    assert model.releases == releases
    assert vectors(desk)[1] == 0


def test_a_second_ingest_embeds_nothing(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    desk.ingest()
    model.take()
    assert desk.ingest().counts.embeddings_indexed == 0
    desk.ingest(force=True)
    assert model.take() == []
    assert vectors(desk) == (4, 0)


def test_a_file_that_is_moved_or_copied_costs_nothing(desk: Desk, model: "WordModel") -> None:
    file = desk.write("a.md", NOTE)
    desk.ingest()
    model.take()
    file.rename(desk.root / "moved.md")
    desk.ingest()
    desk.write("copy.md", NOTE)
    desk.ingest()
    assert model.take() == []
    assert vectors(desk) == (8, 0)


def test_a_file_that_is_removed_and_comes_back_costs_nothing(desk: Desk, model: "WordModel") -> None:
    file = desk.write("a.md", NOTE)
    desk.write("b.md", "# Other\n\nwords\n")
    desk.ingest()
    file.unlink()
    desk.ingest()
    assert vectors(desk) == (2, 0)
    model.take()
    desk.write("a.md", NOTE)
    desk.ingest()
    assert model.take() == []
    assert vectors(desk) == (6, 0)


def test_a_changed_line_costs_the_text_it_stands_in(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    desk.ingest()
    model.take()
    desk.write("a.md", NOTE.replace("milk", "cream"), at=LATER)
    desk.ingest()
    assert model.take() == ["Pets\n## Food\n\nFish and cream."]
    assert vectors(desk) == (4, 0)


def test_a_single_file_is_embedded_too(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    desk.ingest()
    model.take()
    desk.ingest_text("Dogs bark.", "Dogs")
    assert any("Dogs bark." in text for text in model.take())
    assert vectors(desk)[1] == 0


def test_a_dry_run_embeds_and_writes_nothing(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    desk.ingest(dry_run=True)
    assert (model.take(), desk.index.exists()) == ([], False)
    desk.flags["models.embedding.provider"] = "none"
    desk.ingest()
    desk.flags["models.embedding.provider"] = "builtin"
    desk.write("b.md", NOTE)
    desk.ingest(dry_run=True)
    assert model.take() == []
    with Store.reader(desk.index) as store:
        assert store.embeddings.models() == []


def test_without_a_model_nothing_is_embedded_and_one_that_comes_later_catches_up(
    desk: Desk, model: "WordModel"
) -> None:
    desk.flags["models.embedding.provider"] = "none"
    desk.write("a.md", NOTE)
    found = desk.ingest()
    assert (model.take(), found.counts.embeddings_indexed, found.warnings) == ([], 0, ())
    desk.flags["models.embedding.provider"] = "builtin"
    assert desk.ingest().counts.embeddings_indexed == 4
    assert len(model.take()) == 4
    assert vectors(desk) == (4, 0)


# -- when the model fails


def test_a_model_that_fails_midway_keeps_no_document_out(desk: Desk, model: "WordModel") -> None:
    for number in range(4):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra {number}\n")
    model.failure, model.good = ModelUnreachable("nobody there", hint="start it"), 4
    found = desk.ingest()
    assert (found.counts.new, found.counts.errors, found.counts.embeddings_indexed) == (4, 0, 4)
    assert found.warnings == (
        "indexed by words only: nobody there (start it); the next `kebab ingest` adds the vectors",
    )
    assert sorted(desk.found("zebra")) == ["0.md", "1.md", "2.md", "3.md"]
    assert vectors(desk) == (4, 2)
    model.take()
    model.failure = None
    assert desk.ingest().counts.embeddings_indexed == 4
    assert [text for text in model.take() if "zebra" in text] == [f"Note {n}\n# Note {n}\n\nzebra {n}" for n in (2, 3)]
    assert vectors(desk) == (8, 0)


def test_a_model_that_failed_is_not_asked_again_in_the_same_run(desk: Desk, model: "WordModel") -> None:
    for number in range(5):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra\n")
    model.failure = ModelInvalid("no numbers")
    desk.ingest()
    assert model.calls == 1
    assert vectors(desk) == (0, 5)
    jobs = desk.app().list_jobs()
    assert [(job.status, job.error) for job in jobs] == [(JobStatus.FAILED, "no numbers")]


def test_a_model_that_cannot_be_made_keeps_no_document_out(desk: Desk, model: "WordModel") -> None:
    desk.write("a.md", NOTE)
    model.refusal = ModelInvalid("no such folder", hint="kebab models list")
    found = desk.ingest()
    assert found.counts.new == 1
    assert "no such folder (kebab models list)" in found.warnings[0]
    assert desk.found("fish") == ["a.md"]
    model.refusal = None
    desk.ingest()
    assert vectors(desk) == (4, 0)


def test_a_fault_while_missing_vectors_are_filled_in_is_told_and_mended_by_the_next_run(
    desk: Desk, model: "WordModel", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 1)
    desk.flags["models.embedding.provider"] = "none"
    desk.write("a.md", NOTE)
    desk.ingest()
    desk.flags["models.embedding.provider"] = "builtin"
    model.failure, model.good = ModelUnreachable("nobody there"), 2
    assert "nobody there" in desk.ingest().warnings[0]
    assert vectors(desk) == (2, 1)
    (job,) = desk.app().list_jobs()
    assert (job.status, job.error, job.done, job.total) == (JobStatus.FAILED, "nobody there", 1, 2)
    model.failure = None
    model.take()
    assert desk.ingest().warnings == ()
    assert len(model.take()) == 2
    assert vectors(desk) == (4, 0)
    assert [job.status for job in desk.app().list_jobs()].count(JobStatus.SUCCEEDED) == 1


# -- when someone stops it


def test_a_run_that_is_stopped_between_files_keeps_what_it_has(desk: Desk, model: "WordModel") -> None:
    for number in range(4):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra {number}\n")
    cancel = threading.Event()

    def stopping() -> Iterator[IngestEvent]:
        for event in desk.app().ingest(ScopeRequest(), cancel=cancel):
            if isinstance(event, AssetFinished) and event.idx == 2:
                cancel.set()
            yield event

    found = report(stopping())
    assert found.aborted
    assert vectors(desk) == (4, 0)
    model.take()
    desk.ingest()
    assert len(model.take()) == 4
    assert vectors(desk) == (8, 0)
    assert desk.app().search(Query("zebra", SearchMode.HYBRID, 10)).degraded is None
