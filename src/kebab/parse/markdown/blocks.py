"""Pieces to blocks: heading paths, ordinals, ids, and a block for every line that no piece holds.

Gets the lines of the source and its pieces, gives blocks in order. What it promises: every line that is not blank and
not a thematic break is in exactly one block, and a block's text is its lines. Does not know Markdown's syntax beyond
wiki-links and the look of a table row.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kebab.core.document import Block, BlockKind
from kebab.core.ids import DocumentId, block_id
from kebab.core.span import LineSpan
from kebab.parse.markdown.patterns import malformed_row, wiki_links
from kebab.parse.markdown.pieces import Piece


def build(doc: DocumentId, lines: Sequence[str], pieces: Iterable[Piece], warnings: list[str]) -> list[Block]:
    """The blocks of a document; what looks wrong about them is added to `warnings`."""
    found: list[Block] = []
    outline = _Outline()
    ordinals: dict[tuple[str, ...], Counter[BlockKind]] = {}
    counted = ordinals.setdefault(outline.path, Counter())
    for kind, span, payload in _cover(pieces, lines):
        text = "\n".join(lines[span.start - 1 : span.end])
        if kind is None or not text.strip():
            continue
        if kind is BlockKind.HEADING:
            outline.enter(payload["level"], payload["text"])
            counted = ordinals.setdefault(outline.path, Counter())
        elif kind is BlockKind.PARAGRAPH and (row := malformed_row(text)) is not None:
            warnings.append(f"malformed table at line {span.start + row}")
        if kind is not BlockKind.CODE and (links := wiki_links(text)):
            payload["links"] = links
        ordinal = counted[kind]
        counted[kind] += 1
        name = block_id(doc, kind, outline.path, ordinal, span)
        found.append(Block(name, kind, outline.path, ordinal, span, text, payload))
    return found


class _Outline:
    """The headings that enclose the current line."""

    def __init__(self) -> None:
        self.path: tuple[str, ...] = ()
        self._open: list[tuple[int, str]] = []

    def enter(self, level: object, text: object) -> None:
        assert isinstance(level, int)
        assert isinstance(text, str)
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, text))
        # A heading without words closes sections but has no name to add to the path.
        self.path = tuple(name for _, name in self._open if name)


def _cover(pieces: Iterable[Piece], lines: Sequence[str]) -> Iterator[Piece]:
    """`pieces`, made disjoint, with a paragraph for each run of lines that none of them holds."""
    following = 1
    for piece in pieces:
        if following < piece.span.start:
            yield from _stray(lines, following, piece.span.start)
        start = max(piece.span.start, following)
        if start <= piece.span.end:
            yield piece if start == piece.span.start else piece._replace(span=LineSpan(start, piece.span.end))
            following = piece.span.end + 1
    yield from _stray(lines, following, len(lines) + 1)


def _stray(lines: Sequence[str], start: int, end: int) -> Iterator[Piece]:
    """Runs of non-blank lines in `start` up to `end`: link definitions, and whatever else a parser swallows."""
    first = 0
    for number in range(start, end):
        if not lines[number - 1].strip():
            if first:
                yield Piece(BlockKind.PARAGRAPH, LineSpan(first, number - 1), {})
            first = 0
        elif not first:
            first = number
    if first:
        yield Piece(BlockKind.PARAGRAPH, LineSpan(first, end - 1), {})
