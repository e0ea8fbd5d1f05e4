"""Search as you type: what is found, what is dropped, and what the preview shows of it."""

import threading
from typing import Any

import pytest
from tui_bench import Notes, Scripted, on_stage, play

from answer_samples import hit
from kebab.core.query import Freshness, Query, SearchMode, SearchResult
from kebab.ui.tui.search_pane import SearchPane


def test_hits_appear_while_the_query_is_typed_and_the_first_is_previewed(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("restore backup")
            await stage.shows("ops/backups.md#L1-L9", "Backups > Restore", "▌ 5 Stop the server")
            assert "- 1 " in stage.text
            await stage.press("down")
            await stage.shows("> 1 ")

    play(scene())


def test_a_korean_query_finds_a_korean_note(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, "ko") as stage:
            await stage.type("현미 물")
            await stage.shows("쌀/현미밥.md#", "현미밥 > 압력밥솥", "현미 2컵에 물 2.5컵을 붓는다.")

    play(scene())


def test_only_the_last_query_is_shown_and_one_that_waited_in_vain_is_never_run(notes: Notes) -> None:
    started, gate, asked = threading.Event(), threading.Event(), []

    def search(query: Query) -> SearchResult:
        asked.append(query.text)
        started.set()
        assert gate.wait(20)
        found = hit(1, f"{query.text}.md", (1, 2), (1.0, 1.0, 1.0))
        return SearchResult((found,), query.mode)

    async def scene() -> None:
        app = Scripted(notes.config, search=search, fetch=_nothing)
        async with on_stage(app.open) as stage:
            await stage.type("a")
            await stage.until(started.is_set)
            await stage.type("b")
            await stage.type("c")
            gate.set()
            await stage.shows("abc.md#L1-L2")
            assert " a.md#" not in stage.text
            assert asked == ["a", "abc"]

    play(scene())


def _nothing(_request: Any) -> Any:
    raise AssertionError("not in this test")


def test_the_mode_goes_round_and_searches_again(notes: Notes) -> None:
    modes: list[SearchMode] = []

    def search(query: Query) -> SearchResult:
        modes.append(query.mode)
        return SearchResult((), query.mode)

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, search=search).open) as stage:
            await stage.type("x")
            await stage.until(lambda: len(modes) == 1)
            await stage.press("ctrl+t")
            await stage.until(lambda: len(modes) == 2)
            await stage.press("escape", "m")
            await stage.until(lambda: len(modes) == 3)
            assert stage.lines[0].endswith("  meaning")

    play(scene())
    assert modes == [SearchMode.HYBRID, SearchMode.LEXICAL, SearchMode.VECTOR]


def test_the_filter_line_limits_what_is_found(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("rice")
            await stage.shows("src/rice.py")
            await stage.press("tab")
            await stage.type("media:markdown")
            await stage.until(lambda: "src/rice.py" not in stage.text)
            await stage.type(" nonsense")
            await stage.shows("no filter 'nonsense'", "filters are tag:, lang:, path:")

    play(scene())


def test_a_symbol_alone_is_a_query(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("tab")
            await stage.type("symbol:boil")
            await stage.shows("src/rice.py#L4-L6", "▌4 def boil(cups: int) -> int:")

    play(scene())


@pytest.mark.parametrize(
    ("language", "changed", "missing"),
    [("en", "changed since indexed", "missing since indexed"), ("ko", "색인 후 변경됨", "파일 없음")],
)
def test_what_has_changed_since_is_said_in_words(notes: Notes, language: str, changed: str, missing: str) -> None:
    notes.write("ops/backups.md", "other\n")
    (notes.root / "src/rice.py").unlink()

    async def scene() -> None:
        async with on_stage(notes.open, language) as stage:
            await stage.type("backup boil")
            await stage.shows(f"({changed})", f"({missing})")

    play(scene())


def test_a_document_that_was_indexed_long_ago_says_so(notes: Notes) -> None:
    from dataclasses import replace

    old = replace(hit(1, "a.md", (1, 2), (1.0, 1.0, 1.0)), stale=True, freshness=Freshness.FRESH)

    async def scene() -> None:
        app = Scripted(notes.config, search=lambda query: SearchResult((old,), query.mode), fetch=_nothing)
        async with on_stage(app.open) as stage:
            await stage.type("x")
            await stage.shows("a.md#L1-L2  (indexed long ago)")

    play(scene())


def test_no_hits_and_a_failing_search_are_told_apart(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("zzzzzz")
            await stage.shows("no hits; try fewer or other words")
            await stage.press("ctrl+u")
            await stage.until(lambda: "no hits" not in stage.text)

        def search(_query: Query) -> SearchResult:
            raise RuntimeError("boom")

        async with on_stage(Scripted(notes.config, search=search).open) as stage:
            await stage.type("x")
            await stage.shows("RuntimeError: boom — this is a fault in kebab")

    play(scene())


def test_a_result_for_a_line_that_was_emptied_is_dropped(notes: Notes) -> None:
    started, gate = threading.Event(), threading.Event()

    def search(query: Query) -> SearchResult:
        started.set()
        assert gate.wait(20)
        return SearchResult((hit(1, "late.md", (1, 2), (1.0, 1.0, 1.0)),), query.mode)

    async def scene() -> None:
        app = Scripted(notes.config, search=search, fetch=_nothing)
        async with on_stage(app.open) as stage:
            await stage.type("a")
            await stage.until(started.is_set)
            await stage.press("backspace")
            gate.set()
            pane = stage.app.query_one(SearchPane)
            await stage.settled()
            assert pane.result is None
            assert "late.md" not in stage.text

    play(scene())


def test_the_choice_stays_where_it_is_when_the_index_changes(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, look_again_seconds=0.02) as stage:
            await stage.type("backups")
            await stage.shows("ops/backups.md#L11-L13")
            await stage.press("down", "down")
            await stage.shows("> 2 ")
            notes.write("other.md", "# Plums\n\nplums\n")
            notes.ingest()
            await stage.shows("4 docs")
            await stage.settled()
            assert "> 2 " in stage.text

    play(scene())
