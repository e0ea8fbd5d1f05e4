"""One slide's text: its title, then its shapes, tables and diagrams in the order of the file.

Gets the events of a slide, a notes page or a diagram, gives what they say as items. Slide numbers, dates, headers and
footers are left out, as they say the same on every slide.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from kebab.parse.flow import joined
from kebab.parse.xml import START, TEXT, Attributes, Event, number, without

_SKIPPED = frozenset({"mc:Fallback", "p:transition", "p:timing", "p:extLst", "a:extLst"})
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "ftr", "hdr", "sldImg")
_LISTS = ("body", "obj", "")
MAX_ITEMS = 20_000


class Item(NamedTuple):
    """A paragraph (`depth` from 0 when it is an item of a list, else -1) or a table."""

    text: str
    depth: int = -1
    rows: list[list[str]] | None = None


class Slide(NamedTuple):
    title: str
    items: list[Item]
    hidden: bool


class SlideReader:
    """Shapes and their paragraphs; nothing here nests deeper than a table in a frame."""

    def __init__(self, *, only: str | None = None) -> None:
        """`only` names the one kind of placeholder that is read, as on a notes page; text boxes are none."""
        self._only = only
        self._title: list[str] = []
        self._items: list[Item] = []
        self._hidden = False
        self._holder: str | None = None
        self._words: list[str] | None = None
        self._depth = 0
        self._rows: list[list[str]] | None = None
        self._cell: list[str] | None = None
        self._reading = self._skipped_field = False
        self._opening: dict[str, Callable[[Attributes], None]] = {
            "p:sld": self._open_slide,
            "p:sp": self._open_shape,
            "p:ph": self._place,
            "a:p": self._open_paragraph,
            "a:pPr": self._indent,
            "a:fld": self._open_field,
            "a:br": lambda _: self._say("\n"),
            "a:tbl": self._open_table,
            "a:tr": self._open_row,
            "a:tc": self._open_cell,
        }
        self._closing: dict[str, Callable[[], None]] = {
            "a:p": self._close_paragraph,
            "a:fld": self._close_field,
            "a:tc": self._close_cell,
            "a:tbl": self._close_table,
            "p:sp": self._close_shape,
        }

    def read(self, stream: Iterable[Event]) -> Slide:
        for kind, value, attributes in without(stream, _SKIPPED):
            if kind is TEXT:
                if self._reading:
                    self._say(value)
            elif kind is START:
                self._reading = value in ("a:t", "m:t") and not self._skipped_field
                if (opening := self._opening.get(value)) is not None:
                    opening(attributes)
            else:
                self._reading = False
                if (closing := self._closing.get(value)) is not None:
                    closing()
            if len(self._items) >= MAX_ITEMS:
                break
        return Slide(joined(self._title), self._items, self._hidden)

    def _say(self, words: str) -> None:
        if self._words is not None:
            self._words.append(words)

    def _open_slide(self, attributes: Attributes) -> None:
        self._hidden = attributes.get("show") in ("0", "false")

    def _open_shape(self, _: Attributes) -> None:
        self._holder = None

    def _close_shape(self) -> None:
        self._holder = None

    def _place(self, attributes: Attributes) -> None:
        self._holder = attributes.get("type", "")

    def _open_paragraph(self, _: Attributes) -> None:
        self._words, self._depth = [], 0

    def _indent(self, attributes: Attributes) -> None:
        self._depth = number(attributes.get("lvl"))

    def _open_field(self, attributes: Attributes) -> None:
        self._skipped_field = attributes.get("type", "").startswith(("slidenum", "datetime"))

    def _close_field(self) -> None:
        self._skipped_field = False

    def _close_paragraph(self) -> None:
        words, self._words = "".join(self._words or ()).strip(), None
        holder = self._holder
        if not words or holder in _FURNITURE or (self._only is not None and holder not in (None, self._only)):
            return
        if self._cell is not None:
            self._cell.append(words)
        elif holder in _TITLES:
            self._title.append(words)
        else:
            self._items.append(Item(words, self._depth if holder in _LISTS and self._only is None else -1))

    def _open_table(self, _: Attributes) -> None:
        self._rows = []

    def _open_row(self, _: Attributes) -> None:
        if self._rows is not None:
            self._rows.append([])

    def _open_cell(self, _: Attributes) -> None:
        self._cell = []

    def _close_cell(self) -> None:
        cell, self._cell = self._cell or [], None
        if self._rows:
            self._rows[-1].append(joined(cell))

    def _close_table(self) -> None:
        rows, self._rows = self._rows, None
        if rows and any(map(any, rows)):
            self._items.append(Item("", rows=rows))
