"""What a PDF says, as values between the steps that read it: segments, rows, pages and the whole.

Distances are tenths of a point, heights count from the bottom of a page.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

# Something of PDFium's, which has no types.
Handle: TypeAlias = Any
# A value from the worker that nobody has checked yet.
Told: TypeAlias = Any


class Segment(NamedTuple):
    """Text on one line without a wide gap. `line` is the line PDFium put it on."""

    text: str
    left: int
    bottom: int
    right: int
    top: int
    line: int


class Row(NamedTuple):
    """A line of a page in reading order; `starts` is where a gap above shows a new paragraph."""

    text: str
    bottom: int
    top: int
    starts: bool = False
    cells: int = 1


# These take all values as one tuple, in order, for a third of the time: a page has hundreds of them.
as_segment: Callable[[tuple[str, int, int, int, int, int]], Segment] = partial(tuple.__new__, Segment)
as_row: Callable[[tuple[str, int, int, bool, int]], Row] = partial(tuple.__new__, Row)


class Page(NamedTuple):
    """`state` is what the reader saw: text, picture, blank or broken. `fields` are lines of forms and notes."""

    number: int
    rows: list[Row]
    state: str
    fields: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A bookmark; a page of None leads nowhere."""

    level: int
    title: str
    page: int | None
    height: int | None


class Facts(NamedTuple):
    pages: int
    title: str = ""
    author: str = ""
    created: str = ""
    changed: str = ""


class Pdf(NamedTuple):
    """All of it, with what could not be read."""

    facts: Facts
    pages: list[Page]
    outline: list[Entry]
    warnings: list[str]
