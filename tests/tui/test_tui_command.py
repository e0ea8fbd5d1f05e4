"""`kebab tui` itself: what it refuses, and the real thing in a terminal of its own."""

import importlib
import importlib.util
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tui_bench import Notes

from kebab.ui.cli.main import _status

command = importlib.import_module("kebab.ui.cli.tui")
pty = pytest.importorskip("pty")
REPOSITORY = Path(__file__).resolve().parents[2]
COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:3[0-7]|4[0-7]|38;|48;|9[0-7]|10[0-7])[0-9;]*m")
_PATIENCE_SECONDS = 60


def test_without_a_terminal_there_is_nothing_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert _status(["tui"]) == 2
    assert "`kebab tui` needs a terminal" in capsys.readouterr().err


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_has_terminal", lambda: True)


@pytest.mark.usefixtures("terminal")
def test_json_and_a_server_are_not_for_people_at_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert _status(["tui", "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["code"] == "invalid_input"
    assert _status(["tui", "--server", "http://127.0.0.1:9"]) == 2
    assert "`kebab tui` reads the index itself" in capsys.readouterr().err


@pytest.mark.usefixtures("terminal")
def test_without_its_package_the_command_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec

    def missing(name: str, *more: Any) -> Any:
        return None if name == "textual" else found(name, *more)

    monkeypatch.setattr("importlib.util.find_spec", missing)
    assert _status(["tui"]) == 2
    assert "pip install 'kebab[tui]'" in capsys.readouterr().err


def test_the_help_of_the_command_loads_no_framework() -> None:
    code = (
        "import sys\nfrom kebab.ui.cli.main import _status\n_status(['tui', '--help'])\nprint('textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


class Shell:
    """A terminal of 80 by 24 with `kebab tui` in it."""

    def __init__(self, notes: Notes, **variables: str) -> None:
        env = {"PATH": os.environ["PATH"], "HOME": str(notes.home), "PYTHONPATH": str(REPOSITORY / "src"), **variables}
        flags = [
            f"workspace.root={notes.root}",
            f"storage.data_dir={notes.home / 'data'}",
            "models.embedding.provider=none",
        ]
        words = [word for flag in flags for word in ("--set", flag)]
        self.seen = b""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-m", "kebab", "tui", *words], env)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def until(self, words: str) -> None:
        until = time.monotonic() + _PATIENCE_SECONDS
        while words.encode() not in self.seen:
            assert time.monotonic() < until, self.seen.decode("utf-8", "replace")
            if select.select([self.end], [], [], 0.1)[0]:
                self.seen += os.read(self.end, 65536)

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def status(self) -> int:
        """Of the process, read to its end."""
        while True:
            try:
                part = os.read(self.end, 65536)
            except OSError:
                part = b""
            if not part:
                break
            self.seen += part
        os.close(self.end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_in_a_plain_terminal_without_colour_it_searches_in_korean_and_leaves_it_as_it_was(notes: Notes) -> None:
    shell = Shell(notes, TERM="vt100", NO_COLOR="1", LANG="ko_KR.UTF-8")
    shell.until("단어 검색만")
    shell.type("현미")
    shell.until("압력밥솥")
    assert COLOUR.search(shell.seen) is None
    shell.type("\x11")
    assert shell.status() == 0
    # The other screen is left, and the cursor is seen again.
    assert shell.seen.rindex(b"\x1b[?1049l") > shell.seen.rindex(b"\x1b[?1049h")
    assert shell.seen.rindex(b"\x1b[?25h") > shell.seen.rindex(b"\x1b[?25l")


def test_sent_to_the_background_it_gives_the_terminal_back_and_is_drawn_anew_when_it_returns(notes: Notes) -> None:
    shell = Shell(notes, TERM="xterm", LANG="C.UTF-8")
    shell.until("chunks")
    shell.type("\x1a")
    assert os.WIFSTOPPED(os.waitpid(shell.pid, os.WUNTRACED)[1])
    shell.until("\x1b[?1049l")
    shell.seen = b""
    os.kill(shell.pid, signal.SIGCONT)
    shell.until("chunks")
    shell.until("Search: ")
    shell.type("\x11")
    assert shell.status() == 0


def test_told_to_end_it_leaves_the_terminal_as_it_was(notes: Notes) -> None:
    shell = Shell(notes, TERM="xterm", LANG="C.UTF-8")
    shell.until("chunks")
    os.kill(shell.pid, signal.SIGTERM)
    assert shell.status() == 128 + signal.SIGTERM
    assert shell.seen.rindex(b"\x1b[?1049l") > shell.seen.rindex(b"\x1b[?1049h")


def test_the_index_at_a_glance_is_made_anew_only_when_it_has_changed(notes: Notes) -> None:
    app = notes.open(None)  # type: ignore[arg-type]
    try:
        first = app.pulse()
        assert (first.documents, first.stale, first.embedding, first.language_model) == (3, 0, "none", "extractive-v1")
        assert app.pulse(first) is first
        notes.write("new.md", "# New\n\nwords\n")
        notes.ingest()
        second = app.pulse(first)
        assert (second.documents, second.chunks) == (4, first.chunks + 1)
    finally:
        app.close()
