"""What the app says: hits that can prove where they come from, documents, checks, and what a reset removes."""

import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.core.citation import LineCitation, parse_citation
from kebab.core.errors import ChunkNotFound, DocNotFound, InvalidInput, KebabError, NotIndexed
from kebab.core.query import Filters, Freshness, Query, SearchMode
from kebab.core.text import split_lines
from kebab.store.connection import PAGE_SIZE
from kebab.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from app_bench import Desk

NOTE = """---
title: Guide
tags: [ops]
---

# Guide

Intro text.

## 1. Restore

Ask the keeper for the **zebra** key.
Then wait.

## 2. 백업

매일 밤에 얼룩말을 백업한다.
"""


@pytest.fixture
def filled(desk: "Desk") -> "Desk":
    desk.write("notes/guide.md", NOTE)
    desk.write("other.md", "Nothing of the kind.\n")
    desk.ingest()
    return desk


# -- search


def test_a_hit_points_at_the_lines_of_the_file(filled: "Desk") -> None:
    (hit,) = filled.search("zebra").hits
    assert isinstance(hit.citation, LineCitation)
    assert hit.citation == LineCitation("notes/guide.md", 10, 13, "§1 Restore")
    lines = split_lines((filled.root / "notes/guide.md").read_text("utf-8"))
    assert "zebra" in "\n".join(lines[hit.citation.start - 1 : hit.citation.end])
    assert lines[hit.citation.start - 1] == "## 1. Restore"
    assert parse_citation(hit.citation.to_uri()) == LineCitation("notes/guide.md", 10, 13)


def test_a_hit_says_what_it_is(filled: "Desk") -> None:
    (hit,) = filled.search("얼룩말").hits
    assert (hit.rank, hit.score_kind, hit.title, hit.doc_path) == (1, "bm25", "Guide", "notes/guide.md")
    assert (hit.heading_path, hit.section_label) == (("Guide", "2. 백업"), "§2 백업")
    assert (hit.freshness, hit.stale, hit.source_id, hit.trust_level) == (Freshness.FRESH, False, "default", "primary")
    assert [hit.snippet[start:end] for start, end in hit.highlights] == ["얼룩말"]
    assert (hit.retrieval.method, hit.retrieval.lexical_rank, hit.retrieval.vector_rank) == ("lexical", 1, None)
    assert hit.score == hit.retrieval.lexical_score == hit.retrieval.fusion_score > 0
    assert hit.file == str(filled.root / "notes/guide.md")


def test_a_hit_knows_that_its_file_changed_or_went(filled: "Desk") -> None:
    filled.write("notes/guide.md", NOTE.replace("zebra", "okapi"), at=1_700_000_100)
    assert filled.search("zebra").hits[0].freshness is Freshness.CHANGED
    (filled.root / "notes/guide.md").unlink()
    assert filled.search("zebra").hits[0].freshness is Freshness.MISSING


def test_a_note_in_decomposed_unicode_is_marked_too(desk: "Desk") -> None:
    desk.write("nfd.md", unicodedata.normalize("NFD", "매일 밤에 얼룩말을 백업한다.\n"))
    desk.ingest()
    (hit,) = desk.search("얼룩말").hits
    assert hit.highlights
    assert unicodedata.normalize("NFC", hit.snippet[slice(*hit.highlights[0])]) == "얼룩말"


def test_no_hit_is_an_empty_result(filled: "Desk") -> None:
    found = filled.search("okapi")
    assert (found.hits, found.mode, found.degraded) == ((), SearchMode.LEXICAL, None)


def test_hybrid_without_vectors_says_so(filled: "Desk") -> None:
    found = filled.app().search(Query("zebra", SearchMode.HYBRID, 5))
    assert len(found.hits) == 1
    assert found.degraded == "no embedding model is configured; searched by words only"
    assert found.hint is not None


@pytest.mark.parametrize(
    "query",
    [
        Query("", SearchMode.LEXICAL, 5),
        Query(" \n", SearchMode.LEXICAL, 5),
        Query("zebra", SearchMode.LEXICAL, 0),
        Query("zebra", SearchMode.LEXICAL, 1001),
        Query("zebra", SearchMode.VECTOR, 5),
    ],
)
def test_what_cannot_be_asked_is_invalid(filled: "Desk", query: Query) -> None:
    with pytest.raises(InvalidInput):
        filled.app().search(query)


