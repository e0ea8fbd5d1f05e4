"""Long text for a person at a terminal goes through a pager; whatever fits the screen, and every pipe, does not."""

import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from kebab.ui.terminal import display_width, terminal_width

# Colours, and links as `Style` makes them.
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\")
_LESS = ("less", "-FRX")


@contextmanager
def paged() -> Iterator[None]:
    """What is printed inside is held back, and shown at the end in one way or the other."""
    program = _program()
    if not program:
        yield
        return
    screen = sys.stdout
    held = _Held(screen.encoding)
    sys.stdout = held
    try:
        yield
    finally:
        sys.stdout = screen
        _show(held.getvalue(), program)


class _Held(io.StringIO):
    """Stands in for the terminal, so that what is printed looks as it would there."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


def _program() -> list[str]:
    """Empty where nothing is to be paged."""
    if not sys.stdout.isatty() or os.environ.get("KEBAB_NO_PAGER") or os.environ.get("TERM") == "dumb":
        return []
    given = os.environ.get("PAGER")
    if given is None:
        return list(_LESS)
    try:
        words = shlex.split(given)
    except ValueError:
        return []
    return [] if words == ["cat"] else list(_LESS) if words == ["less"] else words


def _show(text: str, program: list[str]) -> None:
    if rows(text, terminal_width()) < _screen_rows():
        sys.stdout.write(text)
        return
    import signal
    import subprocess

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager's own, while it is there
    try:
        env = {**os.environ, "LESSCHARSET": "utf-8"}
        raw = text.encode(sys.stdout.encoding or "utf-8", "replace")
        subprocess.run(program, input=raw, env=env, check=False)  # noqa: S603 - the user's own choice
    except (OSError, ValueError):
        sys.stdout.write(text)
    finally:
        signal.signal(signal.SIGINT, before)


def rows(text: str, columns: int) -> int:
    """How many rows of the screen a text takes."""
    lines = text.removesuffix("\n").split("\n")
    return sum(max(1, -(-display_width(_ESCAPES.sub("", line)) // columns)) for line in lines)


def _screen_rows() -> int:
    if (given := os.environ.get("LINES", "")).isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).lines or 24
    except (OSError, ValueError):
        return 24
