"""Marks to pieces: a scanner says where units begin, and every line then belongs to the unit begun last.

No line can be lost or told twice this way, whatever a scanner makes of a hostile file. Knows no format.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, Symbol
from kebab.core.span import CodePlace
from kebab.parse.building import Piece

MAX_SYMBOL = 200


class Mark(NamedTuple):
    """A unit begins at line `start`; `symbol` None for what has no name. `line` bears the name; 0: it is `start`.

    `name` is the last part of the symbol, when that is not all of it; `kind` is what a person would call the unit.
    """

    start: int
    symbol: str | None = None
    kind: str = ""
    name: str = ""
    line: int = 0


class Unit(NamedTuple):
    mark: Mark
    end: int


Scanner = Callable[[Sequence[str], str], list[Mark]]
"""Lines and the file's workspace path to marks in order of their lines; none when the file has no units."""


def units(marks: Sequence[Mark], lines: Sequence[str]) -> Iterator[Unit]:
    """From each mark to the next, without the blank lines at the end; what stands before the first has no name."""
    if not marks or marks[0].start > 1:
        marks = [Mark(1), *marks]
    ends = [mark.start - 1 for mark in marks[1:]] + [len(lines)]
    for mark, last in zip(marks, ends, strict=True):
        end = last
        while end >= mark.start and is_blank(lines[end - 1]):
            end -= 1
        if end >= mark.start:
            yield Unit(mark, end)


def pieces(found: Sequence[Unit], lang: str, unit: str) -> list[Piece]:
    """`unit` says what the parts of this file are, for those who cut it."""
    payload = {"lang": lang, "unit": unit}
    return [
        Piece(BlockKind.CODE, one.mark.start, one.end, (), payload, CodePlace(_short(one.mark.symbol), lang))
        for one in found
    ]


def symbols(found: Sequence[Unit]) -> list[Symbol]:
    """The named units that have a kind of their own."""
    return [
        Symbol(
            name=(mark.name or mark.symbol)[:MAX_SYMBOL],
            qualified=mark.symbol[:MAX_SYMBOL],
            kind=mark.kind,
            line=mark.line or mark.start,
            end=end,
        )
        for mark, end in found
        if mark.symbol and mark.kind
    ]


def lead(lines: Sequence[str], number: int, after: int, is_comment: Callable[[str], bool]) -> int:
    """The first of the comment lines that stand directly above line `number` and below line `after`."""
    while number - 1 > after and is_comment(lines[number - 2]):
        number -= 1
    return number


def is_blank(line: str) -> bool:
    return not line or line.isspace()


def _short(symbol: str | None) -> str | None:
    return symbol[:MAX_SYMBOL] if symbol else None