def test_k_and_filters_hold(desk: "Desk") -> None:
    for number in range(20):
        desk.write(f"{number:02d}.md", f"---\ntags: [t{number % 2}]\n---\nzebra {number}\n")
    desk.ingest()
    app = desk.app()
    hits = app.search(Query("zebra", SearchMode.LEXICAL, 7)).hits
    assert [hit.rank for hit in hits] == list(range(1, 8))
    odd = app.search(Query("zebra", SearchMode.LEXICAL, 100, Filters(tags=("t1",)))).hits
    assert sorted(hit.doc_path for hit in odd) == [f"{number:02d}.md" for number in range(1, 20, 2)]


def test_equal_hits_come_in_order_of_their_path_however_the_index_came_to_be(desk: "Desk") -> None:
    for name in ("a", "b", "c"):
        desk.write(f"{name}.md", "---\ntitle: Same\n---\nthe same zebra\n")
    desk.ingest()
    desk.write("a.md", "something else\n", at=1_700_000_100)
    desk.ingest()
    desk.write("a.md", "---\ntitle: Same\n---\nthe same zebra\n", at=1_700_000_200)
    desk.ingest()
    hits = desk.search("zebra").hits
    assert len({hit.retrieval.lexical_score for hit in hits}) == 1
    assert [(hit.rank, hit.doc_path) for hit in hits] == [(1, "a.md"), (2, "b.md"), (3, "c.md")]
    assert [hit.retrieval.lexical_rank for hit in hits] == [1, 2, 3]


def test_without_an_index_there_is_nothing_to_search(desk: "Desk") -> None:
    with pytest.raises(NotIndexed):
        desk.search("zebra")
    assert not (desk.home / "data").exists()


