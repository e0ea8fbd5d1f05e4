"""The main screens at 80x24 in both languages, line by line. KEBAB_UPDATE_SNAPSHOTS=1 writes the files anew."""

from contextlib import suppress
from typing import Any

import pytest
from rich.cells import cell_len
from tui_bench import PULSE, Notes, Scene, Scripted, assert_same, is_same, on_stage, play

from answer_samples import gated, judged
from kebab.core.answer import AnswerReady
from kebab.core.errors import DocNotFound
from kebab.core.inspection import Check, DoctorReport
from kebab.ui.tui.words import words_in
from kebab.ui.tui.workers import Pace

TIME = "2026-04-27T15:42:11.120Z"
BOTH = pytest.mark.parametrize("language", ["en", "ko"])
CHECKS = (
    Check("config_loaded", True, "~/.config/kebab/config.toml"),
    Check("index_sound", False, "a page is torn", "run `kebab doctor --repair`"),
)


def _absent(_request: Any) -> Any:
    raise DocNotFound("no document of this name")


async def assert_screen(name: str, stage: Scene) -> None:
    """Once every thread has said what it had to say, and what it said is drawn."""
    for pace in (Pace.LONG, Pace.QUICK):
        await stage.settled(pace)
    with suppress(AssertionError):
        await stage.until(lambda: is_same(name, stage.lines))
    assert len(stage.lines) == 24
    assert max(map(cell_len, stage.lines)) <= 80
    assert_same(name, stage.lines)


@BOTH
def test_the_search_screen(notes: Notes, language: str) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, language) as stage:
            await stage.shows("words only" if language == "en" else "단어 검색만")
            await assert_screen(f"start-{language}", stage)
            await stage.type("restore backup" if language == "en" else "현미 물")
            await stage.until(lambda: stage.app.source.preview.excerpt is not None)
            await stage.press("down")
            await assert_screen(f"search-{language}", stage)

    play(scene())


@BOTH
def test_the_ask_screen(notes: Notes, language: str) -> None:
    replies = [judged(), gated("what did we earn?", "Not enough evidence.") if language == "en" else gated()]

    async def scene() -> None:
        app = Scripted(notes.config, ask=lambda *_: iter([AnswerReady(TIME, replies.pop(0))]), fetch=_absent)
        async with on_stage(app.open, language) as stage:
            await stage.press("escape", "2")
            await stage.type("q")
            await stage.press("enter")
            await stage.shows("qwen2.5", "no document of this name")
            await assert_screen(f"answer-{language}", stage)
            await stage.press("slash", "enter")
            await stage.shows("score_gate", "finance/personal-budget.md")
            await assert_screen(f"refusal-{language}", stage)

    play(scene())


@BOTH
def test_the_library_and_the_doctor(notes: Notes, language: str) -> None:
    notes.write("ops/backups.md", "other\n")
    listed = notes.open(None).list_docs  # type: ignore[arg-type]

    async def scene() -> None:
        app = Scripted(notes.config, list_docs=listed, doctor=lambda: DoctorReport(CHECKS), fetch=_absent)
        async with on_stage(app.open, language) as stage:
            await stage.press("escape", "3")
            await stage.shows("src/rice.py", "no document of this name")
            await assert_screen(f"library-{language}", stage)
            await stage.press("4")
            await stage.shows("index_sound")
            await assert_screen(f"doctor-{language}", stage)

    play(scene())


@BOTH
def test_the_help_and_the_first_start(empty: Notes, language: str) -> None:
    async def scene() -> None:
        app = Scripted(empty.config, pulse=lambda _before: PULSE)
        async with on_stage(app.open, language) as stage:
            await stage.press("f1")
            await stage.shows(f"── {words_in(language)['keys']} ──")
            await assert_screen(f"help-{language}", stage)
        async with on_stage(empty.open, language, readonly=True) as stage:
            await stage.shows("kebab init")
            stage.app.pulses.say(stage.app.message.shown)
            await assert_screen(f"no-index-{language}", stage)

    play(scene())
