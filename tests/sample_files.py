"""A file that exists only in a test, as a parser gets it, and what every cut of it must hold."""

from itertools import pairwise

from kebab.core.asset import Asset
from kebab.core.chunk import Chunk
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext, Parser
from kebab.core.text import split_lines

MOMENT = "2020-01-01T00:00:00Z"


def read(parser: Parser, source: str | bytes, path: str, media_type: str = "code/any") -> Document:
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), media_type, path, f"file:///{path}", MOMENT)
    return parser.parse(raw, ParseContext(asset, path, MOMENT, MOMENT, None, None))


def held_lines(document: Document) -> list[int]:
    """The numbers of the lines that stand in blocks, in order; no line may stand in two."""
    return [number for block in document.blocks for number in range(block.span.start, block.span.end + 1)]


def worded_lines(document: Document) -> list[int]:
    return [number for number, line in enumerate(split_lines(document.source_text), 1) if line.strip()]


def assert_sound(document: Document, chunks: list[Chunk], limit: int) -> None:
    """Every chunk is the text of its lines and within the limit, and together they hold every word of the blocks."""
    lines = split_lines(document.source_text)
    found: set[int] = set()
    for position, chunk in enumerate(chunks):
        (span,) = chunk.spans
        assert chunk.ordinal == position
        assert chunk.text in "\n".join(lines[span.start - 1 : span.end])
        assert len(chunk.text.encode("utf-8", "surrogatepass")) <= limit or len(chunk.text.strip()) == 1
        found.update(range(span.start, span.end + 1))
    assert set(held_lines(document)) & set(worded_lines(document)) <= found
    words = "".join("".join(block.text.split()) for block in document.blocks)
    if len(chunks) == len({chunk.spans[0].start for chunk in chunks}) and not _overlap(chunks):
        assert "".join("".join(chunk.text.split()) for chunk in chunks) == words


def _overlap(chunks: list[Chunk]) -> bool:
    return any(one.spans[0].end >= two.spans[0].start for one, two in pairwise(chunks))
