"""Which rows a search may return: not removed, not newer than the table's state, of the given documents."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from kebab.vectors.scan.segment import Segment, places_of

if TYPE_CHECKING:
    from kebab.vectors.arrays import Keys, Mask

# A lookup table of document keys may be so long; keys further apart are searched for instead.
_WIDEST = 1 << 24


class Gate:
    """The rules of one search."""

    def __init__(self, newest: int, removed: "Keys", documents: Collection[int] | None) -> None:
        self._newest = newest
        self._removed = removed
        self._documents = None if documents is None else Documents(documents)

    def stop(self, segment: Segment) -> int:
        """Rows from here on are newer than the state the search sees: their writer has not been seen yet."""
        import numpy as np

        return int(np.searchsorted(segment.keys, self._newest, side="right"))

    def open_to(self, segment: Segment, start: int, stop: int) -> "Keys | None":
        """The rows that may pass, counted from `start`; None when all of them may."""
        import numpy as np

        dead = places_of(segment.keys[start:stop], self._removed)
        if self._documents is None and not len(dead):
            return None
        if self._documents is None:
            passing = np.ones(stop - start, np.bool_)
        else:
            passing = self._documents.mask(segment.docs[start:stop])
        passing[dead] = False
        return np.flatnonzero(passing)


class Documents:
    """A set of document keys that whole columns are looked up in."""

    def __init__(self, documents: Collection[int]) -> None:
        import numpy as np

        self._keys = np.unique(np.fromiter(documents, np.int64, len(documents)))
        self._low = self._keys[0]
        self._span = int(self._keys[-1]) - int(self._low) + 1
        self._table: Mask | None = None
        if self._span <= _WIDEST:
            # The first and the last entry stand for every key below and above the span.
            self._table = np.zeros(self._span + 2, np.bool_)
            self._table[self._keys - self._low + 1] = True

    def mask(self, docs: "Keys") -> "Mask":
        import numpy as np

        if self._table is None:
            places = np.minimum(np.searchsorted(self._keys, docs), len(self._keys) - 1)
            there: Mask = self._keys[places] == docs
            return there
        # In two steps: the key below the lowest may be no number any more, and arrays go round in silence.
        behind = docs - self._low
        behind += 1
        looked_up: Mask = self._table.take(behind, mode="clip")
        return looked_up
