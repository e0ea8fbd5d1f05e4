"""`kebab watch`: whatever happens to the files, the index soon says what a fresh ingest would say."""

import json
import shutil
import signal
import time
from pathlib import Path

import apsw
import pytest
from index_state import check_database, logical_state
from kebab_process import TIMEOUT, kebab, plant, refusal, search, start, well
from serving import line_with, running

from random_edits import Editor
from wire_schemas import check

DATABASE = ".local/share/kebab/kebab.sqlite"
OPERATIONS = 150


def fresh(home: Path, place: Path) -> dict[str, list[str]]:
    """The state of an index that is made of the files as they are now."""
    well(kebab(home, "ingest", "--quiet", "--set", f"storage.data_dir={place}"))
    return logical_state(place / "kebab.sqlite")


def state(home: Path) -> dict[str, list[str]] | None:
    try:
        return logical_state(home / DATABASE)
    except apsw.BusyError:  # it is being written
        return None


@pytest.mark.parametrize("way", [(), ("--poll",)], ids=["told", "polled"])
def test_random_edits_end_in_the_state_of_a_fresh_ingest(bare: Path, tmp_path: Path, way: tuple[str, ...]) -> None:
    editor = Editor(bare / "notes", seed=len(way))
    editor.begin(30)
    with running(bare, "watch", *way) as process:
        line_with(process, "new")
        for number in range(OPERATIONS):
            editor.step()
            time.sleep(0.5 if number % 50 == 49 else 0.005)
        wanted = fresh(bare, tmp_path / "fresh")
        until = time.monotonic() + TIMEOUT
        while state(bare) != wanted and time.monotonic() < until:
            time.sleep(0.1)
        found = state(bare)
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        assert process.wait(TIMEOUT) == 0
    assert found == wanted
    check_database(bare / DATABASE)
    assert len(wanted["documents"]) > 5


def test_every_run_is_a_report_under_json_and_nothing_else_is_said(home: Path) -> None:
    plant(home / "notes", {"first.md": "# First\n"})
    process = start(home, "watch", "--json")
    with process.stdout, process.stderr:
        assert json.loads(process.stdout.readline())["new"] == 1
        (home / "notes/first.md").rename(home / "notes/second.md")
        report = json.loads(process.stdout.readline())
        check(report)
        assert (report["new"], report["purged_paths"]) == (1, ["first.md"])
        process.send_signal(signal.SIGTERM)
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.wait(TIMEOUT) == 0


def test_a_folder_that_is_replaced_is_watched_again(home: Path) -> None:
    with running(home, "watch") as process:
        line_with(process, "watching")
        shutil.move(home / "notes", home / "aside")
        plant(home / "notes", {"other.md": "# Other\n\nA pelican.\n"})
        line_with(process, "1 new")
        plant(home / "notes", {"more.md": "# More\n\nA heron.\n"})
        line_with(process, "1 new")
        assert [hit["doc_path"] for hit in search(home, "heron")] == ["more.md"]


def test_without_a_folder_and_under_readonly_it_does_not_begin(tmp_path: Path, home: Path) -> None:
    assert "no folder" in refusal(kebab(tmp_path, "watch", "--json"), "invalid_input")["message"]
    refusal(kebab(home, "watch", "--readonly", "--json"), "readonly_mode")
