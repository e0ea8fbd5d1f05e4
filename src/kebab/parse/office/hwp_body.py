"""Records of an HWP 5 section, one after the other, into a `Body`.

Records have levels instead of ends: whatever is open at the level of a new record, or below, ends with it. A list of
paragraphs (a cell, a text box) has the level of its paragraphs, so it is kept half a level above them.
"""

import struct
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from kebab.parse.office.body import Body, Look
from kebab.parse.office.hwp_records import CONTROL, LIST, PARAGRAPH, TEXT, Record, characters

_TABLE, _SHAPE, _FOOTNOTE, _ENDNOTE = "tbl ", "gso ", "fn  ", "en  "


class _Open(NamedTuple):
    depth: int
    close: Callable[[], None]
    control: str = ""


class HwpBody:
    def __init__(self, body: Body, levels: list[int]) -> None:
        self._body = body
        self._levels = levels
        self._open: list[_Open] = []
        self._rows: list[int] = []
        self._cited = 0

    def take(self, record: Record) -> None:
        if record.tag == PARAGRAPH:
            self._close_from(record.level * 2)
            self._open_paragraph(record)
        elif record.tag == TEXT:
            self._body.text(characters(record.data))
        elif record.tag == CONTROL:
            self._close_from(record.level * 2 - 1)
            self._open_control(record)
        elif record.tag == LIST:
            self._close_from(record.level * 2 - 1)
            self._open_list(record)

    def finish(self) -> None:
        """The end of a section ends all that is open."""
        self._close_from(-2)

    def _close_from(self, depth: int) -> None:
        while self._open and self._open[-1].depth >= depth:
            self._open.pop().close()

    def _open_paragraph(self, record: Record) -> None:
        style = record.data[10] if len(record.data) > 10 else 0
        level = self._levels[style] if style < len(self._levels) else 0
        self._body.open_paragraph()
        self._open.append(_Open(record.level * 2, partial(self._body.close_paragraph, Look(heading=level))))

    def _open_control(self, record: Record) -> None:
        control = record.data[3::-1].decode("latin-1")
        if control == _TABLE:
            self._body.open_table()
            self._rows.append(-1)
            self._open.append(_Open(record.level * 2, self._close_table, control))
        else:
            self._open.append(_Open(record.level * 2, _nothing, control))

    def _close_table(self) -> None:
        self._rows.pop()
        self._body.close_table()

    def _open_list(self, record: Record) -> None:
        """The paragraphs of a cell, a box or a note; those of any other object are not part of the text."""
        control = self._open[-1].control if self._open else ""
        depth = record.level * 2 - 1
        if control == _TABLE:
            self._open_cell(record, depth)
            return
        close = self._body.discard_box
        if control == _SHAPE:
            close = self._body.close_box
        elif control in (_FOOTNOTE, _ENDNOTE):
            self._cited += 1
            label = f"[^{'e' if control == _ENDNOTE else ''}{self._cited}]"
            self._body.text(label)
            close = partial(self._body.close_note, label)
        self._body.open_box()
        self._open.append(_Open(depth, close))

    def _open_cell(self, record: Record, depth: int) -> None:
        row, span = struct.unpack_from("<HH", record.data, 10) if len(record.data) >= 14 else (self._rows[-1], 1)
        if row != self._rows[-1]:
            self._rows[-1] = row
            self._body.open_row()
        self._body.open_cell()
        self._open.append(_Open(depth, partial(self._body.close_cell, span)))


def _nothing() -> None:
    """A control without words of its own has nothing to close."""
