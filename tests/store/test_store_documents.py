from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from store_bench import make, placement

from kebab.core.asset import FileStamp, FoundFile
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.errors import IndexLocked, IoFailure
from kebab.store.documents import Documents

if TYPE_CHECKING:
    from store_bench import Index

NOTE = "---\ntags: [one, two]\n---\n\n# 제목\n\n한국어 문장이다.\n\n## Part\n\nEnglish words.\n"
NOTHING = dict.fromkeys(
    "assets documents document_texts document_tags blocks chunks chunks_fts_docsize chunks_grams_docsize".split(), 0
)


def revision(index: "Index") -> int:
    return index.store.runs.corpus_revision()


def test_a_document_brings_everything_that_belongs_to_it(index: "Index") -> None:
    made = index.put("a.md", NOTE)
    assert index.counts() == {
        "assets": 1,
        "documents": 1,
        "document_texts": 1,
        "document_tags": 2,
        "blocks": len(made.document.blocks),
        "chunks": 2,
        "chunks_fts_docsize": 2,
        # Both chunks have a Korean heading above them.
        "chunks_grams_docsize": 2,
    }


def test_a_document_takes_everything_along_when_it_goes(index: "Index") -> None:
    index.put("a.md", NOTE)
    assert index.store.documents.drop("a.md")
    assert index.counts() == NOTHING
    assert index.search("한국어 English") == []


def test_dropping_what_is_not_there_changes_nothing(index: "Index") -> None:
    index.put("a.md", NOTE)
    before = index.counts(), revision(index)
    assert not index.store.documents.drop("b.md")
    assert (index.counts(), revision(index)) == before


def test_a_document_replaces_what_was_at_its_path(index: "Index") -> None:
    index.put("a.md", NOTE)
    made = index.put("a.md", "# Other\n\nquite different\n")
    assert index.counts() == {
        **dict.fromkeys(("assets", "documents", "document_texts", "blocks"), 1),
        "blocks": 2,
        "chunks": 1,
        "chunks_fts_docsize": 1,
        "chunks_grams_docsize": 0,
        "document_tags": 0,
    }
    assert index.search("different") == ["a.md"]
    assert index.search("한국어") == []
    (row,) = index.store.shelf.find("a.md")
    assert (row.doc_id, row.asset_id) == (made.document.doc_id, made.asset.asset_id)


def test_replacing_is_one_operation(index: "Index") -> None:
    """Whoever looks at any moment sees one document at the path: the old one, then the new one."""
    index.put("a.md", NOTE)
    seen: list[int] = []
    index.database.connection.set_commit_hook(lambda: seen.append(1) or False)
    before = revision(index)
    index.put("a.md", "# Other\n")
    index.database.connection.set_commit_hook(None)
    assert len(seen) == 1
    assert revision(index) == before + 1


def test_versions_of_a_path_count_up(index: "Index") -> None:
    for text in ("one\n", "two\n", "three\n"):
        index.put("a.md", text)
    assert index.database.scalar("SELECT doc_version FROM documents") == 3
    index.store.documents.drop("a.md")
    index.put("a.md", "anew\n")
    assert index.database.scalar("SELECT doc_version FROM documents") == 1


def test_twins_share_an_asset_until_the_last_one_goes(index: "Index") -> None:
    first, second = index.put("a.md", NOTE), index.put("b/a.md", NOTE)
    assert first.asset.asset_id == second.asset.asset_id
    assert first.document.doc_id != second.document.doc_id
    assert (index.count("assets"), index.count("documents"), index.count("chunks")) == (1, 2, 4)
    index.store.documents.drop("a.md")
    assert (index.count("assets"), index.count("documents"), index.count("chunks")) == (1, 1, 2)
    assert index.search("한국어") == ["b/a.md"]
    index.store.documents.drop("b/a.md")
    assert index.counts() == NOTHING


