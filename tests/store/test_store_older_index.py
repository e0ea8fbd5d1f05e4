"""An index that was made before there were vectors: readable as it is, and brought up to date by the next writer."""

from pathlib import Path

import pytest
from store_bench import Index
from vector_bench import adopt, fill

from kebab.core.query import Filters
from kebab.store.connection import SCHEMA_VERSION
from kebab.store.store import Store
from older_index import made_older

NOTES = {"a.md": "# Alpha\n\nfirst words\n", "b.md": "# Beta\n\n둘째 낱말\n"}


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A database with nothing but the first migration applied."""
    path = tmp_path / "kebab.sqlite"
    with Store.writer(path) as store:
        index = Index(path, store)
        for name, text in NOTES.items():
            index.put(name, text)
    made_older(path, 1)
    return path


def content(store: Store) -> object:
    rows = list(store.shelf.rows(Filters()))
    return rows, [store.contents.chunks_of(row.doc_key) for row in rows], store.runs.counts()


def tables(store: Store) -> set[str]:
    return {name for (name,) in store._db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_it_is_read_without_being_changed(older: Path) -> None:
    before = older.read_bytes()
    with Store.reader(older) as store:
        assert (store.schema_version, store.has_vectors) == (1, False)
        assert [row.workspace_path for row in store.shelf.rows(Filters())] == ["a.md", "b.md"]
        index = Index(older, store)
        assert (index.search("words"), index.search("낱말")) == (["a.md"], ["b.md"])
        full = store.fulltext
        question = full.analyse("first words")
        assert full.ceiling(question) >= max(full.score(question, [1, 2]).values()) > 0
    assert older.read_bytes() == before


def test_the_next_writer_keeps_everything_and_adds_the_tables(older: Path) -> None:
    with Store.reader(older) as store:
        before, known, revision = content(store), tables(store), store.runs.corpus_revision()
    with Store.writer(older) as store:
        assert (store.schema_version, store.has_vectors) == (SCHEMA_VERSION, True)
        assert content(store) == before
        assert store.runs.corpus_revision() == revision
        assert tables(store) - known >= {
            "embedding_models",
            "embeddings",
            "embedding_records",
            "removed_records",
            "jobs",
        }
        assert known <= tables(store)
        assert (store.health.database(), store.health.full_text()) == (None, None)
        assert Index(older, store).search("words") == ["a.md"]
        assert (store.embeddings.active(), store.embeddings.models(), store.jobs.list()) == (None, [], [])


def test_its_chunks_get_vectors_like_any_others(older: Path) -> None:
    with Store.writer(older) as store:
        index = Index(older, store)
        model = adopt(index)
        chunks = store.embeddings.unembedded(model.model_key, 10)
        assert [chunk.title for chunk in chunks] == ["Alpha", "Beta"]
        fill(index, model, chunks)
        assert store.embeddings.table(model).count() == 4


def test_each_index_that_is_brought_up_gets_an_id_of_its_own(older: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.sqlite"
    twin.write_bytes(older.read_bytes())
    ids = []
    for path in (older, twin, older):
        with Store.writer(path) as store:
            ids.append(store.runs.meta("index_id"))
    assert ids[0] == ids[2]
    assert ids[0] != ids[1]
