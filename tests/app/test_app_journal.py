import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.app.journal import Journal
from kebab.core.clock import parse_rfc3339
from kebab.core.query import Query, SearchMode

if TYPE_CHECKING:
    from app_bench import Desk


def entries(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for file in sorted(folder.glob("*.log")) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "logs"


def test_an_event_is_a_line_of_json(folder: Path) -> None:
    journal = Journal(folder, "info", 30)
    journal.write("info", "search", query='말 "quoted"\nline', hits=[1, 2])
    journal.close()
    (entry,) = entries(folder)
    assert parse_rfc3339(str(entry.pop("ts"))) <= datetime.now(UTC)
    assert isinstance(entry.pop("pid"), int)
    assert entry == {"level": "info", "event": "search", "query": '말 "quoted"\nline', "hits": [1, 2]}


def test_lines_are_there_at_once(folder: Path) -> None:
    journal = Journal(folder, "info", 30)
    journal.write("info", "one")
    assert [entry["event"] for entry in entries(folder)] == ["one"]
    journal.close()


@pytest.mark.parametrize(
    ("level", "kept"),
    [
        ("debug", ["debug", "info", "warning", "error"]),
        ("info", ["info", "warning", "error"]),
        ("warning", ["warning", "error"]),
        ("error", ["error"]),
    ],
)
def test_what_is_below_the_level_is_not_written(folder: Path, level: str, kept: list[str]) -> None:
    journal = Journal(folder, level, 30)
    for each in ("debug", "info", "warning", "error"):
        journal.write(each, each)
    journal.close()
    assert [entry["event"] for entry in entries(folder)] == kept


def test_nothing_to_write_makes_no_folder(folder: Path) -> None:
    Journal(folder, "error", 30).write("info", "quiet")
    Journal(None, "debug", 30).write("error", "nowhere")
    assert not folder.exists()


def test_the_log_is_private_and_called_after_its_day(folder: Path) -> None:
    journal = Journal(folder, "info", 30)
    journal.write("info", "one")
    journal.close()
    (file,) = folder.iterdir()
    assert file.name == f"kebab-{datetime.now(UTC):%Y-%m-%d}.log"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_log_is_added_to(folder: Path) -> None:
    for event in ("one", "two"):
        journal = Journal(folder, "info", 30)
        journal.write("info", event)
        journal.close()
    assert [entry["event"] for entry in entries(folder)] == ["one", "two"]


def test_old_days_leave_and_other_files_stay(folder: Path) -> None:
    folder.mkdir()
    days = {age: f"kebab-{datetime.now(UTC) - timedelta(days=age):%Y-%m-%d}.log" for age in (0, 1, 6, 7, 8, 400)}
    for name in (*days.values(), "other.log", "kebab-notes.txt"):
        (folder / name).touch()
    Journal(folder, "info", 7).prune()
    kept = {days[age] for age in (0, 1, 6, 7)} | {"other.log", "kebab-notes.txt"}
    assert {file.name for file in folder.iterdir()} == kept


def test_pruning_a_folder_that_is_not_there_is_nothing(folder: Path) -> None:
    Journal(folder, "info", 7).prune()
    Journal(None, "info", 7).prune()
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_met_with_silence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    journal = Journal(tmp_path / "file" / "logs", "info", 7)
    journal.write("info", "one")
    journal.write("info", "two")
    journal.prune()
    journal.close()


def test_text_that_is_no_unicode_does_not_stop_the_work(folder: Path) -> None:
    journal = Journal(folder, "info", 7)
    journal.write("info", "odd", path="a\udcff.md")
    journal.close()
    assert len(entries(folder)) == 1


def test_an_ingest_and_a_search_leave_a_trace(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    desk.search("alpha")
    folder = desk.config.logging.dir
    assert folder is not None
    written = entries(folder)
    assert [entry["event"] for entry in written] == ["ingest_started", "asset_finished", "ingest_completed", "search"]
    assert len({entry.get("run_id") for entry in written[:3]}) == 1
    assert written[1]["path"] == "a.md"
    assert written[3]["query"] == "alpha"


def test_an_unchanged_file_is_not_worth_a_line(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    desk.ingest()
    folder = desk.config.logging.dir
    assert folder is not None
    assert [entry["event"] for entry in entries(folder)].count("asset_finished") == 1


def test_a_readonly_app_writes_no_log(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    folder = desk.config.logging.dir
    assert folder is not None
    before = entries(folder)
    app = desk.app(readonly=True)
    app.schema()
    app.search(Query("alpha", SearchMode.LEXICAL, 3))
    assert entries(folder) == before
