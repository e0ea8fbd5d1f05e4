"""Markdown by heading: a section is a chunk, a long one is several, cut between its blocks.

Code and tables are cut only when they alone exceed `max_chunk_tokens`. Every chunk is one contiguous piece of the
source, so its text is found in the file exactly as it stands, and its lines are the lines a citation names.
"""

import re
from typing import NamedTuple

from kebab.chunk.cut import byte_length, pieces, tail_start
from kebab.chunk.sections import Section, sections
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, BlockKind, Document
from kebab.core.ids import chunk_id
from kebab.core.span import LineSpan
from kebab.core.text import LineMap, token_estimate

VERSION = "md-heading-v2"

_UNCUT = (BlockKind.CODE, BlockKind.TABLE)
_BYTES_PER_TOKEN = 3
# A last piece this much over the target is better than a chunk of two lines.
_SLACK = 1.25
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s+(.+)")


class _Piece(NamedTuple):
    """A block, or a part of one, as a character range of the source."""

    start: int
    end: int
    size: int
    position: int
    cuttable: bool
    heading: bool


class HeadingChunker:
    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        cutter = _Cutter(document, policy)
        found: list[Chunk] = []
        for section in sections(document.blocks, by_heading=policy.respect_markdown_headings):
            for run, start in cutter.runs(section):
                found.append(cutter.build(section, run, start, len(found)))
        assert len({chunk.chunk_id for chunk in found}) == len(found), "chunk ids of a document are unique"
        return found


