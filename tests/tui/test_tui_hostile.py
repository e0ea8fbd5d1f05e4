"""Nothing a document or a file name holds drives the terminal; nothing is told by colour alone; wide letters fit."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from tui_bench import Notes, Scene, Scripted, on_stage, play

from answer_samples import hit
from kebab.core.errors import DocNotFound
from kebab.core.fetching import FetchRequest, FetchResult
from kebab.core.query import Query, SearchResult

ESCAPES = "\x1b]0;owned\x07\x1b[31mred\x1b[2J \x9b31m \u202egnirts\u202c \u2066x\u2069 \x08\x00"
MARKUP = "[bold]loud[/bold] [@click=app.quit]press[/] [link=http://x.example]y[/link] [/]"
NAME = "evil[bold]x[][@click=app.quit()].md"
# No file of such a name is indexed; an index that came from elsewhere may still hold one.
WORSE = "evil\x1b[31m\u202e\x07\n[bold].md"


def segments(stage: Scene) -> Iterator[Segment]:
    for strip in stage.app.screen._compositor.render_strips():
        yield from strip


def assert_harmless(stage: Scene) -> None:
    for segment in segments(stage):
        assert segment.text.isprintable(), repr(segment.text)
        assert segment.control is None
        if segment.style is not None:
            assert segment.style.link is None
            assert not {key for key in segment.style.meta if key.startswith("@")}


def test_escapes_markup_and_names_of_documents_are_only_text(empty: Notes) -> None:
    empty.write(NAME, f"# {ESCAPES}\n\napples {MARKUP}\n\n{ESCAPES}\n")
    empty.write("code.py", f'def apples() -> str:\n\t"""{ESCAPES} {MARKUP}"""\n')
    empty.ingest()

    async def scene() -> None:
        async with on_stage(empty.open, size=(100, 40)) as stage:
            await stage.type("apples")
            await stage.shows("evil[bold]x[][@click=app.quit()]", "[bold]loud[/bold] [@click=app.quit]press")
            assert_harmless(stage)
            await stage.shows("── code.py", "def apples() -> str:")
            await stage.press("down", "down")
            await stage.shows("── evil", "▌5 \ufffd]0;owned")
            assert_harmless(stage)
            await stage.press("3")
            await stage.shows("2 of 2 documents")
            assert_harmless(stage)
            await stage.press("2")
            await stage.type("what about apples")
            await stage.press("enter")
            await stage.shows("Citations")
            assert_harmless(stage)
            await stage.press("h")
            await stage.shows("what about apples", "── Earlier answers")
            assert_harmless(stage)

    play(scene())


def test_a_name_that_could_drive_the_terminal_is_only_text(notes: Notes) -> None:
    found = hit(1, WORSE, (1, 2), (1.0, 1.0, 1.0))

    def search(query: Query) -> SearchResult:
        return SearchResult((replace(found, snippet=ESCAPES, heading_path=(ESCAPES,)),), query.mode)

    def fetch(_request: FetchRequest) -> FetchResult:
        raise DocNotFound(f"no document {WORSE}", hint=ESCAPES)

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, search=search, fetch=fetch).open) as stage:
            await stage.type("x")
            await stage.shows("evil%1B[31m\ufffd%07%0A[bold].md#L1-L2", "no document evil\ufffd[31m")
            assert_harmless(stage)

    play(scene())


def test_what_is_typed_is_only_text_too(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("[bold]x[/bold] [@click=app.quit]y")
            await stage.press("tab")
            await stage.type("[red]:x")
            await stage.shows("no filter '[red]:x'")
            assert_harmless(stage)

    play(scene())


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 6), (130, 40)])
def test_wide_letters_stay_inside_the_screen_at_any_size(empty: Notes, size: tuple[int, int]) -> None:
    long = "가나다라마바사아자차카타파하" * 12
    empty.write(f"{long[:60]}.md", f"# {long}\n\n{long} 사과 👩‍👩‍👧 {long}\n\n{'x' * 9000} 사과\n")
    empty.ingest()

    async def scene() -> None:
        async with on_stage(empty.open, "ko", size) as stage:
            await stage.type("사과")
            await stage.until(lambda: stage.app.source.preview.excerpt is not None)
            await stage.press("down", "down", "1", "escape", "3")
            await stage.settled()
            assert {
                cell_len("".join(segment.text for segment in strip))
                for strip in stage.app.screen._compositor.render_strips()
            } == {size[0]}

    play(scene())


def test_side_by_side_where_there_is_room(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, size=(140, 24)) as stage:
            await stage.type("restore")
            await stage.shows("▌ 5 Stop the server")
            assert any("Search: restore" in line and "── ops/backups.md" in line for line in stage.lines)

    play(scene())


def test_without_colour_there_is_none_and_the_choice_is_still_seen(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    notes.write("src/rice.py", "changed\n")

    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.type("rice boil")
            await stage.shows("(changed since indexed)", "▌4 def boil")
            await stage.press("down")
            await stage.shows("> 1 ")
            for segment in segments(stage):
                for colour in (segment.style.color, segment.style.bgcolor) if segment.style is not None else ():
                    assert colour is None or colour.is_default

    play(scene())


def test_a_program_opened_from_here_still_knows_that_no_colour_is_wanted(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("NO_COLOR", "1")

    async def scene() -> None:
        async with on_stage(notes.open):
            assert os.environ["NO_COLOR"] == "1"

    play(scene())
