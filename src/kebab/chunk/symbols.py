"""Source code by symbol: a unit is a chunk, a class that fits is one chunk, and a long unit is cut at blank lines.

Short neighbours that say little alone, such as imports, constants and prototypes, share a chunk. Documents without
units are cut by paragraphs.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length
from kebab.chunk.parts import parts
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, Document
from kebab.core.span import CodePlace
from kebab.core.text import LineMap

VERSION = "code-{language}-ast-v1"

NO_STRUCTURE = "none-v1"
_SHORT_NAMES = {"typescript": "ts", "javascript": "js"}
_MODULES = ("python", "typescript", "javascript")
# A class of up to twice the target is read as one; cut, it would be many chunks of a few lines.
_WHOLE = 2
_BRIEF = frozenset(["glue", "constant", "static", "variable", "field", "property", "prototype", "macro", "type"])
_BRIEF_BYTES = 240
_TINY_BYTES = 80


class _Item(NamedTuple):
    """Characters that stay together. `level` is the position of the container's header around them, -1 for none."""

    start: int
    end: int
    size: int
    block: Block
    level: int
    shareable: bool


class SymbolChunker:
    """One instance per language serves every document; it holds no state."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.version = VERSION.format(language=_SHORT_NAMES.get(language, language))

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        if document.parser_version == NO_STRUCTURE:
            from kebab.chunk.paragraphs import ParagraphChunker

            return ParagraphChunker().chunk(document, policy)
        builder = ChunkBuilder(document, policy, self.version)
        cutter = _Cutter(document, policy, builder.lines)
        for run in cutter.runs():
            for piece in cutter.ranges(run):
                builder.add(piece)
        return builder.done()


class _Cutter:
    def __init__(self, document: Document, policy: ChunkPolicy, lines: LineMap) -> None:
        self._blocks = document.blocks
        self._text = document.source_text
        self._lines = lines
        self._firsts = [block.span.start for block in document.blocks]
        self._target = policy.target_tokens * BYTES_PER_TOKEN
        self._max = policy.max_chunk_tokens * BYTES_PER_TOKEN

    def runs(self) -> list[list[_Item]]:
        """Items that make one chunk each."""
        runs: list[list[_Item]] = []
        size = 0
        for item in self._items():
            # What lies between two blocks is blank and small, but counts.
            grown = size + item.size + (item.start - runs[-1][-1].end if runs else 0)
            if runs and self._joins(runs[-1], item, grown):
                runs[-1].append(item)
                size = grown
            else:
                runs.append([item])
                size = item.size
        return runs

    def _joins(self, run: list[_Item], item: _Item, grown: int) -> bool:
        if grown > self._max:
            return False
        if self._is_closing(item):
            return True
        same_level = item.level == run[0].level
        return item.shareable and run[0].shareable and same_level and grown <= self._target

    def _items(self) -> Iterator[_Item]:
        """Blocks in order; containers that fit are one item with all that is in them."""
        around: list[int] = []
        position = 0
        while position < len(self._blocks):
            block = self._blocks[position]
            while around and _last_line(self._blocks[around[-1]]) < block.span.start:
                around.pop()
            level = around[-1] if around else -1
            following = self._after(position)
            whole = self._item(position, following, level)
            if following > position + 1 and whole.size > min(_WHOLE * self._target, self._max):
                around.append(position)
                following = position + 1
                whole = self._item(position, following, level)
            yield whole
            position = following

    def _after(self, position: int) -> int:
        """The position behind a container's last block, or behind the block itself."""
        return max(position + 1, bisect_right(self._firsts, _last_line(self._blocks[position])))

    def _item(self, position: int, following: int, level: int) -> _Item:
        first, last = self._blocks[position], self._blocks[following - 1]
        start = self._lines.start_of(first.span.start)
        end = self._lines.start_of(last.span.start) + len(last.text)
        size = byte_length(self._text[start:end])
        kind = first.payload.get("symbol_kind")
        brief = kind in _BRIEF and (size <= _BRIEF_BYTES or kind == "glue")
        return _Item(start, end, size, first, level, shareable=brief and following == position + 1)

    def ranges(self, run: list[_Item]) -> Iterator[Range]:
        """The run as one chunk, or as numbered parts when it is long."""
        path, place = self._told(run)
        cuts = parts(self._text, run[0].start, run[-1].end, self._max)
        for number, (start, end) in enumerate(cuts, 1):
            label = place.symbol if len(cuts) == 1 else f"{place.symbol} [part {number}/{len(cuts)}]"
            yield Range(start, end, path, label, place)

    def _told(self, run: list[_Item]) -> tuple[tuple[str, ...], CodePlace]:
        """What a run is called: after its unit, and after what is around them when it has several."""
        units = [item for item in run if not self._is_closing(item)] or run
        if len(units) == 1:
            return units[0].block.heading_path, _place(units[0].block)
        if units[0].level >= 0:
            header = self._blocks[units[0].level]
            return header.heading_path, _place(header)
        lang = _place(units[0].block).lang
        return (), CodePlace("<module>" if lang in _MODULES else "<top-level>", lang)

    def _is_closing(self, item: _Item) -> bool:
        """Only a brace or the like: it belongs to what it closes."""
        glue = item.block.payload.get("symbol_kind") == "glue"
        return glue and item.size <= _TINY_BYTES and not any(map(str.isalnum, self._text[item.start : item.end]))


def _place(block: Block) -> CodePlace:
    return block.place if isinstance(block.place, CodePlace) else CodePlace(None, None)


def _last_line(block: Block) -> int:
    """The last line of a container, which stands in its header's payload, or of the block."""
    extent = block.payload.get("extent")
    last = extent[1] if isinstance(extent, list) else 0
    return last if isinstance(last, int) and last > block.span.end else block.span.end