def test_the_twin_that_stays_takes_over_the_place_of_the_asset(index: "Index") -> None:
    index.put("a.md", NOTE)
    index.put("b.md", NOTE)
    index.put("c.md", NOTE)
    place = "SELECT workspace_path, storage_kind, storage_path FROM assets"
    assert index.database.rows(place) == [("a.md", "reference", "/kb/a.md")]
    index.store.documents.drop("b.md")
    assert index.database.rows(place) == [("a.md", "reference", "/kb/a.md")]
    index.store.documents.drop("a.md")
    assert index.database.rows(place) == [("c.md", "reference", "/kb/c.md")]


def test_a_changed_twin_leaves_the_asset_to_the_other(index: "Index") -> None:
    index.put("a.md", NOTE)
    index.put("b.md", NOTE)
    index.put("a.md", "changed\n")
    assert (index.count("assets"), index.count("documents")) == (2, 2)
    index.put("b.md", "changed\n")
    assert (index.count("assets"), index.count("documents")) == (1, 2)


def elsewhere(stamp: FileStamp) -> FoundFile:
    return FoundFile("default", Path("/elsewhere/a.md"), "a.md", "markdown", stamp)


def test_the_revision_moves_with_every_change_and_with_nothing_else(index: "Index") -> None:
    assert revision(index) == 0
    index.put("a.md", NOTE)
    assert revision(index) == 1
    index.put("a.md", NOTE)
    assert revision(index) == 2
    index.store.documents.touch(elsewhere(FileStamp(1, 2, 3)))
    assert revision(index) == 2
    index.store.documents.drop("a.md")
    assert revision(index) == 3
    index.store.documents.drop("a.md")
    assert revision(index) == 3


def test_touching_moves_the_stamp_and_leaves_everything_else(index: "Index") -> None:
    index.put("a.md", NOTE)
    index.put("b.md", "beta\n")
    before = index.database.rows("SELECT * FROM documents ORDER BY doc_key")
    index.store.documents.touch(elsewhere(FileStamp(11, 22, 33)))
    known = index.store.shelf.known("default")["a.md"]
    assert (known.file_path, known.stamp) == ("/elsewhere/a.md", FileStamp(11, 22, 33))
    columns = [name for name, *_ in index.database.connection.execute("SELECT * FROM documents").get_description()]
    changed = [
        {column for column, old, new in zip(columns, was, now, strict=True) if old != new}
        for was, now in zip(before, index.database.rows("SELECT * FROM documents ORDER BY doc_key"), strict=True)
    ]
    assert changed == [{"file_path", "file_size", "file_mtime_ns", "file_inode"}, set()]


@pytest.mark.parametrize("known_before", [False, True])
def test_a_failure_in_the_middle_leaves_nothing_behind(index: "Index", known_before: bool) -> None:
    if known_before:
        index.put("a.md", NOTE)
    before = index.counts(), revision(index), index.search("한국어")
    made = make("a.md", "# One\n\nfirst\n\n# Two\n\nsecond\n")
    calls: list[Any] = []

    def fail_at_second(key: int, chunk: Chunk, title: str) -> None:
        calls.append(key)
        index.store.fulltext.put(key, chunk, title)
        if len(calls) == 2:
            raise RuntimeError("the disk is full")

    documents = Documents(index.database, fail_at_second)
    with pytest.raises(RuntimeError, match="full"):
        documents.put(made.asset, made.document, made.chunks, placement("a.md"))
    assert len(calls) == 2
    assert (index.counts(), revision(index), index.search("한국어")) == before
    assert index.search("second") == []
    documents = Documents(index.database, index.store.fulltext.put)
    documents.put(made.asset, made.document, made.chunks, placement("a.md"))
    assert index.search("second") == ["a.md"]


def test_a_full_disk_is_an_io_failure_that_leaves_nothing_behind(index: "Index") -> None:
    index.put("a.md", NOTE)
    before = index.counts(), revision(index)
    pages = index.database.scalar("PRAGMA page_count")
    index.database.run(f"PRAGMA max_page_count={pages + 2}")
    large = "".join(f"# Section {number}\n\nwords {number * 7919}\n\n" for number in range(500))
    with pytest.raises(IoFailure, match="full"):
        index.put("b.md", large)
    assert (index.counts(), revision(index)) == before
    assert index.store.health.database() is None
    assert index.store.health.full_text() is None
    index.database.run("PRAGMA max_page_count=1000000")
    index.put("b.md", large)
    assert index.count("documents") == 2


