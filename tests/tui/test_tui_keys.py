"""Everything by keyboard: the walk through the app, the help, opening a source, and the way out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from textual.app import SuspendNotSupported
from textual.events import Paste
from textual.widgets import Input
from textual.widgets.input import Selection
from tui_bench import Notes, on_stage, play

from kebab.core.fetching import Opening
from kebab.ui.tui import editing
from kebab.ui.tui.application import KebabTui
from kebab.ui.tui.preview import Preview
from kebab.ui.tui.rows import Rows


def test_a_walk_through_search_ask_library_and_doctor_needs_no_mouse(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("restore")
            await stage.shows("ops/backups.md#L1-L9")
            for kind in (Input, Rows, Preview, Input):
                await stage.press("tab")
                assert isinstance(stage.app.focused, kind)
            await stage.press("shift+tab", "escape")
            assert isinstance(stage.app.focused, Input)
            await stage.press("escape")
            assert isinstance(stage.app.focused, Rows)
            await stage.press("p")
            assert isinstance(stage.app.focused, Preview)
            await stage.press("2")
            await stage.shows("[2 Ask]", "(a question, then Enter)")
            await stage.press("escape", "3")
            await stage.shows("[3 Library]", "> ops/backups.md")
            await stage.press("1")
            await stage.shows("[1 Search]", "Search: restore", "▌ 5 Stop the server")

    play(scene())


def test_letters_typed_into_a_line_are_no_commands(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("quit? 1/2 pfmi")
            assert stage.lines[1] == "Search: quit? 1/2 pfmi"
            assert stage.lines[0].startswith("kebab [1 Search]")

    play(scene())


def test_what_is_pasted_becomes_one_line_and_is_cut_where_it_is_too_long(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            line = stage.app.query_one("#query", Input)
            await stage.type("the ")
            line.post_message(Paste("restore\r\nof\ta backup\n"))
            await stage.until(lambda: line.value == "the restore of a backup")
            line.selection = Selection(0, 4)
            line.post_message(Paste("쌀 " * 5000))
            await stage.until(lambda: len(line.value) == 2000)
            assert line.value.endswith("restore of a backup")

    play(scene())


def test_the_help_lists_the_keys_and_closes_again(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("f1")
            await stage.shows("── Keys ──", "Ctrl-Q", "open the source at the line")
            await stage.press("escape")
            await stage.until(lambda: "── Keys" not in stage.text)
            await stage.press("escape", "question_mark")
            await stage.shows("── Keys ──")

    play(scene())


@pytest.mark.parametrize("keys", [("ctrl+q",), ("escape", "q"), ("f1", "ctrl+q")])
def test_there_is_a_way_out_of_everywhere(notes: Notes, keys: tuple[str, ...]) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press(*keys)
            await stage.until(lambda: not stage.app.is_running or stage.app._exit)

    play(scene())


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Opening]:
    found: list[Opening] = []
    monkeypatch.setattr(editing, "run_opening", found.append)
    return found


def test_enter_gives_the_terminal_to_the_editor_at_the_line(
    notes: Notes, opened: list[Opening], monkeypatch: pytest.MonkeyPatch
) -> None:
    suspended: list[str] = []

    @contextmanager
    def suspend(_app: KebabTui) -> Iterator[None]:
        suspended.append("in")
        yield
        suspended.append("out")

    monkeypatch.setattr(KebabTui, "suspend", suspend)
    monkeypatch.setenv("EDITOR", "vi")

    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("night")
            await stage.shows("ops/backups.md#L11-L13")
            await stage.press("down", "enter")
            await stage.until(lambda: suspended == ["in", "out"])

    play(scene())
    assert [each.command for each in opened] == [("vi", "+11", str(notes.root / "ops/backups.md"))]


def test_where_the_terminal_cannot_be_given_away_the_command_is_said(
    notes: Notes, opened: list[Opening], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def suspend(_app: KebabTui) -> Iterator[None]:
        raise SuspendNotSupported("no terminal")
        yield

    monkeypatch.setattr(KebabTui, "suspend", suspend)
    monkeypatch.setenv("EDITOR", "vi")

    async def scene() -> None:
        async with on_stage(notes.open, size=(160, 24)) as stage:
            await stage.type("night")
            await stage.shows("ops/backups.md#L11-L13")
            await stage.press("down", "enter")
            await stage.shows("run it yourself: vi +11")

    play(scene())
    assert opened == []


def test_a_source_that_is_gone_is_told_and_not_opened(notes: Notes, opened: list[Opening]) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, size=(160, 24)) as stage:
            await stage.type("night")
            await stage.shows("ops/backups.md#L11-L13")
            (notes.root / "ops/backups.md").unlink()
            await stage.press("down", "enter")
            await stage.shows("the file of ops/backups.md is gone")

    play(scene())
    assert opened == []


def test_lists_scroll_by_line_page_and_end(notes: Notes) -> None:
    for number in range(30):
        notes.write(f"many/{number:02}.md", f"# Plum {number}\n\nplums\n")
    notes.ingest()

    def place(rows: Rows) -> tuple[int, int, int]:
        return rows.cursor, round(rows.scroll_offset.y), rows.size.height

    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "3")
            await stage.shows("33 of 33 documents")
            rows: Any = stage.app.focused
            await stage.press("end")
            cursor, top, height = place(rows)
            assert cursor == 32
            assert top <= cursor < top + height
            await stage.press("pageup")
            assert place(rows)[0] == 32 - (height - 1)
            await stage.press("home")
            assert place(rows)[:2] == (0, 0)

    play(scene())


def test_ctrl_c_ends_nothing_and_says_how_to_leave(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("ctrl+c")
            await stage.shows("Ctrl-Q quits, Esc stops an answer")
            assert stage.app.is_running

    play(scene())


def test_a_mistake_of_ours_ends_the_app_without_a_traceback_on_the_screen(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_app: KebabTui) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(KebabTui, "action_mode", broken)
    seen: list[KebabTui] = []

    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            seen.append(stage.app)
            await stage.press("ctrl+t")

    with pytest.raises(RuntimeError, match="ours"):
        play(scene())
    assert isinstance(seen[0].fault, RuntimeError)
    assert seen[0]._exit_renderables == []
