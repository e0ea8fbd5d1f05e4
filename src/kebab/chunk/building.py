"""Chunks from character ranges of a document's text: ids, lines and sizes, the same for every strategy.

Gets ranges in order, gives chunks whose text is exactly the source between two offsets. Decides no cut.
"""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.ids import chunk_id
from kebab.core.span import LineSpan, Place
from kebab.core.text import LineMap, token_estimate

BYTES_PER_TOKEN = 3


class Range(NamedTuple):
    """Characters of the source that make one chunk, with what is told about them."""

    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    label: str | None = None
    place: Place | None = None


class ChunkBuilder:
    """The chunks of one document, in the order they are added. Every range touches at least one block."""

    def __init__(self, document: Document, policy: ChunkPolicy, version: str) -> None:
        self.lines = LineMap(document.source_text)
        self.text = document.source_text
        self.chunks: list[Chunk] = []
        self._document = document
        self._version = version
        self._policy_hash = policy.policy_hash()
        self._firsts = [block.span.start for block in document.blocks]
        self._lasts = [block.span.end for block in document.blocks]

    def add(self, piece: Range) -> None:
        """A chunk of the range; white space around its words is left out, and a range without words adds nothing."""
        text = self.text[piece.start : piece.end]
        words = text.rstrip()
        if not words.strip():
            return
        # Indentation belongs to the first line, empty lines before it do not.
        skipped = len(words) - len(words.lstrip())
        start = piece.start + text.rfind("\n", 0, skipped) + 1
        text = self.text[start : piece.start + len(words)]
        first, last = self.lines.line_at(start), self.lines.line_at(start + len(text) - 1)
        blocks = self._document.blocks[bisect_left(self._lasts, first) : bisect_right(self._firsts, last)]
        block_ids = tuple(block.block_id for block in blocks)
        inside = start - self.lines.start_of(blocks[0].span.start)
        suffix = f"#c{inside}" if inside else ""
        document = self._document
        self.chunks.append(
            Chunk(
                chunk_id=chunk_id(document.doc_id, self._version, block_ids, self._policy_hash + suffix),
                doc_id=document.doc_id,
                ordinal=len(self.chunks),
                text=text,
                heading_path=piece.heading_path,
                section_label=piece.label,
                spans=(LineSpan(first, last),),
                block_ids=block_ids,
                token_estimate=token_estimate(text),
                chunker_version=self._version,
                policy_hash=self._policy_hash,
                place=piece.place,
            )
        )

    def done(self) -> list[Chunk]:
        assert len({chunk.chunk_id for chunk in self.chunks}) == len(self.chunks), "chunk ids of a document are unique"
        return self.chunks
