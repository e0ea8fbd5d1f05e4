"""The log: a file a day, JSON lines a program can follow a run or a document through, for its owner's eyes only."""

import json
import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kebab_process import answer, kebab, plant, search, well

LOGS = ".local/state/kebab/logs"


def entries(home: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for path in sorted((home / LOGS).iterdir()) for line in path.read_text("utf-8").splitlines()
    ]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_run_can_be_followed_by_its_id(bare: Path) -> None:
    plant(bare / "notes", {"bad.md": "---\ntitle: [\n---\n"})
    well(kebab(bare, "ingest", "--quiet"))
    (name,) = (path.name for path in (bare / LOGS).iterdir())
    assert re.fullmatch(r"kebab-\d{4}-\d\d-\d\d\.log", name)
    lines = entries(bare)
    assert all({"ts", "level", "event", "pid"} <= set(line) for line in lines)
    assert len({line["run_id"] for line in lines}) == 1
    assert [line["event"] for line in lines] == ["ingest_started", *["asset_finished"] * 4, "ingest_completed"]
    assert [line["path"] for line in lines[1:-1]] == ["bad.md", "dev/backup.md", "rice.md", "쌀/현미밥.md"]
    assert {line["result"] for line in lines[1:-1]} == {"new"}
    well(kebab(bare, "ingest", "--quiet"))
    runs = {line["run_id"] for line in entries(bare)}
    assert len(runs) == 2


def test_a_line_about_a_document_names_its_id(bare: Path) -> None:
    well(kebab(bare, "ingest", "--quiet"))
    ids = {doc["doc_path"]: doc["doc_id"] for doc in answer(bare, "list", "docs")["docs"]}
    lines = [line for line in entries(bare) if line["event"] == "asset_finished"]
    assert {line["path"]: line.get("doc_id") for line in lines} == ids


def test_a_search_is_logged_with_the_chunks_it_found(home: Path) -> None:
    hits = search(home, "현미밥")
    line = entries(home)[-1]
    assert (line["event"], line["query"]) == ("search", "현미밥")
    assert line["chunk_ids"] == [hit["chunk_id"] for hit in hits]


def test_only_the_owner_can_read_logs_and_index(bare: Path) -> None:
    well(kebab(bare, "ingest", "--quiet"))
    well(kebab(bare, "search", "rice"))
    data = bare / ".local/share/kebab"
    for folder in (bare / LOGS, data):
        assert mode(folder) == 0o700
        for path in folder.iterdir():
            assert mode(path) == 0o600, path


def test_copies_of_originals_and_the_config_are_private_too(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plant(home / "notes", {"a.md": "# A\n"})
    well(kebab(home, "init", "--workspace", home / "notes"))
    well(kebab(home, "config", "set", "storage.copy_threshold_mb", "1"))
    well(kebab(home, "ingest", "--quiet"))
    assert mode(home / ".config/kebab/config.toml") == 0o600
    copies = [path for path in (home / ".local/share/kebab/assets").rglob("*") if path.is_file()]
    assert len(copies) == 1
    assert mode(copies[0]) == 0o600
    assert mode(copies[0].parent) == 0o700
    assert mode(home / ".local/share/kebab/assets") == 0o700


def test_files_older_than_thirty_days_are_removed_and_no_others(home: Path) -> None:
    today = datetime.now(UTC)
    names = {days: f"kebab-{today - timedelta(days=days):%Y-%m-%d}.log" for days in (1, 29, 32, 400)}
    plant(home / LOGS, {**dict.fromkeys(names.values(), "{}\n"), "notes of mine.txt": "x"})
    well(kebab(home, "ingest", "--quiet"))
    left = {path.name for path in (home / LOGS).iterdir()}
    assert left >= {names[1], names[29], "notes of mine.txt"}
    assert not left & {names[32], names[400]}


def test_a_log_that_cannot_be_written_stops_nothing(bare: Path) -> None:
    plant(bare, {".local/state": "a file where a folder should be"})
    assert answer(bare, "ingest")["new"] == 3
    assert search(bare, "brown rice")


def test_the_level_of_the_config_holds(bare: Path) -> None:
    well(kebab(bare, "ingest", "--quiet", env={"KEBAB_LOGGING_LEVEL": "error"}))
    assert not (bare / LOGS).exists()
