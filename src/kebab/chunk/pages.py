"""Pages of a PDF to chunks: a chunk never leaves its page, and a long page is cut between its paragraphs.

A chunk's place is the page and the characters of the page's text it holds, so that a reader can be sent to the page.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces, tail_start
from kebab.chunk.headings import section_label
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, BlockKind, Document
from kebab.core.span import PagePlace

VERSION = "pdf-page-v1"

# A last piece this much over the target is better than a chunk of two lines.
_SLACK = 1.25


class _Piece(NamedTuple):
    """A paragraph, or a part of one, as a character range of the source."""

    start: int
    end: int
    size: int
    heading_path: tuple[str, ...]


class PageChunker:
    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        cutter = _Cutter(document, policy)
        for _, blocks in groupby(document.blocks, key=_section):
            cutter.add(list(blocks))
        return cutter.builder.done()


def _section(block: Block) -> tuple[int, tuple[str, ...]]:
    """What may share a chunk: the text of one page under one heading."""
    assert isinstance(block.place, PagePlace), "every block of a PDF stands on a page"
    return block.place.page, block.heading_path


class _Cutter:
    def __init__(self, document: Document, policy: ChunkPolicy) -> None:
        self.builder = ChunkBuilder(document, policy, VERSION)
        self._text = document.source_text
        self._max = policy.max_chunk_tokens * BYTES_PER_TOKEN
        self._target = min(policy.target_tokens * BYTES_PER_TOKEN, self._max)
        self._overlap = policy.overlap_tokens * BYTES_PER_TOKEN

    def add(self, blocks: list[Block]) -> None:
        """The chunks of one page, or of its part under one heading."""
        runs = self._fill(blocks)
        self._join_last(runs)
        place = blocks[0].place
        assert isinstance(place, PagePlace)
        top = self._start(blocks[0]) - place.char_start
        for index, run in enumerate(runs):
            start = self._reach_back(runs[index - 1], run) if index else run[0].start
            self._build(place.page, top, start, run)

    def _start(self, block: Block) -> int:
        return self.builder.lines.start_of(block.span.start)

    def _pieces(self, blocks: list[Block]) -> Iterator[_Piece]:
        for block in blocks:
            start, rows = self._start(block), block.kind is BlockKind.TABLE
            for first, last, size in pieces(block.text, self._target, by_line=rows):
                words = block.text[first:last].lstrip()
                if words:
                    # What is cut from a paragraph starts with a word, so that two chunks never start at the same one.
                    yield _Piece(start + last - len(words), start + last, size, block.heading_path)

    def _fill(self, blocks: list[Block]) -> list[list[_Piece]]:
        runs: list[list[_Piece]] = []
        size = 0
        for piece in self._pieces(blocks):
            grown = size + piece.size + (byte_length(self._text[runs[-1][-1].end : piece.start]) if runs else 0)
            # A heading of a few words is nothing without the text below it.
            bound = min(self._target * _SLACK, self._max) if size * 8 < self._target else self._target
            if runs and grown <= bound:
                runs[-1].append(piece)
                size = grown
            else:
                runs.append([piece])
                size = piece.size
        return runs

    def _join_last(self, runs: list[list[_Piece]]) -> None:
        if len(runs) < 2:
            return
        last = byte_length(self._text[runs[-1][0].start : runs[-1][-1].end])
        joined = byte_length(self._text[runs[-2][0].start : runs[-1][-1].end])
        if last * 4 < self._target and joined <= min(self._target * _SLACK, self._max):
            runs[-2:] = [[*runs[-2], *runs[-1]]]

    def _reach_back(self, before: list[_Piece], run: list[_Piece]) -> int:
        """Where the chunk starts: at a sentence at the end of the chunk before, if the overlap allows one."""
        last, first = before[-1], run[0]
        room = min(self._overlap, self._max - byte_length(self._text[last.end : run[-1].end]))
        if room <= 0:
            return first.start
        start = tail_start(self._text, last.start, last.end, room)
        tail = self._text[start : last.end]
        start += len(tail) - len(tail.lstrip())
        # An overlap that swallows the chunk before would only store it twice.
        return start if before[0].start < start < last.end else first.start

    def _build(self, page: int, top: int, start: int, run: list[_Piece]) -> None:
        text = self._text[start : run[-1].end].rstrip()
        place = PagePlace(page, start - top, start - top + len(text))
        path = run[0].heading_path
        self.builder.add(Range(start, start + len(text), path, section_label(path), place))
