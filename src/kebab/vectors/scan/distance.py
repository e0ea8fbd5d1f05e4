"""How far rows are from a question by their bits: signs counted for all rows, signs and sizes weighed for the best."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kebab.vectors.arrays import Distances, Floats, Keys, Words

# Rows that are looked at together: the buffers of so many stay in a core's cache.
BLOCK_ROWS = 1 << 16
# What a large number counts for, when a small one counts for one.
_LARGE = 3


class Hamming:
    """Differing signs of blocks of rows and one question. Holds its buffers, so one thread uses it."""

    def __init__(self, question: "Words") -> None:
        import numpy as np

        self._question = question[:, 0]
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
    """The places of the `size` rows whose signs and sizes agree best with the question, in growing order."""
    import numpy as np

    scores = _agreement(words, question) / _lengths(words, len(question))
    return np.sort(np.argsort(-np.round(scores, 5), kind="stable")[:size])


def _agreement(words: "Words", question: "Floats") -> "Floats":
    """The product of the question with each row as far as its bits tell, four numbers at a time from tables."""
    import numpy as np

    lines, rows = words.shape
    octets = words.astype("<u8", copy=False).view(np.uint8).reshape(lines, rows, 8).transpose(0, 2, 1)
    signs, sizes = np.ascontiguousarray(octets).reshape(2, -1, rows)
    low, high = (signs & 15) | ((sizes & 15) << 4), (signs >> 4) | (sizes & 240)
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    values = (1 - 2 * bits[:, :4]) * (1 + (_LARGE - 1) * bits[:, 4:])
    padded = np.zeros(32 * lines, np.float32)
    padded[: len(question)] = question
    tables = padded.reshape(-1, 4) @ values.T.astype(np.float32)
    total, part = np.zeros(rows, np.float32), np.empty(rows, np.float32)
    for number in range(len(low)):
        for table, codes in ((tables[2 * number], low[number]), (tables[2 * number + 1], high[number])):
            np.take(table, codes, out=part, mode="clip")
            np.add(total, part, out=total)
    return total


def _lengths(words: "Words", dimensions: int) -> "Floats":
    import numpy as np

    large = np.bitwise_count(words[len(words) // 2 :]).sum(axis=0, dtype=np.uint16)
    return np.sqrt(dimensions + (_LARGE**2 - 1) * large.astype(np.float32))