def test_an_open_app_sees_what_is_ingested_later(filled: "Desk") -> None:
    app = filled.app()
    query = Query("okapi", SearchMode.LEXICAL, 5)
    assert app.search(query).hits == ()
    filled.write("new.md", "okapi\n")
    filled.ingest()
    assert [hit.doc_path for hit in app.search(query).hits] == ["new.md"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda desk: desk.search("zebra"),
        lambda desk: desk.app().doctor(),
        lambda desk: desk.app().list_docs(Filters(), "path"),
        lambda desk: desk.app().inspect_doc("7.md"),
        lambda desk: desk.app().schema(),
    ],
    ids=["search", "doctor", "list", "inspect", "schema"],
)
def test_a_damaged_index_is_an_error_that_can_be_told(desk: "Desk", ask: "Callable[[Desk], object]") -> None:
    for number in range(15):
        desk.write(f"{number}.md", f"# Note {number}\n\nzebra {number} " + "filler 문장 " * 300)
    desk.ingest()
    with Store.writer(desk.index) as store:
        store._db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = desk.index.read_bytes()
    crashes: dict[int, str] = {}
    for page in range(len(whole) // PAGE_SIZE):
        start = page * PAGE_SIZE + (100 if page == 0 else 0)
        desk.index.write_bytes(whole[:start] + b"\xa5" * 4000 + whole[start + 4000 :])
        try:
            ask(desk)
        except KebabError:
            pass
        except Exception as error:  # noqa: BLE001 - anything else is what this test looks for
            crashes[page + 1] = repr(error)
    assert crashes == {}


# -- documents


def test_documents_are_listed_with_their_facts(filled: "Desk") -> None:
    first, second = filled.app().list_docs(Filters(), "path")
    assert (first.doc_path, first.title, first.tags, first.chunk_count) == ("notes/guide.md", "Guide", ("ops",), 3)
    assert (first.freshness, first.stale, first.byte_len) == (Freshness.FRESH, False, len(NOTE.encode()))
    assert second.doc_path == "other.md"


@pytest.mark.parametrize("sort", ["path", "title", "updated", "created", "size", "chunks"])
def test_every_order_lists_every_document(filled: "Desk", sort: str) -> None:
    found = filled.app().list_docs(Filters(), sort)
    assert {summary.doc_path for summary in found} == {"notes/guide.md", "other.md"}
    if sort in ("size", "chunks"):
        assert found[0].doc_path == "notes/guide.md"


def test_a_document_can_be_inspected_by_path_id_and_prefix(filled: "Desk") -> None:
    app = filled.app()
    view = app.inspect_doc("notes/guide.md")
    assert [chunk.ordinal for chunk in view.chunks] == [0, 1, 2]
    assert view.metadata.tags == ("ops",)
    assert app.inspect_doc(view.summary.doc_id) == view
    assert app.inspect_doc(view.summary.doc_id[:10]) == view
    chunk = app.inspect_chunk(view.chunks[1].chunk_id)
    assert (chunk.chunk, chunk.doc_path) == (view.chunks[1], "notes/guide.md")


@pytest.mark.parametrize("spelling", ["./노트/한글.md", "노트//한글.md", unicodedata.normalize("NFD", "노트/한글.md")])
def test_a_document_is_found_by_any_spelling_of_its_path(desk: "Desk", spelling: str) -> None:
    desk.write("노트/한글.md", "alpha\n")
    desk.ingest()
    assert desk.app().inspect_doc(spelling).summary.doc_path == "노트/한글.md"


def test_what_is_not_there_is_not_found(filled: "Desk") -> None:
    with pytest.raises(DocNotFound):
        filled.app().inspect_doc("nowhere.md")
    with pytest.raises(ChunkNotFound):
        filled.app().inspect_chunk("0" * 32)


# -- doctor and schema


def test_a_healthy_index_passes_every_check(filled: "Desk") -> None:
    report = filled.app().doctor()
    assert report.ok, [check for check in report.checks if not check.ok]
    assert {"sqlite_open", "database_sound", "full_text_sound", "index_private"} <= {
        check.name for check in report.checks
    }


def test_the_doctor_finds_and_mends_a_missing_row(filled: "Desk") -> None:
    with Store.writer(filled.index) as store:
        store._db.run("DELETE FROM chunks_fts")
    report = filled.app().doctor()
    assert [check.name for check in report.checks if not check.ok] == ["full_text_sound"]
    assert filled.found("zebra") == []
    mended = filled.app().doctor(repair=True)
    assert mended.ok
    assert len(mended.repaired) == 1
    assert filled.found("zebra") == ["notes/guide.md"]


def test_the_doctor_looks_at_garbage_without_falling_ill(desk: "Desk") -> None:
    desk.index.parent.mkdir(mode=0o700)
    desk.index.write_bytes(b"not a database " * 100)
    desk.index.chmod(0o600)
    report = desk.app().doctor()
    assert [check.name for check in report.checks if not check.ok] == ["sqlite_open"]


def test_the_doctor_is_content_before_the_first_ingest(desk: "Desk") -> None:
    assert desk.app().doctor().ok
    assert not (desk.home / "data").exists()


def test_an_index_others_can_read_is_a_finding(filled: "Desk") -> None:
    filled.index.chmod(0o644)
    assert [check.name for check in filled.app().doctor().checks if not check.ok] == ["index_private"]


def test_the_schema_counts_what_is_there(filled: "Desk") -> None:
    found = filled.app().schema()
    assert (found.stats.doc_count, found.stats.chunk_count, found.stats.asset_count) == (2, 4, 2)
    assert found.models.corpus_revision == 2
    assert found.stats.index_bytes["sqlite"] > 0


def test_there_is_a_schema_without_an_index(desk: "Desk") -> None:
    found = desk.app().schema()
    assert (found.stats.doc_count, found.stats.last_ingest_at, found.models.corpus_revision) == (0, None, 0)


# -- reset


@pytest.mark.parametrize("scope", ["all", "data_only", "vector_only", "config_only", "orphans_only"])
def test_a_reset_never_touches_the_workspace(filled: "Desk", scope: str) -> None:
    filled.configure("[search]\ndefault_k = 5\n")
    before = {path: path.read_bytes() for path in filled.root.rglob("*.md")}
    filled.app().reset(scope)
    assert {path: path.read_bytes() for path in filled.root.rglob("*.md")} == before
    assert (filled.home / "config.toml").exists() is (scope not in ("all", "config_only"))
    assert (filled.home / "data" / "kebab.sqlite").exists() is (scope not in ("all", "data_only"))


def test_a_reset_removes_only_what_the_loaded_config_names(filled: "Desk") -> None:
    default = filled.home / ".local/share/kebab/kebab.sqlite"
    default.parent.mkdir(parents=True)
    default.write_bytes(b"somebody else's")
    neighbour = filled.home / "data" / "mine.txt"
    neighbour.write_text("mine")
    filled.app().reset("data_only")
    assert default.read_bytes() == b"somebody else's"
    assert neighbour.read_text() == "mine"
    assert not filled.index.exists()


def test_after_a_reset_everything_is_new(filled: "Desk") -> None:
    filled.app().reset("data_only")
    report = filled.ingest()
    assert report.counts.new == 2


def test_orphans_are_documents_whose_file_or_folder_is_gone(filled: "Desk") -> None:
    papers: Path = filled.home / "papers"
    filled.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\n')
    filled.write("x.md", "paper\n", root=papers)
    filled.ingest()
    (filled.root / "other.md").unlink()
    filled.file = None
    found = filled.app().reset("orphans_only")
    assert (found.orphans_purged, sorted(found.purged_paths)) == (2, ["@papers/x.md", "other.md"])
    assert filled.paths() == ["notes/guide.md"]
