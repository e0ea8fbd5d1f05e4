"""A table of vectors as the store gives it, in memory, and vectors to put into it."""

from collections.abc import Iterator, Sequence

import numpy as np  # noqa: TID253

from kebab.core.embedding import Neighbour, Vector, VectorRow
from kebab.vectors.packed import pack

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class MemoryTable:
    """A table as the store gives it, without the store."""

    def __init__(self, dimensions: int, table_id: str = "index/model@1 (n)") -> None:
        self.table_id = table_id
        self.dimensions = dimensions
        self._rows: dict[int, VectorRow] = {}
        self._removed: list[int] = []
        self._last = 0

    def add(self, vectors: Matrix, *, per_document: int = 5, role: int = 0) -> list[int]:
        keys = []
        for packed in pack(as_vectors(vectors)):
            self._last += 1
            keys.append(self._last)
            document = (self._last - 1) // per_document + 1
            self._rows[self._last] = VectorRow(self._last, self._last + 7, document, role, packed)
        return keys

    def remove(self, keys: Sequence[int]) -> None:
        for key in keys:
            del self._rows[key]
        self._removed = sorted({*self._removed, *keys})

    def forget(self) -> None:
        self._removed = []

    def skip_keys(self, count: int) -> None:
        """Keys that were given to rows of another model."""
        self._last += count

    def snapshot(self) -> "MemoryTable":
        """The table as a search that started now goes on seeing it."""
        copy = MemoryTable(self.dimensions, self.table_id)
        copy._rows, copy._removed, copy._last = dict(self._rows), list(self._removed), self._last
        return copy

    def count(self) -> int:
        return len(self._rows)

    def last_key(self) -> int:
        return self._last

    def rows(self, after: int) -> Iterator[VectorRow]:
        yield from (self._rows[key] for key in sorted(self._rows) if key > after)

    def at(self, keys: Sequence[int]) -> list[VectorRow]:
        # Any order, so let it be an awkward one.
        return [self._rows[key] for key in sorted(keys, reverse=True) if key in self._rows]

    def removed(self) -> list[int]:
        return list(self._removed)


def clustered(rows: int, dimensions: int, seed: int = 1, centres: int = 40) -> Matrix:
    """Unit vectors in groups, as texts on some topics give them."""
    random = np.random.default_rng(seed)
    middle = random.normal(size=(centres, dimensions))
    matrix = middle[random.integers(0, centres, rows)] + 0.8 * random.normal(size=(rows, dimensions))
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), np.float32)


def as_vectors(matrix: Matrix) -> list[Vector]:
    return [line.astype("<f4").tobytes() for line in matrix]


def near(matrix: Matrix, seed: int = 2) -> list[Vector]:
    """Questions close to these rows."""
    random = np.random.default_rng(seed)
    return as_vectors(matrix + 0.3 * random.normal(size=matrix.shape).astype(np.float32) / np.sqrt(matrix.shape[1]))


def keys_of(found: Sequence[Neighbour]) -> list[int]:
    return [neighbour.record_key for neighbour in found]
