"""Code and text without known units, by paragraph: blank lines part it, and a long paragraph is read in windows.

The last resort for source files: languages without a grammar, and files whose parser found nothing to name. A chunk
has no symbol, and keeps the language its block was written in.
"""

from collections.abc import Iterator

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, Document
from kebab.core.span import CodePlace

VERSION = "code-text-paragraph-v1"

LINES_PER_CHUNK = 80
LINES_OVERLAP = 20


class ParagraphChunker:
    """One paragraph is one chunk; one of more than 80 lines is several that share 20 lines with the next."""

    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        builder = ChunkBuilder(document, policy, VERSION)
        limit = policy.max_chunk_tokens * BYTES_PER_TOKEN
        for block in document.blocks:
            place = unnamed(block)
            for first, last in paragraphs(block.text.split("\n"), block.span.start):
                for start, end in _cuts(builder, first, last, limit):
                    builder.add(Range(start, end, place=place))
        return builder.done()


def unnamed(block: Block) -> CodePlace | None:
    """Where a chunk of the block stands that belongs to no unit: in its language, or only at its lines."""
    return CodePlace(None, block.place.lang) if isinstance(block.place, CodePlace) else None


def paragraphs(lines: list[str], first: int) -> Iterator[tuple[int, int]]:
    """Runs of lines that are not blank, as line numbers, both included; `first` is the number of the first line."""
    start = None
    for number, line in enumerate(lines, first):
        if not line or line.isspace():
            if start is not None:
                yield start, number - 1
            start = None
        elif start is None:
            start = number
    if start is not None:
        yield start, first + len(lines) - 1


def windows(first: int, last: int, overlap: int = LINES_OVERLAP) -> Iterator[tuple[int, int]]:
    """Lines `first` to `last` in stretches of at most 80; the last one ends where they end."""
    while first + LINES_PER_CHUNK <= last:
        yield first, first + LINES_PER_CHUNK - 1
        first += LINES_PER_CHUNK - overlap
    yield first, last


def _cuts(builder: ChunkBuilder, first: int, last: int, limit: int) -> Iterator[tuple[int, int]]:
    """A paragraph as character ranges, each within the limit."""
    ranges = [_range(builder, *window) for window in windows(first, last)]
    if all(end - start <= limit and byte_length(builder.text[start:end]) <= limit for start, end in ranges):
        yield from ranges
        return
    # Lines this long have to be cut by size; sharing some of them as well would store the same piece twice.
    for window in windows(first, last, overlap=0):
        start, end = _range(builder, *window)
        for low, high, _size in pieces(builder.text[start:end], limit, by_line=True):
            yield start + low, start + high


def _range(builder: ChunkBuilder, first: int, last: int) -> tuple[int, int]:
    return builder.lines.start_of(first), builder.lines.start_of(last + 1)
