"""BM25 of all chunks at once for one query over a large index: kept scores of common words, FTS5 for the rest."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.errors import RetrievalError
from kebab.core.query import Filters
from kebab.store.filters import document_condition, named_chunks
from kebab.store.fulltext_impacts import Channel, Impacts, State, path_beside, state_of
from kebab.store.sql import Database, among

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    Sums: TypeAlias = NDArray[Any]
    Mask: TypeAlias = NDArray[Any]

_MOST_FILTERS = 8


class Asked(NamedTuple):
    """Words of one channel as an FTS5 expression spells them, and the stem of each that stands for one word only."""

    channel: Channel
    spelt: tuple[str, ...]
    stems: Mapping[str, str]
    weight: float


def channels(words: tuple[str, str], grams: tuple[str, str]) -> tuple[Channel, Channel]:
    """Of tables and the expressions they are ranked by."""
    return Channel(*words, stems=True), Channel(*grams, stems=False)


def whole_index(database: Database, analyser: str, count: int) -> "WholeIndex | None":
    """None when no kept scores are there, or too old ones."""
    impacts = Impacts.open(path_beside(database))
    if impacts is None:
        return None
    state = state_of(database, analyser, count)
    return WholeIndex(database, impacts, state) if impacts.serves(state) else None


class WholeIndex:
    """Scores over one state of the index. Keeps the sums of the last query: it is asked for again by key."""

    def __init__(self, database: Database, impacts: Impacts, state: State) -> None:
        self._db = database
        self._impacts = impacts
        self._state = state
        self._last: tuple[Sequence[Asked], Sums] | None = None
        self._masks: OrderedDict[Filters, Mask] = OrderedDict()

    def best(self, asked: Sequence[Asked], filters: Filters, limit: int, most: int) -> dict[int, float]:
        """The best `limit` of the chunks the filters leave; equals of the last one too, up to `most`."""
        import numpy as np

        sums = self._summed(asked)
        if filters:
            sums = np.where(self._mask(filters), sums, 0.0)
        while True:
            found = _top(sums, limit, most)
            gone = self._gone(found)
            if not len(gone):
                return dict(zip(found.tolist(), sums[found].tolist(), strict=True))
            sums = sums.copy()
            sums[gone] = 0.0

    def of(self, asked: Sequence[Asked], keys: Sequence[int]) -> dict[int, float]:
        """Those of given chunks that have any of the words."""
        sums = self._summed(asked)
        return {key: float(sums[key]) for key in keys if key < len(sums) and sums[key] > 0}

    def count(self, table: str, word: str) -> int:
        """How many chunks held the word when its scores were kept; 0 for a word without."""
        return self._impacts.count(table, word)

    def _summed(self, asked: Sequence[Asked]) -> "Sums":
        """By key; 0 for a chunk without any of the words."""
        import numpy as np

        if self._last is None or self._last[0] != asked:
            found = np.zeros(self._state.newest + 1)
            for each in asked:
                self._add(found, each)
            self._last = asked, found
        return self._last[1]

    def _add(self, sums: "Sums", asked: Asked) -> None:
        kept: list[str] = []
        others: list[str] = []
        for spelt in asked.spelt:
            stem = asked.stems.get(spelt)
            impacts = None if stem is None else self._impacts.of(asked.channel, stem)
            if impacts is None:
                others.append(spelt)
            else:
                kept.append(spelt)
                sums[impacts[0]] += asked.weight * impacts[1]
        self._ask(sums, asked, others, 0)
        # What was written since.
        if self._state.newest > self._impacts.built.newest:
            self._ask(sums, asked, kept, self._impacts.built.newest)

    def _ask(self, sums: "Sums", asked: Asked, spelt: Sequence[str], after: int) -> None:
        import numpy as np

        if not spelt:
            return
        table, rank, _ = asked.channel
        sql = f"SELECT rowid, -{rank} FROM {table} WHERE {table} MATCH ? AND rowid > ?"
        rows = self._db.stream(sql, (" OR ".join(spelt), after))
        try:
            found = np.fromiter(rows, [("key", "<i8"), ("score", "<f8")])
        except RetrievalError as error:
            raise RetrievalError(error.message, hint="run `kebab doctor --repair`") from error
        # A full text that is damaged may hold what the index never had.
        found = found[found["key"] < len(sums)]
        sums[found["key"]] += asked.weight * found["score"]

    def _gone(self, keys: "Sums") -> "Sums":
        """Which of these chunks the index has no more: nothing is taken out of the kept scores."""
        import numpy as np

        rows = self._db.rows("SELECT chunk_key FROM chunks WHERE chunk_key IN carray(?)", (among(keys.tolist()),))
        return np.setdiff1d(keys, np.array([key for (key,) in rows], np.int64))

    def _mask(self, filters: Filters) -> "Mask":
        """One truth per key, remembered for as long as nothing is written."""
        if filters not in self._masks:
            self._masks[filters] = self._made(filters)
            if len(self._masks) > _MOST_FILTERS:
                self._masks.popitem(last=False)
        self._masks.move_to_end(filters)
        return self._masks[filters]

    def _made(self, filters: Filters) -> "Mask":
        import numpy as np

        mask = np.zeros(self._state.newest + 1, np.bool_)
        if filters.symbols:
            mask[named_chunks(self._db, filters)] = True
            return mask
        condition, bindings = document_condition(filters)
        # A document's chunks are written together and mostly have neighbouring keys.
        sql = f"""SELECT doc_key, min(chunk_key), max(chunk_key), count(*) FROM chunks
            WHERE doc_key IN (SELECT doc_key FROM documents d WHERE {condition}) GROUP BY doc_key"""
        for document, first, last, count in self._db.rows(sql, bindings):
            if last - first + 1 == count:
                mask[first : last + 1] = True
            else:
                keys = self._db.rows("SELECT chunk_key FROM chunks WHERE doc_key = ?", (document,))
                mask[[key for (key,) in keys]] = True
        return mask


def _top(sums: "Sums", limit: int, most: int) -> "Sums":
    """The keys of the highest sums above 0."""
    import numpy as np

    touched = np.flatnonzero(sums > 0)
    if len(touched) <= limit:
        return touched
    values = sums[touched]
    least = np.partition(values, len(values) - limit)[len(values) - limit]
    found = touched[values > least]
    equals = touched[values == least][: most - len(found)]
    return np.concatenate([found, equals])
