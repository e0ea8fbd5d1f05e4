"""Channels that say what they are told to, and remember what they were asked. A row's vector is its cosine here."""

import struct
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, Neighbour, Role, Vector, VectorRow
from kebab.core.errors import KebabError
from kebab.core.ports import VectorTable
from kebab.core.query import AnalysedQuery, Candidate, Filters
from kebab.search.coefficients import Coefficients
from kebab.search.meaning import Meaning

QUESTION = b"question"


@dataclass
class ScriptedMatcher:
    candidates: list[Candidate] = field(default_factory=list)
    scores: dict[int, float] = field(default_factory=dict)
    most: float = 10.0
    size: int = 20_000
    asked: list[tuple[AnalysedQuery, Filters, int]] = field(default_factory=list)

    def analyse(self, text: str) -> AnalysedQuery:
        return AnalysedQuery(tuple(text.split()), (), ())

    def match(self, query: AnalysedQuery, filters: Filters, limit: int) -> list[Candidate]:
        self.asked.append((query, filters, limit))
        return self.candidates[:limit]

    def score(self, query: AnalysedQuery, keys: Sequence[int]) -> dict[int, float]:
        return {key: value for key, value in self.scores.items() if key in keys}

    def ceiling(self, query: AnalysedQuery) -> float:
        return self.most

    def count(self) -> int:
        return self.size

    def places(self, keys: Sequence[int]) -> dict[int, tuple[str, int]]:
        return {key: ("a.md", key) for key in keys}

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]:
        return []


@dataclass
class ScriptedVectors:
    """Embedder, engine and table in one. `found` limits what the engine gives, not what the table holds."""

    stored: list[VectorRow] = field(default_factory=list)
    found: set[int] | None = None
    failure: KebabError | None = None
    embedded: list[tuple[str, EmbeddingKind]] = field(default_factory=list)
    asked: list[tuple[int, Collection[int] | None]] = field(default_factory=list)
    scored: list[list[int]] = field(default_factory=list)

    model = EmbeddingModel("test", "scripted", "v1", 1)
    table_id = "scripted"
    dimensions = 1

    def add(self, chunk: int, cosine: float, role: Role = Role.PASSAGE, document: int = 1) -> None:
        self.stored.append(VectorRow(len(self.stored) + 1, chunk, document, role, struct.pack("<d", cosine)))

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        self.embedded += [(text, kind) for text in texts]
        if self.failure is not None:
            raise self.failure
        return [QUESTION for _ in texts]

    def release(self) -> None:
        raise AssertionError("a search gives nothing back")

    def nearest(
        self, table: VectorTable, query: Vector, limit: int, documents: Collection[int] | None
    ) -> list[Neighbour]:
        assert (table, query) == (self, QUESTION)
        self.asked.append((limit, documents))
        rows = [row for row in self.stored if self.found is None or row.chunk_key in self.found]
        rows = [row for row in rows if documents is None or row.doc_key in documents]
        near = [Neighbour(row.record_key, row.chunk_key, row.role, cosine(row)) for row in rows]
        return sorted(near, key=lambda row: (-row.cosine, row.record_key))[:limit]

    def of_chunks(self, chunk_keys: Sequence[int]) -> list[VectorRow]:
        self.scored.append(list(chunk_keys))
        return [row for row in self.stored if row.chunk_key in chunk_keys]

    def count(self) -> int:
        return len(self.stored)

    def last_key(self) -> int:
        return len(self.stored)

    def rows(self, after: int) -> Iterator[VectorRow]:
        yield from (row for row in self.stored if row.record_key > after)

    def at(self, keys: Sequence[int]) -> list[VectorRow]:
        return [row for row in self.stored if row.record_key in keys]

    def removed(self) -> list[int]:
        return []

    def follow(self, table: VectorTable) -> None:
        """Nothing is derived."""

    def rebuild(self, table: VectorTable) -> int:
        return len(self.stored)

    def problem(self, table: VectorTable) -> str | None:
        return None

    def drop(self, table_id: str) -> None:
        """Nothing is derived."""

    def size(self) -> int:
        return 0

    def meaning(self, weight: float = 0.3, heading_discount: float = 0.05) -> Meaning:
        return Meaning(self, self, self, compared, Coefficients(weight, heading_discount), "scripted")


def cosine(row: VectorRow) -> float:
    (value,) = struct.unpack("<d", row.packed)
    return float(value)


def compared(question: Vector, rows: Sequence[VectorRow]) -> list[float]:
    assert question == QUESTION
    return [cosine(row) for row in rows]
