"""What vectors there are, told truly through changes of notes, models and files, and the derived files made anew."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stand_in_embedder import AxisEmbedder

from kebab.app import assemble
from kebab.core.embedding import EmbeddingModel
from kebab.core.errors import IndexLocked, NotIndexed, ReadonlyMode
from kebab.core.inspection import ModelVectors, VectorStatus
from kebab.store import connection
from kebab.store.lock import WriterLock
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

BUILTIN = EmbeddingModel("builtin", "use-multilingual-v3", "v1", 512)
OTHER = EmbeddingModel("builtin", "use-multilingual-v3", "v2", 512)


@pytest.fixture
def filled(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> "Desk":
    """Three notes of one chunk each: a passage and a heading, so two vectors."""
    monkeypatch.setattr(assemble, "embedder_for", AxisEmbedder)
    desk.flags["models.embedding.provider"] = "builtin"
    for number in range(3):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra {number}\n")
    desk.ingest()
    return desk


def status(desk: "Desk") -> VectorStatus:
    return desk.app().vector_status()


def derived(desk: "Desk") -> Path:
    (file,) = desk.config.storage.vector_dir.glob("*.scan")
    return file


def made(desk: "Desk") -> tuple[int, int]:
    """Which file it is and when it was written; when it was read is no matter."""
    file = derived(desk).stat()
    return file.st_ino, file.st_mtime_ns


def test_a_filled_index_has_a_vector_for_everything(filled: "Desk") -> None:
    found = status(filled)
    assert (found.engine, found.active, found.configured) == ("scan", BUILTIN, BUILTIN)
    assert (found.vectors, found.chunks_without_vectors, found.unused_vectors) == (6, 0, 0)
    assert found.models == (ModelVectors(BUILTIN, active=True, vectors=6),)
    assert found.file_bytes == derived(filled).stat().st_size
    assert (found.problem, found.rebuilt) == (None, None)


def test_texts_that_went_leave_their_vectors_unused(filled: "Desk") -> None:
    (filled.root / "1.md").unlink()
    filled.ingest()
    found = status(filled)
    assert (found.vectors, found.unused_vectors, found.problem) == (4, 2, None)


def test_another_model_lacks_every_vector_until_it_is_ingested(filled: "Desk") -> None:
    filled.flags["models.embedding.version"] = "v2"
    before = status(filled)
    assert (before.active, before.configured, before.chunks_without_vectors) == (BUILTIN, OTHER, 3)
    filled.ingest(keep_old=True)
    after = status(filled)
    assert (after.active, after.chunks_without_vectors) == (OTHER, 0)
    assert [(model.identity, model.active) for model in after.models] == [(BUILTIN, False), (OTHER, True)]


def test_without_a_configured_model_the_active_one_is_counted(filled: "Desk") -> None:
    filled.flags["models.embedding.provider"] = "none"
    filled.write("new.md", "# New\n\nokapi\n")
    filled.ingest()
    found = status(filled)
    assert (found.configured, found.active, found.chunks_without_vectors) == (None, BUILTIN, 1)


def test_an_index_of_words_only_has_none(desk: "Desk") -> None:
    desk.write("a.md", "zebra\n")
    desk.ingest()
    found = status(desk)
    assert (found.active, found.models, found.vectors, found.chunks_without_vectors) == (None, (), 0, 1)
    assert (found.file_bytes, found.problem) == (0, None)
    assert desk.app().rebuild_vectors().rebuilt == 0


@pytest.mark.parametrize("harm", ["lost", "changed"])
def test_harm_to_the_derived_file_is_told_and_mended_by_a_rebuild(filled: "Desk", harm: str) -> None:
    file = derived(filled)
    whole = file.read_bytes()
    if harm == "lost":
        file.unlink()
    else:
        file.write_bytes(whole[:-40] + b"\xff" * 40)
    assert status(filled).problem
    rebuilt = filled.app().rebuild_vectors()
    assert (rebuilt.rebuilt, rebuilt.problem, rebuilt.vectors) == (6, None, 6)
    assert file.read_bytes() == whole
    assert status(filled).problem is None


def test_a_rebuild_covers_every_model_and_forgets_what_was_removed(filled: "Desk") -> None:
    filled.flags["models.embedding.version"] = "v2"
    filled.ingest(keep_old=True)
    (filled.root / "1.md").unlink()
    filled.ingest(keep_old=True)
    with Store.reader(filled.index) as store:
        models = store.embeddings.models()
        assert [len(store.embeddings.table(model).removed()) for model in models] == [2, 2]
    assert filled.app().rebuild_vectors().rebuilt == 8
    with Store.reader(filled.index) as store:
        assert [store.embeddings.table(model).removed() for model in models] == [[], []]


def test_a_rebuild_wants_the_writer_lock_and_a_writable_app(filled: "Desk") -> None:
    before = made(filled)
    with WriterLock(filled.config.storage.lock), pytest.raises(IndexLocked):
        filled.app().rebuild_vectors()
    with pytest.raises(ReadonlyMode):
        filled.app(readonly=True).rebuild_vectors()
    assert filled.app(readonly=True).vector_status().problem is None
    assert made(filled) == before


def test_without_an_index_there_is_no_status_and_a_rebuild_makes_none(desk: "Desk") -> None:
    for ask in (desk.app().vector_status, desk.app().rebuild_vectors):
        with pytest.raises(NotIndexed):
            ask()
    assert not (desk.home / "data").exists()


def test_an_index_from_before_vectors_says_what_brings_them(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    first = connection.migrations()[0]
    with monkeypatch.context() as patched:
        patched.setattr(connection, "migrations", lambda: [first])
        desk.index.parent.mkdir(mode=0o700)
        connection.open_writer(desk.index).close()
    with pytest.raises(NotIndexed) as caught:
        status(desk)
    assert caught.value.hint == "run `kebab ingest`"
    assert desk.app().list_jobs() == []
