"""LanceDB as an engine: its table follows the store's, and what it finds is compared exactly with the store's."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.core.embedding import Neighbour, Vector, VectorRow
from kebab.core.errors import IoFailure, ReadonlyMode
from kebab.core.ports import VectorTable
from kebab.vectors.lance.dataset import Broken, Dataset, Found, need_lancedb
from kebab.vectors.lance.verify import plausible, problem
from kebab.vectors.naming import bytes_below, safe_name
from kebab.vectors.packed import unit
from kebab.vectors.ranking import best_of, merged, ranked

if TYPE_CHECKING:
    from kebab.vectors.arrays import Floats

BATCH_ROWS = 20_000
# Lance reads a list of so many documents in about the time of a search; longer ones are applied to what it found.
_LONGEST_LIST = 1000
_MOST_REMOVED = 0.2
_SAME_COSINE = 1e-3
# Closer than this to the last result, a row that was not fetched may be its equal with a smaller key.
_TIE = 1e-5


class LanceEngine:
    """Derives one Lance table per table and dimension. A table that is lost or broken costs time, never a result."""

    def __init__(self, folder: Path, *, writable: bool) -> None:
        self._folder = folder
        self._writable = writable
        self._datasets: dict[tuple[str, int], Dataset] = {}

    def nearest(
        self, table: VectorTable, query: Vector, limit: int, documents: Collection[int] | None
    ) -> list[Neighbour]:
        need_lancedb()
        question = unit(query, table.dimensions)
        if limit <= 0 or (documents is not None and not documents):
            return []
        dataset = self._dataset(table)
        found: list[Neighbour] = []
        last = 0
        if dataset.path.exists():
            with suppress(Broken):
                reached = dataset.last_key()
                # What was replaced after the search began is gone from a table that is ahead of it.
                if reached <= table.last_key():
                    found = self._search(dataset, table, question, limit, documents)
                    last = reached
        return merged((found, best_of(table.rows(last), question, limit, documents)), limit)

    def follow(self, table: VectorTable) -> None:
        """A table that cannot be written is no failure: searches do without it, and `problem` names it."""
        need_lancedb()
        if not self._writable:
            return
        try:
            if not self._followed(self._dataset(table), table):
                self._build(table)
        except Broken:
            with suppress(Broken):
                self._build(table)

    def rebuild(self, table: VectorTable) -> int:
        need_lancedb()
        if not self._writable:
            raise ReadonlyMode("the vector files cannot be rebuilt under --readonly", hint="run it without --readonly")
        try:
            return self._build(table)
        except Broken as error:
            raise IoFailure(
                f"cannot write the Lance table: {error}",
                hint="check the data directory and the free space",
                path=str(self._dataset(table).path),
                op="write",
            ) from error

    def problem(self, table: VectorTable) -> str | None:
        need_lancedb()
        return problem(self._dataset(table), table)

    def drop(self, table_id: str) -> None:
        for path in self._folder.glob(f"{safe_name(table_id)}-*.lance"):
            Dataset(self._folder, path.stem, 0).remove()
        self._datasets = {key: value for key, value in self._datasets.items() if key[0] != table_id}

    def size(self) -> int:
        return bytes_below(self._folder, "*.lance/**/*")

    def _dataset(self, table: VectorTable) -> Dataset:
        place = (table.table_id, table.dimensions)
        if place not in self._datasets:
            self._datasets[place] = Dataset(
                self._folder, f"{safe_name(table.table_id)}-{table.dimensions}", table.dimensions
            )
        return self._datasets[place]

    def _search(
        self,
        dataset: Dataset,
        table: VectorTable,
        question: "Floats",
        limit: int,
        documents: Collection[int] | None,
    ) -> list[Neighbour]:
        """The nearest of the rows Lance has. Asks for more when removed rows, filters or ties leave too few."""
        listed = documents if documents is None or len(documents) <= _LONGEST_LIST else None
        late = None if listed is documents or documents is None else frozenset(documents)
        count = 2 * limit + 64
        while True:
            found = dataset.nearest(question, count, listed)
            keys = _passing(found, late)
            rows = table.at(keys)
            results = ranked(rows, question, limit)
            _compare(found, results)
            complete = len(found.keys) < count
            if complete or (len(results) == limit and results[-1].cosine - float(found.cosines[-1]) > _TIE):
                return results
            count *= 4

    def _followed(self, dataset: Dataset, table: VectorTable) -> bool:
        """Whether the Lance table could be brought up to the table; if not, it has to be made anew."""
        import numpy as np

        if not dataset.path.exists():
            return False
        keys = dataset.keys()
        last = int(keys[-1]) if len(keys) else 0
        dead = np.intersect1d(keys, np.array(table.removed(), np.int64))
        if len(dead) > _MOST_REMOVED * len(keys) or not plausible(dataset, table, keys):
            return False
        added = 0
        for rows in _batches(table.rows(last)):
            dataset.add(rows, fresh=False)
            added += len(rows)
        dataset.delete(dead.tolist())
        if added or len(dead):
            dataset.tidy()
        return len(keys) - len(dead) + added == table.count()

    def _build(self, table: VectorTable) -> int:
        dataset = self._dataset(table)
        dataset.create()
        total = 0
        for rows in _batches(table.rows(0)):
            dataset.add(rows, fresh=True)
            total += len(rows)
        return total


def _batches(rows: Iterator[VectorRow]) -> Iterator[list[VectorRow]]:
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def _passing(found: Found, documents: frozenset[int] | None) -> list[int]:
    keys: list[int] = found.keys.tolist()
    if documents is None:
        return keys
    return [key for key, document in zip(keys, found.docs.tolist(), strict=True) if document in documents]


def _compare(found: Found, results: list[Neighbour]) -> None:
    """Raises Broken when Lance computed with other vectors than the table has."""
    cosines = dict(zip(found.keys.tolist(), found.cosines.tolist(), strict=True))
    if any(abs(cosines[result.record_key] - result.cosine) > _SAME_COSINE for result in results):
        raise Broken("the vectors differ from the table's")
