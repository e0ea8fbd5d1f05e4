"""Plain text by paragraph: neighbours share a chunk up to the target, and no chunk crosses a heading.

Rows of a table and lines of a log are cut between lines, prose between sentences; only prose overlaps.
"""

from typing import NamedTuple

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces, tail_start
from kebab.chunk.headings import section_label
from kebab.chunk.sections import Section, sections
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import BlockKind, Document

VERSION = "text-paragraph-v1"

_BY_LINE = (BlockKind.CODE, BlockKind.TABLE)
# A last chunk smaller than a fourth of the target joins the one before, if that stays near the target.
_SLACK = 1.25


class _Run(NamedTuple):
    """A stretch of the source that becomes a chunk. `prose` may lend its last sentences to the next one."""

    start: int
    end: int
    prose: bool
    heading: bool


class TextChunker:
    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        builder = ChunkBuilder(document, policy, VERSION)
        cutter = _Cutter(builder, policy)
        for section in sections(document.blocks, by_heading=True):
            path = section.heading_path
            is_text = section.blocks[-1].kind is not BlockKind.TABLE
            label = section_label(path) if is_text else None
            for start, end in cutter.ranges(section):
                builder.add(Range(start, end, path, label))
        return builder.done()


class _Cutter:
    def __init__(self, builder: ChunkBuilder, policy: ChunkPolicy) -> None:
        self._text = builder.text
        self._lines = builder.lines
        self._max = policy.max_chunk_tokens * BYTES_PER_TOKEN
        self._target = min(policy.target_tokens * BYTES_PER_TOKEN, self._max)
        self._overlap = policy.overlap_tokens * BYTES_PER_TOKEN

    def ranges(self, section: Section) -> list[tuple[int, int]]:
        runs = self._join_last(self._fill(self._pieces(section)))
        return [(self._start(runs[at - 1] if at else None, run), run.end) for at, run in enumerate(runs)]

    def _pieces(self, section: Section) -> list[_Run]:
        """Blocks as stretches of at most the target; those without a word are left out."""
        found: list[_Run] = []
        for block in section.blocks:
            start, prose = self._lines.start_of(block.span.start), block.kind not in _BY_LINE
            heading = block.kind is BlockKind.HEADING
            for first, last, _size in pieces(block.text, self._target, by_line=not prose):
                text = block.text[first:last]
                if words := text.lstrip():
                    # A line break in front is not of the piece: two chunks must never begin at the same word.
                    inside = text.rfind("\n", 0, len(text) - len(words)) + 1
                    found.append(_Run(start + first + inside, start + last, prose, heading))
        return found

    def _fill(self, found: list[_Run]) -> list[_Run]:
        """Neighbours joined while they fit the target; a heading joins the text below it while that is allowed."""
        runs: list[_Run] = []
        size = 0
        for piece in found:
            grown = size + self._size(runs[-1].end, piece.end) if runs else 0
            if runs and grown <= (self._max if runs[-1].heading else self._target):
                runs[-1] = piece._replace(start=runs[-1].start)
                size = grown
            else:
                runs.append(piece)
                size = self._size(piece.start, piece.end)
        return runs

    def _join_last(self, runs: list[_Run]) -> list[_Run]:
        if len(runs) < 2 or self._size(runs[-1].start, runs[-1].end) * 4 >= self._target:
            return runs
        before, last = runs[-2], runs[-1]
        if self._size(before.start, last.end) > min(self._target * _SLACK, self._max):
            return runs
        return [*runs[:-2], last._replace(start=before.start)]

    def _start(self, before: _Run | None, run: _Run) -> int:
        """Where a chunk's text begins: earlier than its own first word by the overlap, where there is room for it."""
        if before is None or not self._overlap or not (before.prose and run.prose):
            return run.start
        room = min(self._overlap, self._max - self._size(before.end, run.end))
        start = tail_start(self._text, before.start, before.end, room) if room > 0 else run.start
        # An overlap that swallows the chunk before would only store it twice.
        return start if before.start < start < before.end else run.start

    def _size(self, start: int, end: int) -> int:
        return byte_length(self._text[start:end])
