"""Extracted text as it grows: headings, paragraphs, lists, tables and code as Markdown-like lines with their pieces.

Gets the parts of a document in reading order, gives the text and the pieces whose lines tile it. Knows no format.
What exceeds the limits is left out with a warning, so that no file becomes more text than an index should take.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, UserValue
from kebab.core.span import PagePlace
from kebab.core.text import nfc
from kebab.parse.building import MAX_TEXT, Piece

MAX_PIECES = 200_000
MAX_LIST_LINES = 60
MAX_TABLE_LINES = 30
MAX_HEADERS = 50
MAX_INDENT = 8
MAX_NAME = 300

_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\ufeff\ufffe\uffff\ud800-\udfff]")
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


class _Page(NamedTuple):
    number: int
    start: int


class Flow:
    """One document's text. Every method adds a block, or nothing when there is no word to add."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.warnings: list[str] = []
        self.full = False
        self.path: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._chars = 0
        self._open: list[tuple[int, str]] = []
        self._page: _Page | None = None

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n" if self._lines else ""

    def finish(self) -> str:
        """The text, when nothing more comes. It is all that is kept: its lines take as much memory again."""
        text = self.text
        self._lines.clear()
        return text

    @property
    def first_heading(self) -> str:
        found = (piece.payload["text"] for piece in self.pieces if piece.kind is BlockKind.HEADING)
        return str(next(found, ""))

    def page(self, number: int, path: tuple[str, ...] = ()) -> None:
        """What follows stands on this page or slide, under `path` until a heading says otherwise."""
        self._page = _Page(number, self._chars + 1 if self._lines else 0)
        self._open, self.path = [], path

    def leave_headings(self) -> None:
        """What follows stands under no heading, as at the start of another chapter."""
        self._open, self.path = [], ()

    def heading(self, level: int, text: str) -> None:
        words = name(clean(text))
        if not words or len(text) > MAX_NAME:
            self.paragraph(text)
            return
        level = min(max(level, 1), 6)
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, words))
        self.path = tuple(each for _, each in self._open)
        self._add(BlockKind.HEADING, f"{'#' * level} {words}", {"level": level, "text": words})

    def paragraph(
        self, text: str, kind: BlockKind = BlockKind.PARAGRAPH, payload: Mapping[str, UserValue] | None = None
    ) -> None:
        self._add(kind, text, payload or {})

    def quote(self, text: str) -> None:
        lines = clean(text).strip().split("\n")
        self._add(BlockKind.QUOTE, "\n".join(f"> {line}" for line in lines) if lines != [""] else "", {})

    def item(self, text: str, depth: int = 0) -> None:
        """An item of a list; those that follow each other are one block, up to a length."""
        words = clean(text).strip()
        if not words:
            return
        indent = "  " * min(max(depth, 0), MAX_INDENT)
        item = f"{indent}- " + words.replace("\n", f"\n{indent}  ")
        last = self.pieces[-1] if self.pieces else None
        if last is None or not self._continues(last):
            self._add(BlockKind.LIST, item, {"ordered": False, "items": 1})
            return
        items = last.payload["items"]
        assert isinstance(items, int)
        if lines := self._take(item, gap=False):
            self.pieces.pop()
            self._piece(BlockKind.LIST, last.start, {"ordered": False, "items": items + 1})
            assert self.pieces[-1].end == last.end + len(lines)

    def _continues(self, last: Piece) -> bool:
        same = last.kind is BlockKind.LIST and last.heading_path == self.path and last.end == len(self._lines)
        started_here = self._page is None or (last.place is not None and last.place[0] == self._page.number)
        return same and started_here and last.end - last.start + 1 < MAX_LIST_LINES

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Rows of cells as lines; a long table is several blocks on neighbouring lines."""
        kept = [cells for row in rows if any(cells := [_cell(cell) for cell in row])]
        headers: list[UserValue] = [name(cell) for cell in kept[0][:MAX_HEADERS]] if kept else []
        for at in range(0, len(kept), MAX_TABLE_LINES):
            part = kept[at : at + MAX_TABLE_LINES]
            payload: dict[str, UserValue] = {"headers": headers, "rows": len(part) - (at == 0)}
            self._add(BlockKind.TABLE, "\n".join(f"| {' | '.join(row)} |" for row in part), payload, gap=at == 0)

    def code(self, text: str, lang: str | None = None, payload: Mapping[str, UserValue] | None = None) -> None:
        text = clean(text).strip("\n").rstrip()
        if not text.strip():
            return
        fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", text))])
        lang = lang if lang and re.fullmatch(r"[\w+#.-]{1,40}", lang) else None
        self._add(BlockKind.CODE, f"{fence}{lang or ''}\n{text}\n{fence}", {"lang": lang, **(payload or {})})

    def _add(self, kind: BlockKind, text: str, payload: Mapping[str, UserValue], *, gap: bool = True) -> None:
        if self._take(text, gap=gap):
            self._piece(kind, self._first, payload)

    def _take(self, text: str, *, gap: bool) -> list[str]:
        """The lines of a block, added to the text; none when it has no words or there is no more room."""
        if self.full:
            return []
        room = MAX_TEXT - self._chars
        if len(text) > room or len(self.pieces) >= MAX_PIECES:
            self.full = True
            self.warnings.append("the text is too long: what follows the first part of it is left out")
            text = text[:room] if len(self.pieces) < MAX_PIECES else ""
        lines = [line.rstrip() for line in clean(text).strip("\n").split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        if not any(lines):
            return []
        if gap and self._lines:
            self._lines.append("")
            self._chars += 1
        self._first = len(self._lines) + 1
        self._lines += lines
        self._first_char = self._chars
        self._chars += sum(map(len, lines)) + len(lines)
        return lines

    def _piece(self, kind: BlockKind, first: int, payload: Mapping[str, UserValue]) -> None:
        place = None
        if self._page is not None:
            inside = first if first == self._first else None
            begin = (
                self._first_char if inside else self._chars - sum(len(line) + 1 for line in self._lines[first - 1 :])
            )
            place = PagePlace(self._page.number, begin - self._page.start, self._chars - 1 - self._page.start)
        self.pieces.append(Piece(kind, first, len(self._lines), self.path, payload, place))


def clean(text: str) -> str:
    """Text with LF line ends only, and without what cannot be seen or stored."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub("", _BREAKS.sub("\n", text))


def name(text: str) -> str:
    """Text as one short line in NFC, for titles and headings."""
    if not text.isprintable() or not text.isascii():
        text = nfc(_UNSEEN.sub("", clean(text)))
    return " ".join(text.split())[:MAX_NAME].rstrip()


def joined(parts: Iterable[str]) -> str:
    """Paragraphs of a cell or a note as one line."""
    return " ".join(words for part in parts if (words := " ".join(part.split())))


def _cell(text: str) -> str:
    return " ".join(clean(text).split()).replace("|", "\\|")
