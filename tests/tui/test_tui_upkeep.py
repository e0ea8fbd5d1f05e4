"""The library, the doctor, indexing from inside, and an index that others change or that is not there."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tui_bench import Notes, Scripted, on_stage, play

from kebab.core.events import AssetStarted, Counts, IngestEvent, IngestFinished, IngestReport, ScanStarted
from kebab.core.inspection import Check, DoctorReport
from kebab.ui.tui.ingest_screen import IngestScreen
from kebab.ui.tui.library_pane import LibraryPane

TIME = "2026-04-27T15:42:11.120Z"


def _report(notes: Notes, counts: Counts, *, aborted: bool = False) -> IngestReport:
    return IngestReport(notes.config.sources()[0], counts, 5, {}, {}, (), 0, aborted=aborted)


def test_the_library_lists_documents_and_shows_the_chosen_one(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "3")
            await stage.shows("> ops/backups.md  markdown en", "3 of 3 documents", "── ops/backups.md", " 1 # Backups")
            await stage.press("down")
            await stage.shows("── src/rice.py", "4 def boil(cups: int) -> int:")
            await stage.press("f")
            await stage.type("lang:ko")
            await stage.shows("1 of 1 documents", "쌀/현미밥.md")

    play(scene())


def test_the_library_can_be_cut_to_what_needs_attention(notes: Notes) -> None:
    notes.write("ops/backups.md", "other\n")
    (notes.root / "src/rice.py").unlink()

    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "3")
            await stage.shows("3 of 3 documents · 1 changed, 1 missing, 0 old", "(changed since indexed)")
            await stage.press("c")
            await stage.shows("2 of 3 documents", "only those that need attention")
            assert "현미밥" not in stage.text
            await stage.press("c")
            await stage.shows("3 of 3 documents")
            assert isinstance(stage.app.current, LibraryPane)

    play(scene())


def test_the_doctor_puts_what_failed_first_with_the_command_that_mends_it(notes: Notes) -> None:
    report = DoctorReport(
        (Check("config_loaded", True, "fine"), Check("index_sound", False, "torn", "run `kebab doctor --repair`"))
    )

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, doctor=lambda: report).open) as stage:
            await stage.press("escape", "4")
            await stage.shows("FAIL index_sound", "to mend it: run `kebab doctor --repair`", "1 checks failed")
            assert stage.text.index("index_sound") < stage.text.index("config_loaded")

    play(scene())


def test_a_folder_is_indexed_from_inside_and_what_is_shown_follows(empty: Notes) -> None:
    empty.write("a.md", "# Apples\n\nApples are red.\n")
    empty.write(".kebabignore", "b.md\n")
    empty.write("b.md", "# Bricks\n")

    async def scene() -> None:
        async with on_stage(empty.open) as stage:
            await stage.shows("There is no index yet. Next:", "kebab ingest FOLDER", "kebab init")
            await stage.type("apples")
            await stage.shows("there is no index at", "There is no index yet. Next:")
            await stage.press("escape", "i")
            await stage.shows("── Index ──", "Enter starts, Esc leaves")
            await stage.press("enter")
            await stage.shows("done: 1 new, 0 updated, 0 unchanged, 0 removed, 1 skipped, 0 failed")
            await stage.press("escape")
            await stage.shows("1 docs", "a.md#L1-L3", "Apples are red.")

    play(scene())


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
def test_an_ingest_shows_its_progress_and_is_stopped_by_a_key(notes: Notes, key: str) -> None:
    def ingest(_request: Any, cancel: threading.Event) -> Iterator[IngestEvent]:
        yield ScanStarted(TIME, "/kb")
        yield AssetStarted(TIME, 3, 6, "ops/backups.md", "markdown")
        assert cancel.wait(20)
        counts = Counts(new=2)
        yield IngestFinished(TIME, counts, _report(notes, counts, aborted=True), aborted=True)

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ingest=ingest).open) as stage:
            await stage.press("escape", "i", "enter")
            await stage.shows("[############............] 3/6 ops/backups.md", "Esc stops after the file at hand")
            await stage.press(key)
            await stage.shows("stopped: 2 new")
            assert isinstance(stage.app.screen, IngestScreen)
            await stage.press("escape")
            await stage.until(lambda: not isinstance(stage.app.screen, IngestScreen))

    play(scene())


def test_leaving_the_app_stops_an_ingest(notes: Notes) -> None:
    stopped: list[bool] = []
    started = threading.Event()

    def ingest(_request: Any, cancel: threading.Event) -> Iterator[IngestEvent]:
        started.set()
        stopped.append(cancel.wait(20))
        yield from ()

    async def scene() -> None:
        async with on_stage(Scripted(notes.config, ingest=ingest).open) as stage:
            await stage.press("escape", "i", "enter")
            await stage.until(started.is_set)
            await stage.press("ctrl+q")

    play(scene())
    assert stopped == [True]


def test_a_folder_that_is_not_there_is_told(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open) as stage:
            await stage.press("escape", "i")
            await stage.type("/nowhere/at/all")
            await stage.press("enter")
            await stage.shows("/nowhere/at/all does not exist")

    play(scene())


def test_readonly_indexes_nothing(notes: Notes) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, readonly=True) as stage:
            await stage.shows("read only")
            await stage.press("escape", "i")
            await stage.shows("--readonly was given: nothing is indexed")

    play(scene())


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_another_process_indexes_is_followed(notes: Notes, language: str) -> None:
    async def scene() -> None:
        async with on_stage(notes.open, language, look_again_seconds=0.02) as stage:
            await stage.type("pears")
            await stage.shows("결과 없음" if language == "ko" else "no hits")
            notes.write("pears.md", "# Pears\n\nPears are green.\n")
            notes.ingest()
            await stage.shows("문서 4" if language == "ko" else "4 docs", "pears.md#L1-L3")

    play(scene())
