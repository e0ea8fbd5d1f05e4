"""The form the store keeps a vector in: little-endian float16 of unit length. Bytes to bytes, and bytes to a matrix.

Half the size of float32, and the cosine of two such vectors is off by less than 0.001.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kebab.core.embedding import Vector
from kebab.core.errors import ModelInvalid, RetrievalError

if TYPE_CHECKING:
    from kebab.vectors.arrays import Floats

ITEM_BYTES = 2


def pack(vectors: Sequence[Vector]) -> list[bytes]:
    """Each vector as it is stored. Raises ModelInvalid when one is not made of finite numbers."""
    import numpy as np

    lengths = {len(vector) for vector in vectors}
    if len(lengths) > 1 or any(length % 4 for length in lengths):
        raise ModelInvalid("the embedding model gave vectors of different lengths", hint="kebab doctor")
    if not vectors:
        return []
    matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)
    if not np.isfinite(matrix).all():
        raise ModelInvalid("the embedding model gave a vector that is not made of numbers", hint="kebab doctor")
    halves = _unit(matrix.astype(np.float32)).astype("<f2")
    return [line.tobytes() for line in halves]


def unpack(packed: Sequence[bytes], dimensions: int) -> "Floats":
    """One line of unit length per stored vector."""
    return _unit(floats(packed, dimensions))


def floats(packed: Sequence[bytes], dimensions: int) -> "Floats":
    """One line per stored vector, of unit length up to what packing took from it."""
    import numpy as np

    return np.frombuffer(joined(packed, dimensions), "<f2").reshape(-1, dimensions).astype(np.float32)


def unit(vector: Vector, dimensions: int) -> "Floats":
    """A question's vector, ready to be compared."""
    import numpy as np

    if len(vector) != dimensions * 4:
        raise RetrievalError(
            f"a vector of {len(vector) // 4} numbers cannot be compared with vectors of {dimensions}",
            hint="kebab doctor",
            dimensions=dimensions,
        )
    line = np.frombuffer(vector, "<f4").astype(np.float32)
    if not np.isfinite(line).all():
        raise ModelInvalid("the embedding model gave a vector that is not made of numbers", hint="kebab doctor")
    return _unit(line.reshape(1, -1)).reshape(-1)


def joined(packed: Sequence[bytes], dimensions: int) -> bytes:
    """The stored vectors one after the other. Raises RetrievalError when one has another length."""
    if set(map(len, packed)) - {dimensions * ITEM_BYTES}:
        raise RetrievalError(
            f"the index holds a vector that has not {dimensions} numbers", hint="kebab doctor", dimensions=dimensions
        )
    return b"".join(packed)


def lengths_of(matrix: "Floats") -> "Floats":
    """One per line, and 1 for a line of zeros, which has no direction."""
    import numpy as np

    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    lengths[lengths == 0] = 1
    return lengths


def _unit(matrix: "Floats") -> "Floats":
    units: Floats = matrix / lengths_of(matrix)[:, None]
    return units
