"""The exact engine: compares with every row of the table and keeps no files. The measure of the others."""

from collections.abc import Collection

from kebab.core.embedding import Neighbour, Vector
from kebab.core.ports import VectorTable
from kebab.vectors.packed import unit
from kebab.vectors.ranking import best_of


class ExactEngine:
    """Right by construction, and slow: for tests, for small tables, and for when nothing else can answer."""

    def nearest(
        self, table: VectorTable, query: Vector, limit: int, documents: Collection[int] | None
    ) -> list[Neighbour]:
        question = unit(query, table.dimensions)
        if limit <= 0 or (documents is not None and not documents):
            return []
        return best_of(table.rows(0), question, limit, documents)

    def follow(self, table: VectorTable) -> None:
        """There is nothing to bring up to date."""

    def rebuild(self, table: VectorTable) -> int:
        return table.count()

    def problem(self, table: VectorTable) -> str | None:  # noqa: ARG002 the port's signature
        return None

    def drop(self, table_id: str) -> None:
        """There is nothing to remove."""

    def size(self) -> int:
        return 0
