"""Pages to the text of a document and its pieces: a page begins on a new line, and a piece is a paragraph of one page.

Heading paths come from the outline: a bookmark counts from the paragraph that says its title, or else from its height
on the page, or else from the top of it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from kebab.core.document import BlockKind
from kebab.core.span import PagePlace
from kebab.parse.building import Piece
from kebab.parse.pdf.naming import one_line
from kebab.parse.pdf.values import Entry, Page, Row

# A bookmark may point a little below the top of its heading.
_TOLERANCE = 60
_MOST_ROWS = 60


class Assembled(NamedTuple):
    text: str
    pieces: list[Piece]


def assemble(pages: Sequence[Page], left_out: dict[int, set[int]], outline: Sequence[Entry]) -> Assembled:
    headings = _Headings(outline)
    texts: list[str] = []
    pieces: list[Piece] = []
    line = 1
    for page in pages:
        out = left_out.get(page.number, ())
        rows = [row for index, row in enumerate(page.rows) if index not in out] if out else page.rows
        paragraphs = _paragraphs(rows, page.fields)
        lines: list[str] = []
        start = 0
        for rows, path in zip(paragraphs, headings.of(page.number, paragraphs), strict=True):
            if lines and rows[0].starts:
                lines.append("")
                start += 1
            own = [row.text for row in rows]
            size = sum(map(len, own)) + len(own) - 1
            at = line + len(lines)
            place = PagePlace(page.number, start, start + size)
            pieces.append(Piece(_kind(rows), at, at + len(own) - 1, path, place=place))
            lines += own
            start += size + 1
        texts.append("\n".join(lines))
        line += max(len(lines), 1)
        page.rows.clear()
    return Assembled("\n".join(texts), pieces)


def _paragraphs(rows: list[Row], fields: Sequence[str]) -> list[list[Row]]:
    """Rows up to the next that starts a paragraph; very many are several, so that a chunk can end between them."""
    edges = [0, *[index for index, row in enumerate(rows) if row.starts], len(rows)]
    found = [
        rows[start : min(start + _MOST_ROWS, end)]
        for low, end in pairwise(edges)
        for start in range(low, end, _MOST_ROWS)
    ]
    lines = [line for field in fields for line in (one_line(field),) if line]
    if lines:
        found.append([Row(text, 0, 0, starts=index == 0) for index, text in enumerate(lines)])
    return found


def _kind(rows: Sequence[Row]) -> BlockKind:
    tabular = len(rows) - [row.cells for row in rows].count(1)
    return BlockKind.TABLE if tabular > 1 and tabular * 2 > len(rows) else BlockKind.PARAGRAPH


class _Headings:
    """The heading path as pages go by in order."""

    def __init__(self, outline: Sequence[Entry]) -> None:
        self._by_page: defaultdict[int, list[Entry]] = defaultdict(list)
        for entry in outline:
            if entry.page is not None:
                self._by_page[entry.page].append(entry)
        self._path: list[tuple[int, str]] = []

    def of(self, page: int, paragraphs: Sequence[Sequence[Row]]) -> Iterator[tuple[str, ...]]:
        """A path for each paragraph of the page."""
        waiting = self._by_page.get(page)
        if not waiting:
            path = tuple(title for _, title in self._path)
            for _ in paragraphs:
                yield path
            return
        starts: defaultdict[int, list[Entry]] = defaultdict(list)
        at = 0
        for entry in waiting:
            at = _where(entry, paragraphs, at)
            starts[at].append(entry)
        for index in range(len(paragraphs) + 1):
            for entry in starts.get(index, ()):
                self._enter(entry)
            if index < len(paragraphs):
                yield tuple(title for _, title in self._path)

    def _enter(self, entry: Entry) -> None:
        while self._path and self._path[-1][0] >= entry.level:
            self._path.pop()
        if name := one_line(entry.title):
            self._path.append((entry.level, name))


def _where(entry: Entry, paragraphs: Sequence[Sequence[Row]], first: int) -> int:
    """The paragraph an entry begins with, at or after `first`."""
    title = _squeezed(entry.title)
    for index in range(first, len(paragraphs)):
        said = _squeezed("".join(row.text for row in paragraphs[index][:3]))
        if title and (said.startswith(title) or (said[-len(title) :] == title and len(said) < len(title) + 12)):
            return index
    if entry.height is None:
        return first
    for index in range(first, len(paragraphs)):
        if paragraphs[index][0].top <= entry.height + _TOLERANCE:
            return index
    return len(paragraphs)


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()
