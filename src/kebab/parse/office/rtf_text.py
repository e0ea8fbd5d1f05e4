"""Paragraphs, tables and notes of an RTF file as its words end them, into a `Flow`.

RTF has no elements: a paragraph is what came before `\\par`, a cell what came before `\\cell`. What is written beside
the text (a footnote, a text box) interrupts a paragraph, which goes on after it.
"""

from typing import NamedTuple

from kebab.parse.flow import Flow, joined
from kebab.parse.office.body import PLAIN, Body, Look

MAX_ROWS = 50_000


class _Interrupted(NamedTuple):
    parts: list[str]
    look: Look
    in_table: bool
    label: str | None


class RtfText:
    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.look = PLAIN
        self.in_table = False
        self._body = Body(flow)
        self._parts: list[str] = []
        self._cell: list[str] = []
        self._row: list[str] = []
        self._rows: list[list[str]] = []
        self._aside: _Interrupted | None = None
        self._beside: list[tuple[Look, str]] = []
        self._cited = 0

    def say(self, words: str) -> None:
        self._parts.append(words)

    def end_paragraph(self) -> None:
        words = _paired("".join(self._parts)).strip()
        self._parts = []
        if self._aside is not None:
            self._beside.append((self.look, words))
        elif self.in_table:
            self._cell.append(words)
        else:
            self._flush_table()
            self._write(self.look, words)
            self._flush_beside()

    def end_cell(self) -> None:
        words = joined([*self._cell, _paired("".join(self._parts))])
        self._parts, self._cell = [], []
        if self._aside is None:
            self._row.append(words)
        else:
            self._beside.append((PLAIN, words))

    def end_row(self) -> None:
        if self._aside is None:
            self._rows.append(self._row)
            self._row = []
            if len(self._rows) >= MAX_ROWS:
                self._flush_table()

    def interrupt(self, label: str | None) -> bool:
        """Begin a note with this label, or a text box without one; False when something is interrupted already."""
        if self._aside is not None:
            return False
        if label == "":
            self._cited += 1
            label = f"[^{self._cited}]"
            self._parts.append(label)
        self._aside = _Interrupted(self._parts, self.look, self.in_table, label)
        self._parts, self.look, self.in_table = [], PLAIN, False
        return True

    def resume(self) -> None:
        aside = self._aside
        assert aside is not None
        self.end_paragraph()
        self._aside = None
        self._parts, self.look, self.in_table = aside.parts, aside.look, aside.in_table
        if aside.label is not None:
            words = joined(text for _, text in self._beside)
            if words:
                self._body.notes.append((aside.label, words))
            self._beside = []

    def finish(self) -> None:
        if self._aside is not None:
            self.resume()
        self.in_table = False
        if self._cell:
            self._row.append(joined(self._cell))
        if self._row:
            self._rows.append(self._row)
        self.end_paragraph()
        self._body.write_notes()

    def _flush_table(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            self.flow.table(rows)
            self._flush_beside()

    def _flush_beside(self) -> None:
        beside, self._beside = self._beside, []
        for look, words in beside:
            self._write(look, words)

    def _write(self, look: Look, words: str) -> None:
        if look.heading:
            self.flow.heading(look.heading, words)
        elif look.item >= 0:
            self.flow.item(words, look.item)
        else:
            self.flow.paragraph(words)


def _paired(text: str) -> str:
    """Halves of characters beyond the first plane, which RTF writes one by one, made whole."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
