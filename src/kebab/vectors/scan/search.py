"""Segments and a question to neighbours: the nearest by their bits are looked up in the table, compared exactly."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.embedding import Neighbour, VectorRow
from kebab.core.ports import VectorTable
from kebab.vectors.ranking import ranked
from kebab.vectors.scan.distance import BLOCK_ROWS, Hamming, Pool, weighed
from kebab.vectors.scan.gate import Gate
from kebab.vectors.scan.segment import Segment, from_rows, join, places_of

if TYPE_CHECKING:
    from kebab.vectors.arrays import Floats, Keys

# How many rows survive each step, in any case and for each result: by counted signs, and by weighed bits. So few are
# all compared exactly.
COARSE, COARSE_PER_RESULT = 3000, 4
FINE, FINE_PER_RESULT = 200, 1
FEW = 400
_ATTEMPTS = 3


class Mismatch(Exception):
    """The segments are not those of the table."""


class Question(NamedTuple):
    vector: "Floats"
    limit: int
    documents: Collection[int] | None


def search(segments: Sequence[Segment], table: VectorTable, question: Question) -> list[Neighbour]:
    """Raises Mismatch when the segments do not say what the table says."""
    import numpy as np

    removed = np.array(table.removed(), np.int64)
    for _ in range(_ATTEMPTS):
        gate = Gate(table.last_key(), removed, question.documents)
        found = candidates(segments, gate, question)
        if found is None:
            return []
        rows = table.at(found.keys.tolist())
        gone = missing_from(rows, found, table.dimensions)
        if not len(gone):
            return ranked(rows, question.vector, question.limit)
        removed = np.union1d(removed, gone)
    raise Mismatch("rows are gone that were not removed")


def candidates(segments: Sequence[Segment], gate: Gate, question: Question) -> Segment | None:
    """The rows worth an exact comparison."""
    limit = question.limit
    pool = Pool(COARSE + COARSE_PER_RESULT * limit)
    hamming = Hamming(question.vector)
    offset = 0
    for segment in segments:
        stop = gate.stop(segment)
        for start in range(0, stop, BLOCK_ROWS):
            _offer(pool, hamming, gate, (segment, start, min(stop, start + BLOCK_ROWS), offset))
        offset += len(segment)
    found = _gather(segments, pool.rows())
    kept = FINE + FINE_PER_RESULT * limit
    if found is None or len(found) <= max(FEW, kept):
        return found
    return found.take(weighed(found.words, question.vector, kept))


def _offer(pool: Pool, hamming: Hamming, gate: Gate, block: tuple[Segment, int, int, int]) -> None:
    segment, start, stop, offset = block
    words = segment.words[:, start:stop]
    passing = gate.open_to(segment, start, stop)
    if passing is None:
        pool.offer(hamming.distances(words), offset + start)
    elif 4 * len(passing) < stop - start:
        pool.offer(hamming.distances(words.take(passing, axis=1)), offset + start, passing)
    else:
        pool.offer(hamming.distances(words)[passing], offset + start, passing)


def _gather(segments: Sequence[Segment], rows: "Keys") -> Segment | None:
    """The rows with these numbers, counted through all segments."""
    import numpy as np

    parts = []
    offset = 0
    for segment in segments:
        low, high = np.searchsorted(rows, (offset, offset + len(segment)))
        if low < high:
            parts.append(segment.take(rows[low:high] - offset))
        offset += len(segment)
    return join(parts) if parts else None


def missing_from(rows: Sequence[VectorRow], expected: Segment, dimensions: int) -> "Keys":
    """Which of the expected keys the table does not have. Raises Mismatch when one it has is another row there."""
    import numpy as np

    actual = from_rows(sorted(rows, key=lambda row: row.record_key), dimensions)
    there = places_of(expected.keys, actual.keys)
    same = expected.take(there)
    if len(same) != len(actual) or not (
        np.array_equal(same.chunks, actual.chunks)
        and np.array_equal(same.docs, actual.docs)
        and np.array_equal(same.roles, actual.roles)
        and np.array_equal(same.words, actual.words)
    ):
        raise Mismatch("a row differs from the table's")
    absent = np.ones(len(expected), np.bool_)
    absent[there] = False
    return expected.keys[absent]
