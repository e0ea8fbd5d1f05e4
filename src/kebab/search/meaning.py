"""The vector channel: chunks whose passages or headings are near a question, and how near given chunks are."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.embedding import EmbeddingKind, Role, Vector, VectorRow

if TYPE_CHECKING:
    from kebab.core.ports import ChunkVectors, Embedder, VectorEngine
    from kebab.search.coefficients import Coefficients

# A chunk has several vectors, and the best ones of some chunks may take many places.
ROWS_PER_CANDIDATE = 1.2


class Meaning(NamedTuple):
    """What the channel works with. `cosines` compares a question with stored rows; `name` is the model's."""

    embedder: "Embedder"
    engine: "VectorEngine"
    table: "ChunkVectors"
    cosines: Callable[[Vector, Sequence[VectorRow]], list[float]]
    coefficients: "Coefficients"
    name: str

    def vector_of(self, text: str) -> Vector:
        return self.embedder.embed([text], EmbeddingKind.QUERY)[0]

    def nearest(self, question: Vector, documents: Collection[int] | None, limit: int) -> dict[int, float]:
        """The best score of each chunk near the question, of these documents only when given."""
        rows = self.engine.nearest(self.table, question, round(limit * ROWS_PER_CANDIDATE), documents)
        return self._best((row.chunk_key, row.role, row.cosine) for row in rows)

    def score(self, question: Vector, chunk_keys: Sequence[int]) -> dict[int, float]:
        """The score of given chunks; those without vectors are left out."""
        rows = self.table.of_chunks(chunk_keys)
        cosines = self.cosines(question, rows)
        return self._best((row.chunk_key, row.role, cosine) for row, cosine in zip(rows, cosines, strict=True))

    def _best(self, found: Iterable[tuple[int, int, float]]) -> dict[int, float]:
        best: dict[int, float] = {}
        for chunk_key, role, cosine in found:
            score = cosine - self.coefficients.heading_discount if role == Role.HEADING else cosine
            if score > best.get(chunk_key, -2.0):
                best[chunk_key] = max(score, -1.0)
        return best
