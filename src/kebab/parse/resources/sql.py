"""SQL by statement: what creates or alters something is a unit with its name; what lies between has none.

Strings, comments, quoted names and `$$` bodies hide what is in them. The body of a routine or trigger ends with its own
`END`, or at the delimiter a script has set.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kebab.core.text import LineMap
from kebab.parse.resources.marks import Mark, lead

VERSION = "sql-statements-v1"

_HEAD = 600
# Every form ends at the end of the text too, so that an open one is read once and not again from each place in it.
_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<quoted>'(?:[^'\\]|\\.)*(?:'|\\?\Z)|\"[^\"]*(?:\"|\Z)|`[^`]*(?:`|\Z))"
    r"|(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)"
    r"|^[ \t]*delimiter[ \t]+(?P<delimiter>\S+)"
    r"|\w+|[(),.=<>+*]+|\S",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_UNIT = re.compile(
    r"(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?"
    r"(?:(?:temp|temporary|unlogged|global|local|unique|external|materialized|virtual|recursive|foreign|clustered|"
    r"fulltext|constraint|event|editionable|definer\s*=\s*\S+)\s+)*"
    r"(table|view|index|function|procedure|trigger|type|schema|sequence|database|extension|role|user|policy|domain|"
    r"package|server|publication|subscription|aggregate)\s+"
    r"(?:body\s+)?(?:concurrently\s+)?(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?"
    r"((?:\"[^\"]+\"|`[^`]+`|\[[^\]]+\]|[\w$]+)(?:\s?\.\s?(?:\"[^\"]+\"|`[^`]+`|\[[^\]]+\]|[\w$]+))*)",
    re.IGNORECASE,
)
_ROUTINES = frozenset({"function", "procedure", "trigger", "package"})
# `END IF` and the like close what was never counted.
_END_OF_INNER = re.compile(r"[ \t]+(?:if|loop|while|repeat|for)\b", re.IGNORECASE)
_QUOTES = re.compile(r"[\"`\[\]\s]")


class _Statement(NamedTuple):
    start: int
    kind: str
    name: str


def scan(lines: Sequence[str], _path: str) -> list[Mark]:
    text = "\n".join(lines)
    numbers = LineMap(text)
    marks: list[Mark] = []
    last = 0
    for statement in _statements(text):
        number = numbers.line_at(statement.start)
        if number <= last:
            continue
        if statement.name:
            symbol = f"{statement.kind} {statement.name}"
            start = lead(lines, number, last, _is_comment)
            marks.append(Mark(start, symbol, statement.kind, statement.name, number))
        elif marks and marks[-1].symbol:
            marks.append(Mark(lead(lines, number, last, _is_comment), line=number))
        last = number
    return marks


def _statements(text: str) -> Iterator[_Statement]:
    """The statements in order, from their first word."""
    splitter = _Splitter(text)
    position = 0
    while match := _TOKEN.search(text, position):
        position = match.end()
        if match["comment"]:
            continue
        if match["delimiter"]:
            splitter.set_delimiter(match["delimiter"])
        elif (length := splitter.end_at(match)) > 0:
            position = match.start() + length
        elif begun := splitter.enter(match):
            yield begun
        if match["dollar"] and not splitter.delimiter and splitter.statement:
            closing = text.find(match[0], position)
            position = closing + len(match[0]) if closing >= 0 else len(text)


class _Splitter:
    """Which statement is open, and what would end it."""

    def __init__(self, text: str) -> None:
        self.statement: _Statement | None = None
        self.delimiter = ""
        self._text = text
        self._depth = 0

    def set_delimiter(self, given: str) -> None:
        self.delimiter = "" if given == ";" else given
        self.statement = None

    def end_at(self, match: re.Match[str]) -> int:
        """How many characters of an ending stand here; 0 for none, or when it only ends a part of a body."""
        start = match.start()
        if self.delimiter:
            length = len(self.delimiter) if self._text.startswith(self.delimiter, start) else 0
        elif match[0] == ";":
            length = 1 if self._depth <= 0 else 0
        else:
            length = len(match[0]) if _is_alone(self._text, match) else 0
        if length:
            self.statement = None
        return length

    def enter(self, match: re.Match[str]) -> _Statement | None:
        """The statement that begins with this word, if one does."""
        word = match[0].lower()
        if self.statement is None:
            if word == ";":
                return None
            self.statement, self._depth = _read(self._text, match.start()), 0
            return self.statement
        if self.statement.kind in _ROUTINES and word in ("begin", "case", "end"):
            inner = word == "end" and _END_OF_INNER.match(self._text, match.end())
            self._depth += 0 if inner else -1 if word == "end" else 1
        return None


def _is_alone(text: str, match: re.Match[str]) -> bool:
    """`go` and `/` end a batch of some dialects, alone on their line."""
    if match[0].lower() not in ("go", "/"):
        return False
    before, after = text[max(match.start() - 1, 0) : match.start()], text[match.end() : match.end() + 1]
    return before in ("", "\n") and after in ("", "\n")


def _read(text: str, start: int) -> _Statement:
    match = _UNIT.match(text[start : start + _HEAD])
    if match is None:
        return _Statement(start, "", "")
    return _Statement(start, match[1].lower(), _QUOTES.sub("", match[2]))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("--", "/*", "*"))
