"""A question's vector against rows the store gave, by cosine."""

from collections.abc import Sequence

from kebab.core.embedding import Vector, VectorRow
from kebab.vectors.packed import unit, unpack


def cosines(question: Vector, rows: Sequence[VectorRow]) -> list[float]:
    """One per row, in order."""
    if not rows:
        return []
    dimensions = len(question) // 4
    matrix = unpack([row.packed for row in rows], dimensions)
    # As engines do it, so that a chunk's cosine is the same whichever channel found it.
    cosines_found: list[float] = (matrix * unit(question, dimensions)).sum(axis=1, dtype="f8").round(6).tolist()
    return cosines_found
