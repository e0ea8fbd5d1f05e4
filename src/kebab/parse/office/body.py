"""Paragraphs, tables, text boxes and notes as they open and close in a file, however they nest, into a `Flow`.

Gets opens and closes in matching pairs, as well-formed XML gives them, and text in between; pairs may stand anywhere.
What it decides is where words go: to the flow, into the cell that encloses them, after the paragraph a box is anchored
in, or to the notes.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from kebab.parse.flow import Flow, joined

NOTES = "Notes"
MAX_NOTES = 10_000
MAX_SPAN = 64
# Words move out of a box or an inner table once per level, so that both are bounded.
MAX_BOXES = 8
MAX_INNER = 100_000


class Look(NamedTuple):
    """What a paragraph is: a heading with a level from 1, an item of a list with a depth from 0, or neither."""

    heading: int = 0
    item: int = -1


PLAIN = Look()


class _Found(NamedTuple):
    """A paragraph, or a table as rows of cells."""

    look: Look
    text: str
    rows: "list[list[str]] | None" = None


@dataclass(slots=True)
class _Paragraph:
    parts: list[str] = field(default_factory=list)
    boxes: list[_Found] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    rows: list[list[list[_Found]]] = field(default_factory=list)


@dataclass(slots=True)
class _Holder:
    """A cell, a text box or a note: what is in it waits until it closes."""

    found: list[_Found]
    shared: bool = False


class Body:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.notes: list[tuple[str, str]] = []
        self._stack: list[_Paragraph | _Table | _Holder] = []
        self._holders: list[_Holder] = []

    def text(self, words: str) -> None:
        """Words of the open paragraph; outside of one there are none."""
        if self._stack and isinstance(self._stack[-1], _Paragraph):
            self._stack[-1].parts.append(words)

    def open_paragraph(self) -> None:
        self._stack.append(_Paragraph())

    def close_paragraph(self, look: Look = PLAIN) -> None:
        paragraph = self._stack.pop()
        assert isinstance(paragraph, _Paragraph)
        self._put(_Found(look, "".join(paragraph.parts)))
        for found in paragraph.boxes:
            self._put(found)

    def clear_paragraph(self) -> None:
        """Forget the words of the open paragraph."""
        if self._stack and isinstance(self._stack[-1], _Paragraph):
            self._stack[-1].parts.clear()

    def open_table(self) -> None:
        self._stack.append(_Table())

    def open_row(self) -> None:
        if (rows := self._rows()) is not None:
            rows.append([])

    def drop_row(self) -> None:
        if rows := self._rows():
            rows.pop()

    def open_cell(self) -> None:
        self._hold(_Holder([]))

    def close_cell(self, span: int = 1) -> None:
        cell = self._release()
        if (rows := self._rows()) is None:
            for found in cell.found:
                self._put(found)
            return
        if not rows:
            rows.append([])
        rows[-1] += [cell.found, *[[]] * (min(max(span, 1), MAX_SPAN) - 1)]

    def close_table(self) -> None:
        """A table of one cell is a frame around text; any other is rows."""
        table = self._stack.pop()
        assert isinstance(table, _Table)
        cells = [cell for row in table.rows for cell in row if cell]
        if len(cells) == 1 and len(self._holders) < MAX_BOXES:
            self._anchor(cells[0])
        elif cells:
            rows = [[joined(map(_plain, cell)) for cell in row] for row in table.rows]
            self._anchor([_Found(PLAIN, "", rows)])

    def open_box(self) -> None:
        nested = len(self._holders) >= MAX_BOXES
        self._hold(_Holder(self._holders[-1].found, shared=True) if nested else _Holder([]))

    def close_box(self) -> None:
        """What stood in a box follows the paragraph it is anchored in."""
        box = self._release()
        if not box.shared:
            self._anchor(box.found)

    def discard_box(self) -> None:
        """A box whose words are not wanted, such as a page header."""
        self._release()

    def close_note(self, label: str) -> None:
        """A box whose words go to the end of the document."""
        box = self._release()
        words = "" if box.shared else joined(map(_plain, box.found))
        if words and len(self.notes) < MAX_NOTES:
            self.notes.append((label, words))

    def write_notes(self) -> None:
        if self.notes:
            self.flow.heading(1, NOTES)
        for label, words in self.notes:
            self.flow.paragraph(f"{label} {words}")

    def _rows(self) -> list[list[list[_Found]]] | None:
        table = self._stack[-1] if self._stack else None
        return table.rows if isinstance(table, _Table) else None

    def _hold(self, holder: _Holder) -> None:
        self._stack.append(holder)
        self._holders.append(holder)

    def _release(self) -> _Holder:
        holder = self._stack.pop()
        assert holder is self._holders.pop()
        assert isinstance(holder, _Holder)
        return holder

    def _anchor(self, found: list[_Found]) -> None:
        """Tables and boxes inside a paragraph follow it."""
        anchor = self._stack[-1] if self._stack else None
        if isinstance(anchor, _Paragraph):
            anchor.boxes.extend(found)
            return
        for each in found:
            self._put(each)

    def _put(self, found: _Found) -> None:
        if found.rows is None and not found.text.strip():
            return
        if self._holders:
            self._holders[-1].found.append(found)
        elif found.rows is not None:
            self.flow.table(found.rows)
        elif found.look.heading:
            self.flow.heading(found.look.heading, found.text)
        elif found.look.item >= 0:
            self.flow.item(found.text, found.look.item)
        else:
            self.flow.paragraph(found.text)


def _plain(found: _Found) -> str:
    """A paragraph or a whole table as text, for a cell or a note."""
    if found.rows is None:
        return found.text
    rows = (", ".join(cell for cell in row if cell) for row in found.rows)
    return "; ".join(words for words in rows if words)[:MAX_INNER]
