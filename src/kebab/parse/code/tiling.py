"""Units to pieces of whole lines: every line that is not blank stands in exactly one.

A container is cut into its header, its members and what is between them; a line that two units share keeps them
together in one piece.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, UserValue
from kebab.core.span import CodePlace
from kebab.parse.building import Piece
from kebab.parse.code.outline import Entry
from kebab.parse.code.row import Language


class _Mark(NamedTuple):
    """A piece begins at `line` and lasts up to the next mark. `position` is that of its unit, -1 for the file."""

    line: int
    position: int
    glue: bool


def tile(entries: Sequence[Entry], lines: Sequence[str], language: Language) -> list[Piece]:
    marks = _Marks(entries).all(len(lines))
    ends = [mark.line - 1 for mark in marks[1:]] + [len(lines)]
    pieces = (_piece(mark, end, entries, lines, language) for mark, end in zip(marks, ends, strict=True))
    return [piece for piece in pieces if piece is not None]


class _Marks:
    """Where pieces begin. `_floor` is the last line that already belongs to the piece that was begun last."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._marks: list[_Mark] = []
        self._open: list[int] = []
        self._floor = 0

    def all(self, line_count: int) -> list[_Mark]:
        for position, entry in enumerate(self._entries):
            if entry.unit.has_block:
                self._add(position, entry.unit.first, entry.unit.last)
        self._close(line_count + 1)
        if self._floor < line_count:
            self._marks.append(_Mark(self._floor + 1, -1, glue=True))
        return self._marks

    def _add(self, position: int, first: int, last: int) -> None:
        self._close(first)
        if first <= self._floor:
            self._floor = max(self._floor, last)
            return
        around = self._open[-1] if self._open else -1
        if first > self._floor + 1 and not self._in_header_of(around):
            self._marks.append(_Mark(self._floor + 1, around, glue=True))
        self._marks.append(_Mark(first, position, glue=False))
        if self._entries[position].unit.body is None:
            self._floor = last
        else:
            self._floor = first
            self._open.append(position)

    def _close(self, line: int) -> None:
        """Containers that end before `line`; what follows their last member is theirs."""
        while self._open and self._entries[self._open[-1]].unit.last < line:
            position = self._open.pop()
            last = self._entries[position].unit.last
            if self._floor < last:
                if not self._in_header_of(position):
                    self._marks.append(_Mark(self._floor + 1, position, glue=True))
                self._floor = last

    def _in_header_of(self, position: int) -> bool:
        return position >= 0 and self._marks[-1].position == position and not self._marks[-1].glue


def _piece(mark: _Mark, end: int, entries: Sequence[Entry], lines: Sequence[str], language: Language) -> Piece | None:
    start = mark.line
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    if start > end:
        return None
    payload: dict[str, UserValue] = {"lang": language.name, "symbol_kind": "glue"}
    if mark.position < 0:
        return Piece(BlockKind.CODE, start, end, (), payload, CodePlace(language.glue, language.name))
    entry = entries[mark.position]
    if not mark.glue:
        payload |= {"symbol_kind": entry.unit.kind, "name": entry.unit.names[0].text}
        if entry.unit.body is not None:
            payload["extent"] = [entry.unit.first, entry.unit.last]
    return Piece(BlockKind.CODE, start, end, entry.heading_path, payload, CodePlace(entry.qualified, language.name))
