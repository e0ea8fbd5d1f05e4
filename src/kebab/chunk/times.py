"""Recordings by time: chunks of half a minute to a minute, cut between stretches of speech.

A chunk ends early, from half a minute on, where a sentence ends, another speaker begins or nobody speaks for a while.
A stretch of more than a minute stands alone, and one of more words than a chunk may hold is cut.
"""

from collections.abc import Iterator, Sequence

from kebab.chunk.building import BYTES_PER_TOKEN, ChunkBuilder, Range
from kebab.chunk.cut import byte_length, pieces
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Block, Document
from kebab.core.span import TimePlace

VERSION = "audio-time-v1"

SHORTEST_MS = 30_000
LONGEST_MS = 60_000
PAUSE_MS = 1_500

_ENDS = (".", "!", "?", "…", "。", "！", "？")


class TimeChunker:
    version = VERSION

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]:
        builder = ChunkBuilder(document, policy, VERSION)
        limit = policy.max_chunk_tokens * BYTES_PER_TOKEN
        for run in _runs(document.blocks, limit):
            start = builder.lines.start_of(run[0].span.start)
            text = builder.text[start : builder.lines.start_of(run[-1].span.start) + len(run[-1].text)]
            for first, last, _size in pieces(text, limit, by_line=False):
                builder.add(Range(start + first, start + last, place=_place(run)))
        return builder.done()


def _runs(blocks: Sequence[Block], limit: int) -> Iterator[list[Block]]:
    run: list[Block] = []
    size = 0
    for block in blocks:
        own = byte_length(block.text)
        grown = size + 1 + own
        if run and (grown > limit or _length([*run[:1], block]) > LONGEST_MS or _may_end(run, block)):
            yield run
            run = []
        size = grown if run else own
        run.append(block)
    if run:
        yield run


def _may_end(run: Sequence[Block], following: Block) -> bool:
    """Whether enough is said for a chunk, and this is a good place to end it."""
    if _length(run) < SHORTEST_MS:
        return False
    last, first = _time(run[-1]), _time(following)
    pause = first.start_ms - last.end_ms >= PAUSE_MS
    return pause or first.speaker != last.speaker or run[-1].text.rstrip().endswith(_ENDS)


def _length(run: Sequence[Block]) -> int:
    return _time(run[-1]).end_ms - _time(run[0]).start_ms


def _place(run: Sequence[Block]) -> TimePlace:
    times = [_time(block) for block in run]
    speakers = {time.speaker for time in times}
    start, end = min(time.start_ms for time in times), max(time.end_ms for time in times)
    return TimePlace(start, end, speakers.pop() if len(speakers) == 1 else None)


def _time(block: Block) -> TimePlace:
    return block.place if isinstance(block.place, TimePlace) else TimePlace(0, 0)
