"""One sheet's rows, as text in the cells that hold any.

Gets the events of a worksheet and what its cells refer to, gives rows one by one. Formulas count as their last result.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kebab.parse.office.xlsx_values import Formats
from kebab.parse.xml import END, START, TEXT, Attributes, Event, number, without

MAX_COLUMN = 16_384
MAX_STRINGS = 60_000_000
MAX_CELL = 32_768

_CELL = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_SKIPPED = frozenset({"x:f", "x:rPh", "x:extLst", "x:sheetViews", "x:cols", "x:conditionalFormatting"})


class Row(NamedTuple):
    number: int
    cells: dict[int, str]
    """Text by column, from 1."""


def strings(stream: Iterable[Event]) -> list[str]:
    """The texts that cells refer to by number. Readings above a word are left out."""
    found: list[str] = []
    parts: list[str] = []
    reading, room = False, MAX_STRINGS
    for kind, value, _ in without(stream, _SKIPPED):
        if kind is TEXT:
            if reading:
                parts.append(value)
        elif kind is START:
            reading = value == "x:t"
        else:
            reading = False
            if value == "x:si":
                found.append("".join(parts)[: min(MAX_CELL, room)])
                room -= len(found[-1])
                parts = []
    return found


def rows(stream: Iterable[Event], shared: Sequence[str], formats: Formats) -> Iterator[Row]:
    """The rows that hold a word, in the order of the file."""
    row = Row(0, {})
    column = 0
    cell: Attributes = {}
    parts: list[str] = []
    reading = False
    for kind, value, attributes in without(stream, _SKIPPED):
        if kind is TEXT:
            if reading:
                parts.append(value)
            continue
        reading = kind is START and value in ("x:v", "x:t")
        if value == "x:c":
            if kind is START:
                column = _column(attributes.get("r"), column + 1)
                cell, parts = attributes, []
            elif column <= MAX_COLUMN and (text := _text("".join(parts), cell, shared, formats)):
                row.cells[column] = text
        elif value == "x:row":
            if kind is END and row.cells:
                yield row
            column = 0
            row = Row(number(attributes.get("r"), row.number + 1) if kind is START else row.number, {})


def _column(reference: str | None, otherwise: int) -> int:
    match = _CELL.fullmatch(reference or "")
    if not match:
        return otherwise
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return column


def letters(column: int) -> str:
    """A column's name: 1 is A, 27 is AA."""
    found = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        found = chr(65 + rest) + found
    return found


def _text(raw: str, cell: Attributes, shared: Sequence[str], formats: Formats) -> str:
    kind = cell.get("t", "n")
    if kind == "s":
        index = number(raw.strip(), -1)
        raw = shared[index] if 0 <= index < len(shared) else ""
    elif raw:
        raw = formats.show(raw[:MAX_CELL], kind, number(cell.get("s")))
    return " ".join(raw.split())
