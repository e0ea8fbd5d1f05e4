"""Exact cosines and the one order of results: nearest first, equals by key. Every engine ends here."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from kebab.core.embedding import Neighbour, VectorRow
from kebab.vectors.packed import floats, lengths_of

if TYPE_CHECKING:
    from kebab.vectors.arrays import Cosines, Floats

# Cosines that agree in so many decimals are equal; the key decides.
DECIMALS = 6
BATCH_ROWS = 4096


def ranked(rows: Sequence[VectorRow], question: "Floats", limit: int) -> list[Neighbour]:
    """The nearest of these rows."""
    import numpy as np

    if not rows:
        return []
    cosines = cosines_of(rows, question)
    keys = np.fromiter((row.record_key for row in rows), np.int64, len(rows))
    order = np.lexsort((keys, -cosines))[:limit]
    return [
        Neighbour(rows[place].record_key, rows[place].chunk_key, rows[place].role, float(cosines[place]))
        for place in order.tolist()
    ]


def cosines_of(rows: Sequence[VectorRow], question: "Floats") -> "Cosines":
    """One per row, in as many decimals as count, with a question of unit length."""
    import numpy as np

    matrix = floats([row.packed for row in rows], len(question))
    # Not a matrix product: its last digits depend on where in the matrix a row stands, and equals would come apart.
    products = np.einsum("ij,j->i", matrix, question)
    cosines: Cosines = np.round((products / lengths_of(matrix)).astype(np.float64), DECIMALS)
    return cosines


def merged(parts: Iterable[list[Neighbour]], limit: int) -> list[Neighbour]:
    """One list of several."""
    everything = [neighbour for part in parts for neighbour in part]
    return sorted(everything, key=lambda neighbour: (-neighbour.cosine, neighbour.record_key))[:limit]


def best_of(
    rows: Iterator[VectorRow], question: "Floats", limit: int, documents: Collection[int] | None
) -> list[Neighbour]:
    """The nearest of a stream of rows, of which only a batch is in memory at a time."""
    best: list[Neighbour] = []
    allowed = None if documents is None else frozenset(documents)
    kept = rows if allowed is None else (row for row in rows if row.doc_key in allowed)
    while batch := list(islice(kept, BATCH_ROWS)):
        best = merged((best, ranked(batch, question, limit)), limit)
    return best
