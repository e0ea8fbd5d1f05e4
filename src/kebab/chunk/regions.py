"""Images by region: paragraphs up to the target size, each chunk with the box that holds exactly its lines.

A long paragraph is cut between its lines. Nothing is shared between chunks, because a box shows what it holds; chunks
never run over the end of a page, and a caption stands alone.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, Document
from kebab.core.span import CaptionPlace, PagePlace, Place, RegionPlace

VERSION = "image-region-v1"


class _Line(NamedTuple):
    """A line of the text. `page` is 0 where there are none; `opens` the first line of a paragraph."""

    start: int
    end: int
    size: int
    page: int
    box: RegionPlace | None
    place: Place | None
    opens: bool


class RegionChunker:
    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        builder = ChunkBuilder(document, policy, VERSION)
        target = min(policy.target_tokens, policy.max_chunk_tokens) * BYTES_PER_TOKEN
        lines = [line for block in document.blocks for line in _lines(block, builder)]
        pages = _page_starts(lines)
        for run in _runs(lines, target):
            text = builder.text[run[0].start : run[-1].end]
            for first, last, _size in pieces(text, policy.max_chunk_tokens * BYTES_PER_TOKEN, by_line=False):
                start, end = run[0].start + first, run[0].start + last
                builder.add(Range(start, end, place=_place(run, start, end, pages)))
        return builder.done()


def _lines(block: Block, builder: ChunkBuilder) -> Iterator[_Line]:
    boxes = block.payload.get("lines")
    page = block.place.page if isinstance(block.place, PagePlace) else 0
    for index, text in enumerate(block.text.split("\n")):
        start = builder.lines.start_of(block.span.start + index)
        box = _box(boxes, index)
        yield _Line(start, start + len(text), byte_length(text) + 1, page, box, block.place, index == 0)


def _box(boxes: object, index: int) -> RegionPlace | None:
    found = boxes[index] if isinstance(boxes, list) and index < len(boxes) else None
    return RegionPlace(*found) if isinstance(found, list) and len(found) == len(RegionPlace._fields) else None


def _runs(lines: Sequence[_Line], target: int) -> Iterator[list[_Line]]:
    """Whole paragraphs while they fit; one that does not fit by itself, line by line."""
    run: list[_Line] = []
    size = 0
    for paragraph in _paragraphs(lines):
        length = sum(line.size for line in paragraph)
        if run and (size + length > target or not _together(run[-1], paragraph[0])):
            yield run
            run, size = [], 0
        for line in paragraph:
            if run and size + line.size > target:
                yield run
                run, size = [], 0
            run.append(line)
            size += line.size
    if run:
        yield run


def _paragraphs(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    found: list[_Line] = []
    for line in lines:
        if line.opens and found:
            yield found
            found = []
        found.append(line)
    if found:
        yield found


def _together(one: _Line, other: _Line) -> bool:
    captions = isinstance(one.place, CaptionPlace) or isinstance(other.place, CaptionPlace)
    return one.page == other.page and not captions


def _page_starts(lines: Sequence[_Line]) -> dict[int, int]:
    """Where in the text each page begins, since places count characters from there."""
    starts: dict[int, int] = {}
    for line in lines:
        if isinstance(line.place, PagePlace):
            starts.setdefault(line.page, line.start - line.place.char_start)
    return starts


def _place(run: Sequence[_Line], start: int, end: int, pages: dict[int, int]) -> Place | None:
    held = [line for line in run if line.start < end and line.end > start] or list(run[:1])
    if held[0].page:
        offset = pages[held[0].page]
        return PagePlace(held[0].page, max(0, start - offset), min(end, held[-1].end) - offset)
    boxes = [line.box for line in held if line.box is not None]
    if not boxes:
        return held[0].place
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.w for box in boxes), max(box.y + box.h for box in boxes)
    return RegionPlace(x, y, right - x, bottom - y)
