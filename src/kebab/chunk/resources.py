"""Resources by unit: a named one is a chunk of its own, a small file a single one, and the rest fills up to the target.

A unit above the maximum is cut where its outermost keys begin, else between lines. What a parser found no unit in is
cut by paragraph.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces
from kebab.chunk.paragraphs import ParagraphChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, Document
from kebab.core.span import CodePlace

VERSION = "manifest-file-v1"

VERSIONS = {
    "resource": "k8s-manifest-resource-v1",
    "job": "workflow-job-v1",
    "stage": "dockerfile-file-v1",
    "section": VERSION,
    "target": "makefile-target-v1",
    "block": "terraform-block-v1",
    "statement": "sql-statement-v1",
}
_UNITS = {"yaml": "resource", "dockerfile": "stage", "makefile": "target", "terraform": "block", "sql": "statement"}
# Files that are read as a whole while they are small, and whose parts mean little alone.
_WHOLE = frozenset({"stage", "section"})
_WHOLE_TARGETS = 2

_PLAIN = "none-v1"
_MAX_DEPTH = 3
# What closes a bracket or goes on with a list belongs to the line before it.
_NO_BEGINNING = frozenset("}])#-*\"'")


class _Part(NamedTuple):
    """Characters of the source, with the unit they are all of; None when they are of several, or of none."""

    start: int
    end: int
    symbol: str | None
    alone: bool


class ResourceChunker:
    """One instance per kind: `yaml`, `dockerfile`, `makefile`, `terraform`, `sql`; any other is read as a manifest."""

    def __init__(self, kind: str) -> None:
        self.version = VERSIONS[_UNITS.get(kind, "section")]

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        if document.parser_version == _PLAIN or not document.blocks:
            return ParagraphChunker().chunk(document, policy)
        unit = str(document.blocks[0].payload.get("unit"))
        builder = ChunkBuilder(document, policy, VERSIONS.get(unit, self.version))
        cutter = _Cutter(builder, policy, whole=unit in _WHOLE)
        for part in cutter.parts(document.blocks, PurePosixPath(document.workspace_path).name):
            builder.add(Range(part.start, part.end, place=CodePlace(part.symbol, document.metadata.code_lang)))
        return builder.done()


class _Cutter:
    def __init__(self, builder: ChunkBuilder, policy: ChunkPolicy, *, whole: bool) -> None:
        self._text = builder.text
        self._lines = builder.lines
        self._max = policy.max_chunk_tokens * BYTES_PER_TOKEN
        self._target = min(policy.target_tokens * BYTES_PER_TOKEN, self._max)
        self._whole = whole

    def parts(self, blocks: Sequence[Block], name: str) -> list[_Part]:
        first, last = self._lines.start_of(blocks[0].span.start), self._end(blocks[-1])
        if self._whole and self._size(first, last) <= min(self._target * _WHOLE_TARGETS, self._max):
            return [_Part(first, last, name, alone=True)]
        found = [part for block in blocks for part in self._cut(block)]
        return self._fill(found, name if self._whole else None)

    def _cut(self, block: Block) -> Iterator[_Part]:
        symbol = block.place.symbol if isinstance(block.place, CodePlace) else None
        start, end = self._lines.start_of(block.span.start), self._end(block)
        alone = symbol is not None and not self._whole
        limit = self._max if alone or symbol else self._target
        for low, high in _stretches(self._text[start:end], limit):
            yield _Part(start + low, start + high, symbol, alone)

    def _fill(self, found: Sequence[_Part], shared: str | None) -> list[_Part]:
        """Neighbours that need not stand alone, joined up to the target; joined units have the name of the file."""
        filled: list[_Part] = []
        for part in found:
            before = filled[-1] if filled else None
            if before and not (before.alone or part.alone) and self._size(before.start, part.end) <= self._target:
                symbol = part.symbol if part.symbol == before.symbol else shared
                filled[-1] = _Part(before.start, part.end, symbol, alone=False)
            else:
                filled.append(part)
        return filled

    def _end(self, block: Block) -> int:
        return self._lines.start_of(block.span.start) + len(block.text)

    def _size(self, start: int, end: int) -> int:
        # Characters first: most ranges that do not fit need no encoding to tell.
        return end - start if end - start > self._max else byte_length(self._text[start:end])


def _stretches(text: str, limit: int, depth: int = 0) -> Iterator[tuple[int, int]]:
    """A unit as ranges within the limit: at its outermost keys, then at those below, then between lines."""
    if len(text) <= limit and byte_length(text) <= limit:
        yield 0, len(text)
        return
    starts = _beginnings(text) if depth < _MAX_DEPTH else []
    if len(starts) < 2:
        yield from ((low, high) for low, high, _size in pieces(text, limit, by_line=True))
        return
    for low, high in _joined(text, [*starts, len(text)], limit):
        yield from ((low + one, low + two) for one, two in _stretches(text[low:high], limit, depth + 1))


def _joined(text: str, bounds: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """Neighbouring stretches together while they fit."""
    start, size = bounds[0], 0
    for low, high in pairwise(bounds):
        added = byte_length(text[low:high])
        if low > start and size + added > limit:
            yield start, low
            start, size = low, 0
        size += added
    yield start, bounds[-1]


def _beginnings(text: str) -> list[int]:
    """Where the least indented lines begin, the first line aside; always with the start of the text."""
    found: dict[int, list[int]] = {}
    at = 0
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" \t"))
        if at and len(line) > indent and line[indent] not in _NO_BEGINNING:
            found.setdefault(indent, []).append(at)
        at += len(line) + 1
    return [0, *found[min(found)]] if found else [0]