class _Cutter:
    def __init__(self, document: Document, policy: ChunkPolicy) -> None:
        self._document = document
        self._text = document.source_text
        self._lines = LineMap(document.source_text)
        self._target = policy.target_tokens * _BYTES_PER_TOKEN
        self._overlap = policy.overlap_tokens * _BYTES_PER_TOKEN
        self._max = policy.max_chunk_tokens * _BYTES_PER_TOKEN
        self._by_heading = policy.respect_markdown_headings
        self._policy_hash = policy.policy_hash()

    def runs(self, section: Section) -> list[tuple[list[_Piece], int]]:
        """Pieces that make one chunk each, and where its text starts (earlier than the first piece by the overlap)."""
        if (whole := self._whole(section)) is not None:
            return [([whole], whole.start)]
        runs = self._fill(self._pieces(section))
        self._join_last(runs)
        return [(run, self._start(runs[index - 1] if index else None, run)) for index, run in enumerate(runs)]

    def _fill(self, pieces: list[_Piece]) -> list[list[_Piece]]:
        """Pieces into runs up to the target. A heading that would end a run moves on to the text below it."""
        runs: list[list[_Piece]] = []
        size = texts = 0
        for piece in pieces:
            grown = size + self._gap(runs[-1][-1], piece) + piece.size if runs else 0
            if not runs or grown > self._max or (grown > self._target and not runs[-1][-1].heading):
                runs.append([piece])
                size, texts = piece.size, 0
            elif grown > self._target and texts:
                moved = runs[-1][texts:]
                del runs[-1][texts:]
                runs.append([*moved, piece])
                size, texts = byte_length(self._text[moved[0].start : piece.end]), 0
            else:
                runs[-1].append(piece)
                size = grown
            # How many pieces of the open run stand up to its last text; what follows them are headings.
            texts = texts if piece.heading else len(runs[-1])
        return runs

    def _gap(self, before: _Piece, piece: _Piece) -> int:
        return byte_length(self._text[before.end : piece.start])

    def _whole(self, section: Section) -> _Piece | None:
        """A section that fits the target as one piece: most do, and need no closer look."""
        first, last = section.blocks[0], section.blocks[-1]
        start = self._lines.start_of(first.span.start)
        end = self._lines.start_of(last.span.start) + len(last.text)
        if end - start > self._target or (size := byte_length(self._text[start:end])) > self._target:
            return None
        return _Piece(start, end, size, section.first, cuttable=True, heading=False)

    def _join_last(self, runs: list[list[_Piece]]) -> None:
        if len(runs) < 2:
            return
        last = byte_length(self._text[runs[-1][0].start : runs[-1][-1].end])
        joined = byte_length(self._text[runs[-2][0].start : runs[-1][-1].end])
        if last * 4 < self._target and joined <= min(self._target * _SLACK, self._max):
            last_run = runs.pop()
            runs[-1].extend(last_run)

    def _pieces(self, section: Section) -> list[_Piece]:
        found: list[_Piece] = []
        for offset, block in enumerate(section.blocks):
            start, text = self._lines.start_of(block.span.start), block.text
            cuttable = block.kind not in _UNCUT
            limit = min(self._target, self._max) if cuttable else self._max
            # Front matter, like a heading, is nothing without the text below it.
            heading = block.kind is BlockKind.HEADING or bool(block.payload.get("front_matter"))
            for first, last, size in pieces(text, limit, by_line=not cuttable):
                if not text[first:last].strip():
                    continue
                found.append(_Piece(start + first, start + last, size, section.first + offset, cuttable, heading))
        return found

    def _start(self, previous: list[_Piece] | None, run: list[_Piece]) -> int:
        first = run[0]
        if previous is None or not self._overlap or not first.cuttable or not previous[-1].cuttable:
            return first.start
        last = previous[-1]
        room = min(self._overlap, self._max - byte_length(self._text[last.end : run[-1].end]))
        if room <= 0:
            return first.start
        start = tail_start(self._text, last.start, last.end, room)
        # An overlap that swallows the chunk before would only store it twice.
        return start if previous[0].start < start < last.end else first.start

    def build(self, section: Section, run: list[_Piece], start: int, ordinal: int) -> Chunk:
        document, end = self._document, run[-1].end
        blocks = self._blocks(section, run, start)
        block_ids = tuple(block.block_id for block in blocks)
        text = self._text[start:end]
        inside = start - self._lines.start_of(blocks[0].span.start)
        # Several chunks may be cut from one block; where this one starts in it tells them apart.
        suffix = f"#c{inside}" if inside else ""
        last_line = self._lines.line_at(start + len(text.rstrip()) - 1) if text.strip() else self._lines.line_at(start)
        path = section.heading_path if self._by_heading else self._path_of(run)
        return Chunk(
            chunk_id=chunk_id(document.doc_id, VERSION, block_ids, self._policy_hash + suffix),
            doc_id=document.doc_id,
            ordinal=ordinal,
            text=text,
            heading_path=path,
            section_label=section_label(path),
            spans=(LineSpan(self._lines.line_at(start), last_line),),
            block_ids=block_ids,
            token_estimate=token_estimate(text),
            chunker_version=VERSION,
            policy_hash=self._policy_hash,
        )

    def _path_of(self, run: list[_Piece]) -> tuple[str, ...]:
        """The headings above the first text of a chunk that may span several sections."""
        text = next((piece for piece in run if not piece.heading), run[-1])
        return self._document.blocks[text.position].heading_path

    def _blocks(self, section: Section, run: list[_Piece], start: int) -> tuple[Block, ...]:
        """The blocks the chunk's text touches: those of its pieces, and the one the overlap reaches back into."""
        blocks = self._document.blocks
        first = run[0].position
        if start < self._lines.start_of(blocks[first].span.start):
            first -= 1
        end = self._lines.line_at(run[-1].end - 1)
        last = max(first, run[-1].position)
        while last + 1 < section.first + len(section.blocks) and blocks[last + 1].span.start <= end:
            last += 1
        return blocks[first : last + 1]


def section_label(heading_path: tuple[str, ...]) -> str | None:
    """The innermost heading as a person would name it: `14. Chunking` is `§14 Chunking`."""
    if not heading_path:
        return None
    heading = heading_path[-1]
    match = _NUMBERED.fullmatch(heading)
    return f"§{match[1]} {match[2]}" if match else f"§ {heading}"
