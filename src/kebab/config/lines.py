"""On which line of a TOML text each key stands. Gets text that is known to parse; knows nothing of its meaning."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SIMPLE = r"(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|[A-Za-z0-9_-]+)"
_DOTTED = rf"{_SIMPLE}(?:[ \t]*\.[ \t]*{_SIMPLE})*"
_STATEMENT = rf"[ \t]*(?:(?P<open>\[\[?)[ \t]*(?P<table>{_DOTTED})[ \t]*\]|(?P<key>{_DOTTED})[ \t]*=)"
# What can span lines, or can hold brackets that are not brackets.
_PIECE = (
    r"\"\"\"(?:\\.|[^\\])*?\"{3,5}|'''.*?'{3,5}"
    r"|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'"
    r"|#[^\n]*|[\[\]{}]|\n"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A table header or a `key = value`, from its `first` to its `last` line, 1-based."""

    path: str
    table: str
    first: int
    last: int

    @property
    def is_header(self) -> bool:
        return self.path == self.table


def statements(text: str) -> list[Statement]:
    """In order. The n-th `[[a.b]]` is called `a.b[n]`, from 0."""
    found: list[Statement] = []
    table, tables_seen = "", dict[str, int]()
    for first, last, line in _logical_lines(text):
        match = re.match(_STATEMENT, line)
        if match is None:
            continue
        if match["open"] is None:
            path = _names(match["key"])
            found.append(Statement(f"{table}.{path}" if table else path, table, first, last))
            continue
        table = _names(match["table"])
        if match["open"] == "[[":
            tables_seen[table] = tables_seen.get(table, -1) + 1
            table = f"{table}[{tables_seen[table]}]"
        found.append(Statement(table, table, first, last))
    return found


def line_numbers(text: str) -> dict[str, int]:
    return {statement.path: statement.first for statement in reversed(statements(text))}


def _logical_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines with the ones that only continue a list or a text folded into the line that began it."""
    lines = text.split("\n")
    continued = _continued(text)
    first = 1
    while first <= len(lines):
        last = first
        while last + 1 in continued:
            last += 1
        yield first, last, lines[first - 1]
        first = last + 1


def _continued(text: str) -> set[int]:
    inside: set[int] = set()
    depth, line = 0, 1
    for match in re.finditer(_PIECE, text, re.DOTALL):
        piece = match[0]
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
        elif breaks := piece.count("\n"):
            if depth > 0 or len(piece) > 1:
                inside.update(range(line + 1, line + breaks + 1))
            line += breaks
    return inside


def _names(dotted: str) -> str:
    return ".".join(name.strip("\"'") for name in re.findall(_SIMPLE, dotted))