def test_an_index_in_use_is_said_to_be_locked(index: "Index") -> None:
    index.database.connection.set_busy_timeout(0)
    other = apsw.Connection(str(index.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(IndexLocked):
        index.put("a.md", NOTE)
    other.execute("ROLLBACK")
    other.close()
    assert index.counts() == NOTHING
    index.put("a.md", NOTE)


def test_an_asset_in_use_cannot_be_removed(index: "Index") -> None:
    index.put("a.md", NOTE)
    with pytest.raises(apsw.ConstraintError):
        index.database.run("DELETE FROM assets")


def test_a_copy_is_remembered_with_its_place(index: "Index") -> None:
    index.put("a.md", "alpha\n", storage_path="/data/assets/ab/cd")
    index.put("b.md", "beta\n")
    rows = index.database.rows("SELECT storage_kind, storage_path FROM assets ORDER BY workspace_path")
    assert rows == [("copied", "/data/assets/ab/cd"), ("reference", "/kb/b.md")]


def test_an_empty_note_is_a_document_without_chunks(index: "Index") -> None:
    index.put("empty.md", "")
    assert index.counts() == {**NOTHING, "assets": 1, "documents": 1, "document_texts": 1}
    assert index.store.contents.source_text(index.key("empty.md")) == ""
    assert index.store.contents.chunks_of(index.key("empty.md")) == ()


def test_the_times_of_a_document_are_its_own_and_ours(index: "Index") -> None:
    index.put("a.md", "---\ncreated: 2019-05-06\n---\nalpha\n")
    (row,) = index.store.shelf.find("a.md")
    assert row.created_at == "2019-05-06T00:00:00Z"
    assert row.updated_at > "2024"


def test_known_files_are_those_of_one_source(index: "Index") -> None:
    made = index.put("a.md", NOTE, fresh_key="k" * 32)
    index.put("@work/a.md", NOTE, source_id="work", standalone=True)
    known = index.store.shelf.known("default")
    assert set(known) == {"a.md"}
    file = known["a.md"]
    assert (file.doc_id, file.asset_id) == (made.document.doc_id, made.asset.asset_id)
    assert (file.fresh_key, file.file_path, file.standalone, file.chunk_count) == ("k" * 32, "/kb/a.md", False, 2)
    assert index.store.shelf.known("work")["@work/a.md"].standalone
    assert index.store.shelf.known("elsewhere") == {}


def test_a_document_is_found_by_id_prefix_and_path(index: "Index") -> None:
    made = index.put("notes/a.md", NOTE)
    index.put("notes/b.md", "beta\n")
    for reference in (made.document.doc_id, made.document.doc_id[:8], "notes/a.md"):
        assert [row.workspace_path for row in index.store.shelf.find(reference)] == ["notes/a.md"]
    assert index.store.shelf.find(made.document.doc_id[:5]) == []
    assert index.store.shelf.find("") == []
    for reference in ("' OR 1=1 --", "*", "??????", "[0-9a-f]*", f"{made.document.doc_id[:6]}*", "notes/*"):
        assert index.store.shelf.find(reference) == [], reference


def test_a_path_that_is_also_the_beginning_of_an_id_is_the_path(index: "Index") -> None:
    made = index.put("a.md", NOTE)
    index.put(made.document.doc_id[:8], "beta\n")
    assert [row.workspace_path for row in index.store.shelf.find(made.document.doc_id[:8])] == [
        made.document.doc_id[:8]
    ]


def test_many_chunks_keep_their_order(index: "Index") -> None:
    text = "".join(f"# Section {number}\n\nwords of {number}\n\n" for number in range(40))
    made = index.put("a.md", text, policy=ChunkPolicy())
    assert index.store.contents.chunks_of(index.key("a.md")) == tuple(made.chunks)
