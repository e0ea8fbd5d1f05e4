"""A strange shell around kebab (streams that are closed or full, a folder that is gone, words that are no text) is
met with a plain word about it, never with a fault of kebab's own.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from kebab_process import KEBAB, answer, environment, kebab, plant, refusal, search, side_by_side, well

from wire_schemas import check

STRAY = os.fsdecode(b"\xff\xed\xa0\x80")


def test_arguments_that_are_no_text_are_no_fault_of_kebab(home: Path) -> None:
    commands = (
        ("search", STRAY),
        ("search", "rice", "--tag", STRAY),
        ("search", "rice", "--path-glob", STRAY),
        ("list", "docs", "--lang", STRAY),
        ("inspect", "doc", STRAY),
        ("ingest", STRAY),
        ("config", "get", STRAY),
        ("config", "set", "workspace.root", STRAY),
        ("--config", STRAY, "doctor"),
    )
    for command, done in side_by_side(lambda words: kebab(home, *words, "--json"), commands).items():
        assert done.status in (0, 1, 2), command
        for line in (done.out + done.err).splitlines():
            value = json.loads(line)
            check(value)
            assert value.get("code") != "generic", (command, value)


def test_a_folder_whose_name_is_no_text_is_refused_with_a_reason(home: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(home) + b"/n\xffotes"))
    plant(folder, {"a.md": "# A\n"})
    refusal(kebab(home, "ingest", folder, "--json"), "invalid_input")
    assert len(answer(home, "list", "docs")["docs"]) == 3


def test_a_closed_stdin_is_an_empty_one(home: Path) -> None:
    script = 'exec "$@" <&-'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *KEBAB, "ingest-stdin", "--title", "T", "--json"],
        env=environment(home),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert json.loads(done.stderr)["code"] == "invalid_input"


def test_closed_streams_change_nothing_about_the_exit_code(home: Path) -> None:
    for script, words, status in (
        ('exec "$@" >&-', ("search", "rice"), 0),
        ('exec "$@" >&- 2>&-', ("search", "zanzibar"), 1),
        ('exec "$@" 2>&-', ("search", "rice", "--k", "0"), 2),
    ):
        done = subprocess.run(["/bin/sh", "-c", script, "sh", *KEBAB, *words], env=environment(home), check=False)
        assert done.returncode == status


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_output_that_cannot_be_written_is_an_error_of_the_device(home: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*KEBAB, "list", "docs", "--json"], env=environment(home), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1, done.stderr
    error = json.loads(done.stderr)
    check(error)
    assert error["code"] == "io_error"


def test_a_current_folder_that_is_gone_matters_only_to_relative_paths(home: Path) -> None:
    gone = home / "gone"
    script = f'mkdir {gone} && cd {gone} && rmdir {gone} && exec "$@"'
    for words, status in ((("search", "brown rice"), 0), (("ingest",), 0), (("ingest", "."), 2)):
        done = subprocess.run(
            ["/bin/sh", "-c", script, "sh", *KEBAB, *words, "--json"],
            env=environment(home),
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, done.stderr


def test_a_folder_that_is_gone_is_forgotten_with_its_last_document(home: Path) -> None:
    extra = plant(home / "extra", {"whale.md": "# Whale\n"})
    well(kebab(home, "ingest", "--quiet", extra))
    (extra / "whale.md").unlink()
    extra.rmdir()
    kept = answer(home, "ingest")
    assert kept["purged_deleted_files"] == 0, "it may be a disk that is not mounted"
    assert len(kept["warnings"]) == 1
    assert search(home, "whale")[0]["citation"]["freshness"] == "missing"
    assert answer(home, "reset", "--orphans-only")["orphans_purged"] == 1
    assert answer(home, "ingest")["warnings"] == []


def test_output_in_a_narrow_encoding_is_no_error(home: Path) -> None:
    done = subprocess.run(
        [*KEBAB, "search", "현미밥"], env=environment(home, PYTHONIOENCODING="ascii"), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"1. ")
