"""What a terminal shows: colours, links, the width of Hangul, and no control character from a document."""

import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Joiners and the soft hyphen: invisible, but words and emoji are made with them.
_HARMLESS = "\u200c\u200d\u00ad"
# Fewer columns say less than a row that runs over.
_WORTH_SEEING = 12
Ranges = Sequence[tuple[int, int]]


def printable(text: str) -> str:
    """Same length, but nothing in it can move the cursor, set colours or turn the reading direction."""
    if text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char.isprintable() or char in _HARMLESS:
        return char
    return " " if char.isspace() else "\ufffd"


def terminal_width(default: int = 80) -> int:
    """COLUMNS, else the terminal's own width, else `default`; shutil knows this too but costs 3 ms to load."""
    if (given := os.environ.get("COLUMNS", "")).isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns or default
    except (OSError, ValueError):
        return default


def char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or _joins_a_syllable(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _joins_a_syllable(char: str) -> bool:
    """Vowels and finals of Hangul in its decomposed form: they stand in the two columns of their first consonant."""
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7ff"


def display_width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(char_width, text))


def pad(text: str, width: int) -> str:
    """At least `width` columns, whatever script it is in."""
    return text + " " * max(0, width - display_width(text))


def fit(text: str, width: int) -> str:
    """At most `width` columns, with a mark where something was left out."""
    if display_width(text) <= width:
        return text
    used, end = 1, 0
    while used + char_width(text[end]) <= width:
        used += char_width(text[end])
        end += 1
    return f"{text[:end].rstrip()}…"


def fitted_to_screen(line: str, cell: str) -> str:
    """`line` with `cell` at its end: whole for a program, cut to what is left of the row for a person."""
    rest = terminal_width() - display_width(line)
    return line + (fit(cell, rest) if sys.stdout.isatty() and rest >= _WORTH_SEEING else cell)


def hung_on_screen(line: str, cell: str) -> list[str]:
    """`line` with `cell` at its end: whole for a program; for a person the cell goes on below itself."""
    indent = display_width(line)
    rest = terminal_width() - indent
    if not sys.stdout.isatty() or rest < _WORTH_SEEING:
        return [line + cell]
    first, *more = (text for text, _ in wrap(printable(cell), (), rest))
    return [line + first, *(" " * indent + text for text in more)]


def runs_over(lines: Sequence[str]) -> bool:
    """Whether a person would see lines that are broken; a program takes any length."""
    return sys.stdout.isatty() and max(map(display_width, lines), default=0) > terminal_width()


def wrap(text: str, marks: Ranges, width: int) -> Iterator[tuple[str, Ranges]]:
    """Lines of at most `width` columns, cut at spaces where there are any, each with the marks that fall on it."""
    start = 0
    while start < len(text):
        end = line_end(text, start, max(width, 10))
        line = text[start:end].rstrip()
        inside = [(max(a, start) - start, min(b, start + len(line)) - start) for a, b in marks]
        yield line, [(a, b) for a, b in inside if a < b]
        start = end
        while start < len(text) and text[start] == " ":
            start += 1


def line_end(text: str, start: int, width: int) -> int:
    used = 0
    for index in range(start, len(text)):
        used += char_width(text[index])
        if used > width:
            space = text.rfind(" ", start + 1, index + 1)
            return space if space > start else max(index, start + 1)
    return len(text)


class Style(NamedTuple):
    """Adds escapes only when `on`."""

    on: bool

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    def bold(self, text: str) -> str:
        return self._paint(text, "1")

    def dim(self, text: str) -> str:
        return self._paint(text, "2")

    def section(self, text: str) -> str:
        return self._paint(text, "36")

    def warn(self, text: str) -> str:
        return self._paint(text, "33")

    def good(self, text: str) -> str:
        return self._paint(text, "32")

    def bad(self, text: str) -> str:
        return self._paint(text, "31")

    def link(self, text: str, uri: str) -> str:
        """OSC 8: terminals that know it make the text clickable, the others show it as it is."""
        return f"\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\" if self.on else text

    def highlight(self, text: str, marks: Ranges) -> str:
        if not self.on:
            return text
        parts, at = [], 0
        for start, end in marks:
            parts += [text[at:start], self._paint(text[start:end], "1;33")]
            at = end
        return "".join([*parts, text[at:]])
