"""Ctrl-C: the first finishes the file at hand and says what was done, the second stops at once."""

import json
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from kebab_process import TIMEOUT, Json, answer, plant, search, start, write_config

from wire_schemas import check

FILES = 300


def read_until(process: Any, kind: str) -> list[Json]:
    """The lines up to the first of this kind. What follows stays in the pipe, so that the run cannot get far ahead."""
    seen: list[Json] = []
    while not seen or seen[-1].get("kind") != kind:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        seen.append(json.loads(line))
    return seen


def read_rest(process: Any) -> tuple[list[Json], str]:
    # Not communicate(): it reads past the lines that readline() has taken into its buffer already.
    with process.stdout, process.stderr:
        out, err = process.stdout.read(), process.stderr.read()
    process.wait(TIMEOUT)
    return [json.loads(line) for line in out.splitlines()], err.decode()


def notes_in(folder: Path) -> Path:
    body = "".join(f"## Part {part}\n\nA pelican at the harbour, 항구의 사다새.\n\n" for part in range(8))
    plant(folder / "notes", {f"{number:04}.md": f"# Note {number}\n\n{body}" for number in range(FILES)})
    return write_config(folder / "kebab.toml")


def test_ctrl_c_finishes_the_file_at_hand_and_the_next_run_completes(tmp_path: Path) -> None:
    config = notes_in(tmp_path)
    process = start(tmp_path, "ingest", "--json", "--config", config)
    lines = read_until(process, "asset_finished")
    process.send_signal(signal.SIGINT)
    rest, err = read_rest(process)
    lines += rest
    for line in lines:
        check(line)
    assert process.returncode == 130
    assert err == ""

    *events, last, report = lines
    assert last["kind"] == "aborted"
    assert report["schema_version"] == "ingest_report.v1"
    assert report["aborted"] is True
    assert sum(event["kind"] in ("completed", "aborted") for event in [*events, last]) == 1
    started = [event["idx"] for event in events if event["kind"] == "asset_started"]
    finished = [event["idx"] for event in events if event["kind"] == "asset_finished"]
    assert started == finished == list(range(1, len(started) + 1)), "no file was left half done"
    assert 1 <= len(finished) < FILES
    assert report["new"] == last["counts"]["new"] == len(finished)
    assert len(answer(tmp_path, "list", "docs", "--config", config)["docs"]) == len(finished), "what was done is kept"
    assert answer(tmp_path, "doctor", "--config", config)["ok"] is True

    resumed = answer(tmp_path, "ingest", "--config", config)
    assert resumed["aborted"] is False
    assert (resumed["unchanged"], resumed["new"]) == (len(finished), FILES - len(finished))


def test_ctrl_c_drops_nothing_that_it_did_not_get_to(tmp_path: Path) -> None:
    """A stopped run has not seen every file, so it may not take the unseen ones for deleted."""
    config = notes_in(tmp_path)
    assert answer(tmp_path, "ingest", "--config", config)["new"] == FILES
    process = start(tmp_path, "ingest", "--json", "--force-reingest", "--config", config)
    read_until(process, "asset_finished")
    process.send_signal(signal.SIGINT)
    rest, _ = read_rest(process)
    assert rest[-1]["aborted"] is True
    assert rest[-1]["purged_deleted_files"] == 0
    assert len(answer(tmp_path, "list", "docs", "--config", config)["docs"]) == FILES


def test_a_person_is_told_that_it_stopped(tmp_path: Path) -> None:
    config = notes_in(tmp_path)
    process = start(tmp_path, "ingest", "--config", config, env={"KEBAB_PROGRESS": "plain"})
    while not process.stderr.readline().startswith(b"[1/"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert out.startswith(b"stopped: ")
    assert b"Traceback" not in err


def test_a_second_ctrl_c_stops_at_once_and_leaves_the_index_sound(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    paragraph = "A pelican at the harbour, 항구의 사다새가 등불을 본다.\n\n"
    plant(tmp_path / "notes", {"a.md": "# Small\n\npelican\n", "b.md": "# Large\n\n" + paragraph * 120_000})
    process = start(tmp_path, "ingest", "--json", "--config", config)
    lines = read_until(process, "asset_finished")
    lines += read_until(process, "asset_started")
    assert lines[-1]["path"] == "b.md"
    # Two signals close together count as one, so the second is repeated until it was heard.
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
            break
    rest, err = read_rest(process)
    assert process.returncode == 130
    kinds = [line.get("kind") for line in rest]
    assert "asset_finished" not in kinds, "the large file was given up"
    assert "completed" not in kinds
    error = json.loads(err)
    check(error)
    assert error["code"] == "canceled"
    assert answer(tmp_path, "doctor", "--config", config)["ok"] is True
    assert [hit["doc_path"] for hit in search(tmp_path, "pelican", "--config", str(config))] == ["a.md"]
