"""A question's vector against rows the store gave, by cosine."""

from collections.abc import Sequence

from kebab.core.embedding import Vector, VectorRow
from kebab.vectors.packed import unit
from kebab.vectors.ranking import cosines_of


def cosines(question: Vector, rows: Sequence[VectorRow]) -> list[float]:
    """One per row, in order: the same that an engine gives, whichever channel found the row."""
    if not rows:
        return []
    found: list[float] = cosines_of(rows, unit(question, len(question) // 4)).tolist()
    return found


def between(vector: Vector, others: Sequence[Vector]) -> list[float]:
    """The cosine of one vector with each of several, none of them stored."""
    import numpy as np

    if not others:
        return []
    dimensions = len(vector) // 4
    matrix = np.stack([unit(each, dimensions) for each in others])
    found: list[float] = (matrix @ unit(vector, dimensions)).tolist()
    return found
