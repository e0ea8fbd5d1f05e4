"""Tables as text: the rows of a csv or tsv file, in blocks that know the names of the columns.

A row is the file's own lines. Columns are read from the first row only, to be told; no cell is rendered anew.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, UserValue
from kebab.parse.building import Piece

MAX_ROWS = 50_000
ROWS_PER_BLOCK = 100

# A quote that is never closed must not make one row of the whole file.
_MAX_ROW_LINES = 200
_MAX_COLUMNS = 100
_MAX_HEADER = 10_000
_MAX_CELL = 80
_MAX_PATH = 300
_SEPARATORS = (",", "\t", ";", "|")
_NUMBER = re.compile(r"[-+]?[\d.,:/ -]+%?")


class Table(NamedTuple):
    pieces: Sequence[Piece]
    warnings: Sequence[str] = ()


def read(lines: Sequence[str], separator: str | None) -> Table:
    """Blocks of whole rows. `separator` None: the one that the first row holds most of."""
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return Table(())
    head = lines[first][:_MAX_HEADER]
    names = _names(head, separator or max(_SEPARATORS, key=head.count))
    path = (", ".join(names)[:_MAX_PATH],) if names else ()
    ends = list(_row_ends(lines, first))
    pieces: list[Piece] = []
    start = first + 1
    for at in range(0, min(len(ends), MAX_ROWS), ROWS_PER_BLOCK):
        last = min(at + ROWS_PER_BLOCK, len(ends), MAX_ROWS) - 1
        payload: dict[str, UserValue] = {"headers": list(names), "rows": last - at + 1}
        pieces.append(Piece(BlockKind.TABLE, start, ends[last], path, payload))
        start = ends[last] + 1
    left = len(ends) - MAX_ROWS
    return Table(pieces, [f"rows: the first {MAX_ROWS} are in the index, {left} are not"] if left > 0 else ())


def _row_ends(lines: Sequence[str], first: int) -> Iterator[int]:
    """The line number each row ends at; a quoted cell may hold line breaks."""
    quotes = started = 0
    for number in range(first + 1, len(lines) + 1):
        line = lines[number - 1]
        quotes += line.count('"')
        if not quotes % 2 or number - started >= _MAX_ROW_LINES or number == len(lines):
            quotes = 0
            if line.strip() or started < number - 1:
                yield number
            started = number


def _names(head: str, separator: str) -> list[str]:
    """The cells of the first row when they can be names: words, none of them a number."""
    try:
        cells = next(csv.reader([head], delimiter=separator), [])
    except csv.Error:
        cells = head.split(separator)
    names = [cell.strip()[:_MAX_CELL] for cell in cells[:_MAX_COLUMNS]]
    words = [name for name in names if name]
    return names if len(words) * 2 > len(names) and not any(map(_NUMBER.fullmatch, words)) else []
