"""How far rows are from a question by their bits: signs counted for all rows, signs and sizes weighed for the best."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kebab.vectors.scan.segment import bit_words

if TYPE_CHECKING:
    from kebab.vectors.arrays import Counts, Distances, Floats, Keys, Octets, Words

# Rows that are looked at together: the buffers of so many stay in a core's cache.
BLOCK_ROWS = 1 << 16
# What a large number of a row counts for, when a small one counts for one.
_LARGE = 3
# A question's numbers are told apart in so many steps, up to so many times what is usual in a unit vector.
_LEVELS = 7
_LARGEST = 2.5


class Hamming:
    """Differing signs of blocks of rows and one question. Holds its buffers, so one thread uses it."""

    def __init__(self, question: "Floats") -> None:
        import numpy as np

        self._question = bit_words(np.signbit(question).reshape(1, -1))[:, 0]
        self._differing = np.empty(BLOCK_ROWS, np.uint64)
        self._counts = np.empty(BLOCK_ROWS, np.uint8)

    def distances(self, words: "Words") -> "Distances":
        """Of at most BLOCK_ROWS rows, whose signs come first."""
        import numpy as np

        rows = words.shape[1]
        differing, counts = self._differing[:rows], self._counts[:rows]
        total = np.zeros(rows, np.uint16)
        for line, word in zip(words, self._question, strict=False):
            np.bitwise_xor(line, word, out=differing)
            np.bitwise_count(differing, out=counts)
            np.add(total, counts, out=total)
        return total


class Pool:
    """The nearest `size` of the rows it is offered. Rows come in growing order; of equals the first ones stay."""

    def __init__(self, size: int) -> None:
        import numpy as np

        self._size = size
        self._rows: list[Keys] = []
        self._distances: list[Distances] = []
        self._held = 0
        self._worst = np.uint16(0xFFFF)

    def offer(self, distances: "Distances", first: int, rows: "Keys | None" = None) -> None:
        """Rows from `first` on, or the given ones counted from it."""
        import numpy as np

        near = np.flatnonzero(distances < self._worst)
        if len(near):
            self._rows.append((near if rows is None else rows[near]) + first)
            self._distances.append(distances[near])
            self._held += len(near)
        if self._held > 2 * self._size:
            self._settle()

    def _settle(self) -> None:
        import numpy as np

        distances = np.concatenate(self._distances)
        rows = np.concatenate(self._rows)
        if len(distances) > self._size:
            up_to = np.cumsum(np.bincount(distances))
            near = np.flatnonzero(distances <= np.searchsorted(up_to, self._size))
            # Stable, so that of equal distances the smaller row is kept, whatever was settled before.
            near = near[np.argsort(distances[near], kind="stable")[: self._size]]
            distances, rows = distances[near], rows[near]
            self._worst = distances[-1]
        self._rows, self._distances, self._held = [rows], [distances], len(rows)

    def rows(self) -> "Keys":
        """Those that stayed, in growing order."""
        import numpy as np

        if not self._rows:
            return np.empty(0, np.int64)
        self._settle()
        return np.sort(self._rows[0])


def weighed(words: "Words", question: "Floats", size: int) -> "Keys":
    """The places of the `size` rows whose signs and sizes agree best with the question, in growing order.

    A number of a row counts for one or for three, one of the question for up to seven. All of it is counted in bits,
    so that equal rows have equal scores.
    """
    import numpy as np

    signs, large = np.split(words, 2)
    differing = signs ^ bit_words(np.signbit(question).reshape(1, -1))
    both = differing & large
    scores = np.zeros(words.shape[1], np.int32)
    for weight, plane in _planes(question):
        wrong = 2 * _ones(differing & plane) + 2 * (_LARGE - 1) * _ones(both & plane)
        scores += weight * ((_LARGE - 1) * _ones(large & plane) - wrong)
    lengths = np.sqrt(len(question) + (_LARGE**2 - 1) * _ones(large))
    agreement = (scores + int(_levels(question).sum())) / lengths
    return np.sort(np.argsort(-agreement, kind="stable")[:size])


def _levels(question: "Floats") -> "Octets":
    import numpy as np

    steps = np.abs(question) * (len(question) ** 0.5 * _LEVELS / _LARGEST)
    levels: Octets = np.minimum(np.rint(steps), _LEVELS).astype(np.uint8)
    return levels


def _planes(question: "Floats") -> Iterator[tuple[int, "Words"]]:
    """The binary digits of the question's levels, each with its weight."""
    levels = _levels(question).reshape(1, -1)
    for weight in (1, 2, 4):
        yield weight, bit_words((levels & weight) != 0)


def _ones(words: "Words") -> "Counts":
    import numpy as np

    counts: Counts = np.bitwise_count(words).sum(axis=0, dtype=np.int32)
    return counts
