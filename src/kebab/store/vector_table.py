"""One model's vectors as rows: the truth that vector engines derive their files from."""

from collections.abc import Iterator, Sequence

from kebab.core.embedding import VectorRow
from kebab.store.sql import Database, among

_STEP = 5000
_SELECT = """SELECT r.record_key, r.chunk_key, c.doc_key, r.role, e.vector FROM embedding_records r
    JOIN embeddings e USING (embedding_key) JOIN chunks c ON c.chunk_key = r.chunk_key"""


class StoredVectors:
    """Fulfils the port `ChunkVectors` with the rows of `embedding_records` of one model."""

    def __init__(self, database: Database, model_key: int, dimensions: int, table_id: str) -> None:
        self._db = database
        self._model_key = model_key
        self.dimensions = dimensions
        self.table_id = table_id

    def count(self) -> int:
        sql = "SELECT count(*) FROM embedding_records WHERE model_key = ?"
        return int(self._db.scalar(sql, (self._model_key,)))

    def last_key(self) -> int:
        """Of all models together, which is as good: keys only grow."""
        return int(self._db.scalar("SELECT seq FROM sqlite_sequence WHERE name = 'embedding_records'") or 0)

    def rows(self, after: int) -> Iterator[VectorRow]:
        # In steps, so that no statement is open while the caller writes.
        sql = f"{_SELECT} WHERE r.model_key = ? AND r.record_key > ? ORDER BY r.record_key LIMIT {_STEP}"
        while rows := self._db.rows(sql, (self._model_key, after)):
            yield from map(VectorRow._make, rows)
            after = rows[-1][0]

    def at(self, keys: Sequence[int]) -> list[VectorRow]:
        return self._chosen("r.record_key", keys)

    def of_chunks(self, chunk_keys: Sequence[int]) -> list[VectorRow]:
        return self._chosen("r.chunk_key", chunk_keys)

    def removed(self) -> list[int]:
        sql = "SELECT record_key FROM removed_records WHERE model_key = ? ORDER BY record_key"
        return [key for (key,) in self._db.rows(sql, (self._model_key,))]

    def _chosen(self, column: str, keys: Sequence[int]) -> list[VectorRow]:
        sql = f"{_SELECT} WHERE {column} IN carray(?) AND r.model_key = ?"
        return list(map(VectorRow._make, self._db.rows(sql, (among(keys), self._model_key)))) if keys else []
