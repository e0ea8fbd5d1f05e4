"""The numbers of a server's reply to unit vectors. Trusts nothing about them and knows no server."""

import math
import sys
from array import array
from collections.abc import Sequence

from kebab.core.embedding import Vector
from kebab.remote.failures import Unusable

_NUMBERS = frozenset({int, float})
_SMALLEST = 1e-290


def to_vectors(rows: Sequence[object], texts: int, dimensions: int) -> list[Vector]:
    """One vector per text, in the order of the rows."""
    if len(rows) != texts:
        raise Unusable(f"gave {len(rows)} vectors for {texts} texts")
    return [_vector(row, dimensions) for row in rows]


def _vector(row: object, dimensions: int) -> Vector:
    # A set of exact types: a string, null, a list or a truth value among a thousand numbers shows at once.
    if not isinstance(row, list) or not _NUMBERS.issuperset(map(type, row)):
        raise Unusable("gave a vector that is not a list of numbers")
    if len(row) != dimensions:
        raise Unusable(
            f"gave vectors of {len(row)} dimensions, while models.embedding.dimensions is {dimensions}",
            hint=f"`kebab config set models.embedding.dimensions {len(row)}`, or choose another model",
        )
    try:
        length = math.hypot(*row)
    except OverflowError:
        length = math.inf
    if not 0.0 < length < math.inf:
        raise Unusable("gave a vector that has no direction: all zeros, or not finite")
    # Numbers so small that dividing loses their digits are made large first.
    if length < _SMALLEST:
        row = [value / _SMALLEST for value in row]
        length = math.hypot(*row)
    unit = array("f", [value / length for value in row])
    if sys.byteorder == "big":
        unit.byteswap()
    return unit.tobytes()
