"""A document cannot drive the reader's terminal: nothing of its control or direction characters reaches a screen."""

import re
from pathlib import Path

import pytest
from kebab_process import Done, answer, kebab, on_terminal, side_by_side, well, write_config

OURS = re.compile(r"\x1b\[(?:0|1|2|31|32|33|36|1;33)m|\x1b\]8;;file:///[!-~]*\x1b\\|\x1b\]8;;\x1b\\")
UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
EVIL = "\x1b[45m\x1b]0;owned\x07\x1b[2J\u202eesrever\u2066\x9b5m\x08\r"
NOTE = f"""---
title: "title \\e[45m \\e]0;owned\\a \\u202E pelican"
tags: ["tag \\e[45m"]
created: "\\e[45m"
---
# Heading {EVIL} pelican

Text {EVIL} pelican.

## Section {EVIL}

More pelican {EVIL} text.
"""
NAME = "bidi \u202edm.md"
COMMANDS = [
    ("search", "pelican"),
    ("search", "pelican", "--format", "md"),
    ("search", "pelican", "--format", "csv"),
    ("search", "pelican", "--format", "paths"),
    ("ask", "more pelican text"),
    ("ask", "more pelican text", "--explain"),
    ("list", "docs"),
    ("inspect", "doc", NAME),
    ("inspect", "chunk", "{chunk}"),
    ("inspect", "chunk", "{last}"),
    ("ingest", "--force-reingest"),
    ("doctor",),
    ("reset", "--orphans-only"),
]


@pytest.fixture(scope="module")
def evil_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("evil")
    write_config(home / ".config/kebab/config.toml", "../../notes", "../../data")
    (home / "notes").mkdir()
    (home / "notes" / NAME).write_bytes(NOTE.encode())
    (home / "notes" / "gone \u202edm.md").write_bytes(b"# Gone\n")
    well(kebab(home, "ingest", "--quiet"))
    return home


@pytest.fixture(scope="module")
def screens(evil_home: Path) -> dict[tuple[str, ...], Done]:
    """What each command shows on a terminal."""
    chunks = answer(evil_home, "inspect", "doc", NAME)["chunks"]

    def run(command: tuple[str, ...]) -> Done:
        given = [word.format(chunk=chunks[0]["chunk_id"], last=chunks[-1]["chunk_id"]) for word in command]
        return on_terminal(evil_home, *given)

    shown = side_by_side(run, COMMANDS[:-1])
    (evil_home / "notes" / "gone \u202edm.md").unlink()
    return shown | {COMMANDS[-1]: run(COMMANDS[-1])}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_a_document_drives_the_terminal(
    command: tuple[str, ...], screens: dict[tuple[str, ...], Done]
) -> None:
    done = well(screens[command])
    shown = OURS.sub("", done.out)
    if command[0] == "ingest":  # the bar is drawn over itself
        shown = re.sub(r"\x1b\[(?:[0-9;]*m|\?25[hl]|[12]K|1A)|\r", "", shown)
    assert shown.strip()
    assert "\x1b[45m" not in done.out
    assert UNWANTED.findall(shown) == []


def test_plain_progress_shows_no_control_characters_of_names_or_errors(evil_home: Path) -> None:
    env = {"KEBAB_PROGRESS": "plain"}
    done = well(on_terminal(evil_home, "ingest", "--force-reingest", streams=("stderr",), env=env))
    assert "new" in done.err or "updated" in done.err
    assert UNWANTED.findall(done.err.replace("\r", "")) == []


def test_errors_show_no_control_characters(evil_home: Path) -> None:
    for arguments in (("inspect", "doc", "no\x1b[45m\u202e.md"), ("ingest", "no\x1b[45m\u202e"), ("no\x1b[45m",)):
        done = on_terminal(evil_home, *arguments)
        assert done.status == 2
        assert UNWANTED.findall(done.out) == []
