"""What a document may be called, what may not be reached by any name, and what is told when its file has changed."""

import unicodedata
from typing import TYPE_CHECKING

import apsw
import pytest
from fetch_bench import LATER, chunks, fetch, write_notes

from kebab.core.errors import ChunkNotFound, DocNotFound, InvalidInput, NotIndexed
from kebab.core.fetching import FetchKind, FetchRequest
from kebab.core.query import Freshness

if TYPE_CHECKING:
    from app_bench import Desk

CHUNK, DOC, SPAN, PAGE = FetchKind


@pytest.fixture
def notes(desk: "Desk") -> "Desk":
    return write_notes(desk)


def test_a_document_goes_by_its_id_the_beginning_of_it_and_any_spelling_of_its_path(notes: "Desk") -> None:
    wanted = notes.rows()["쌀/현미 밥.md"].doc_id
    decomposed = unicodedata.normalize("NFD", "쌀/현미 밥.md")
    for name in (wanted, wanted[:6], "쌀/현미 밥.md", "./쌀//현미 밥.md", decomposed, "쌀/현미%20밥.md#L1"):
        assert fetch(notes, DOC, name).doc_id == wanted, name
    assert fetch(notes, DOC, "a#b.md").text == "# Sharp\n"


@pytest.mark.parametrize(
    "name", ["", "/parts.md", "../kb/parts.md", "../../etc/passwd", "/etc/passwd", "parts", "??????", "[0-9a-f]*"]
)
def test_only_what_is_in_the_index_can_be_named(notes: "Desk", name: str) -> None:
    notes.write("secret.txt", "not indexed", root=notes.home)
    for kind in (DOC, SPAN, PAGE):
        with pytest.raises(DocNotFound):
            fetch(notes, kind, name, start=1, end=1, page=1)
    with pytest.raises(ChunkNotFound):
        fetch(notes, CHUNK, name)
    with pytest.raises(DocNotFound):
        fetch(notes, SPAN, str(notes.home / "secret.txt"), start=1, end=1)


def test_the_beginning_of_several_ids_is_refused_with_their_names(desk: "Desk") -> None:
    for number in range(40):
        desk.write(f"n{number}.md", f"# Note {number}\n\nwords {number}\n")
    desk.ingest()
    # Ids with six equal digits are too rare to wait for, so that two are made.
    database = apsw.Connection(str(desk.index))
    for key, (doc,) in enumerate(database.execute("SELECT doc_id FROM documents LIMIT 2").fetchall()):
        database.execute("UPDATE documents SET doc_id = ? WHERE doc_id = ?", (f"abcdef{key}{doc[7:]}", doc))
    database.close()
    with pytest.raises(InvalidInput, match="fits several documents") as caught:
        fetch(desk, DOC, "abcdef")
    candidates = caught.value.details["candidates"]
    assert isinstance(candidates, list)
    assert sorted(each[:7] for each in candidates) == ["abcdef0", "abcdef1"]
    assert all(each.rsplit(maxsplit=1)[1] in caught.value.message for each in candidates)
    assert fetch(desk, DOC, "abcdef1").doc_id.startswith("abcdef1")


def test_the_text_is_that_of_the_index_and_the_state_of_the_file_is_told(notes: "Desk") -> None:
    file = notes.write("parts.md", "# Other\n", at=LATER)
    changed = fetch(notes, SPAN, "parts.md", start=1, end=1)
    assert (changed.text, changed.freshness) == ("## Part 0", Freshness.CHANGED)
    file.unlink()
    assert fetch(notes, DOC, "parts.md").freshness is Freshness.MISSING
    assert fetch(notes, DOC, "empty.md").freshness is Freshness.FRESH


def test_a_replaced_document_keeps_its_path_and_loses_its_ids(notes: "Desk") -> None:
    app = notes.app()
    before = app.fetch(FetchRequest(DOC, "parts.md"))
    part = chunks(notes)[0]
    notes.write("parts.md", "# Anew\n\nOther words.\n", at=LATER)
    notes.ingest()
    assert app.fetch(FetchRequest(DOC, "parts.md")).text == "# Anew\n\nOther words.\n"
    with pytest.raises(DocNotFound) as caught:
        app.fetch(FetchRequest(DOC, before.doc_id))
    assert caught.value.hint is not None
    assert "a path does not" in caught.value.hint
    with pytest.raises(ChunkNotFound):
        app.fetch(FetchRequest(CHUNK, part))


def test_a_named_source_is_part_of_the_path(desk: "Desk") -> None:
    papers = desk.home / "papers"
    desk.configure(f'schema_version = 1\n[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\n')
    desk.write("bm25.md", "# BM25\n\nOkapi.\n", root=papers)
    desk.ingest()
    assert fetch(desk, SPAN, "@papers/bm25.md#L3").text == "Okapi."
    with pytest.raises(DocNotFound):
        fetch(desk, SPAN, "bm25.md#L3")


def test_without_an_index_there_is_nothing_to_fetch(desk: "Desk") -> None:
    for kind in FetchKind:
        with pytest.raises(NotIndexed):
            fetch(desk, kind, "parts.md")
