"""What the stages owe each other, as protocols; `app.assemble` chooses who fulfils them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from kebab.core.answer import Delta, Finished, ModelRef, Prompt
from kebab.core.asset import Asset, SourceType, TrustLevel
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.embedding import EmbeddingKind, EmbeddingModel, Neighbour, Vector, VectorRow
from kebab.core.query import AnalysedQuery, Candidate, Filters


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a parser knows about a file besides its bytes. Times are RFC 3339."""

    asset: Asset
    workspace_path: str
    file_created_at: str
    file_updated_at: str
    trust_level: TrustLevel | None
    source_type: SourceType | None
    repository: "Repository | None" = None


class Repository(NamedTuple):
    """The git repository a file lies in: its name, the branch that is checked out (None when detached), its commit.

    A document keeps the branch and the commit it was read under: another checkout that leaves a file as it is does not
    change them. A repository of another name or at another place does: its files are processed anew.
    """

    name: str
    branch: str | None
    commit: str | None
    root: str
    """The folder of the work tree, as a workspace path; empty for the source's own root."""


class Parser(Protocol):
    version: str

    def parse(self, raw: bytes, context: ParseContext) -> Document: ...


class Chunker(Protocol):
    version: str

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]: ...


class Matcher(Protocol):
    """The full-text channel."""

    def analyse(self, text: str) -> AnalysedQuery: ...

    def match(self, query: AnalysedQuery, filters: Filters, limit: int) -> list[Candidate]: ...

    def score(self, query: AnalysedQuery, keys: Sequence[int]) -> dict[int, float]: ...

    def ceiling(self, query: AnalysedQuery) -> float: ...

    def count(self) -> int:
        """How many chunks there are."""
        ...

    def places(self, keys: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Where chunks are, as something to order equals by."""
        ...

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]: ...


class Embedder(Protocol):
    """Text to vectors. Loads nothing heavy before the first `embed`."""

    @property
    def model(self) -> EmbeddingModel: ...

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """One unit vector per text, in order, the same whatever else is in the batch.

        Raises ModelUnreachable, ModelNotPulled, ModelInvalid, TimedOut or MissingExtra.
        """
        ...

    def release(self) -> None:
        """Gives back the memory of what the next `embed` can load again."""
        ...


class VectorTable(Protocol):
    """One model's vectors as the store keeps them: the truth that engines derive their files from."""

    @property
    def table_id(self) -> str:
        """Names this model's table of this index; another index or model has another."""
        ...

    @property
    def dimensions(self) -> int: ...

    def count(self) -> int: ...

    def last_key(self) -> int:
        """The largest key ever given; keys grow and are never used again."""
        ...

    def rows(self, after: int) -> Iterator[VectorRow]:
        """Those with a larger key, in the order of keys."""
        ...

    def at(self, keys: Sequence[int]) -> list[VectorRow]:
        """Those of the keys that are still there, in any order."""
        ...

    def removed(self) -> list[int]:
        """Keys that were removed and not yet forgotten, in order."""
        ...


class ChunkVectors(VectorTable, Protocol):
    """A table that also gives the vectors of chunks another channel found."""

    def of_chunks(self, chunk_keys: Sequence[int]) -> list[VectorRow]: ...


class VectorEngine(Protocol):
    """Nearest neighbours. What it keeps is derived from a table and can be lost at any time."""

    def nearest(
        self, table: VectorTable, query: Vector, limit: int, documents: Collection[int] | None
    ) -> list[Neighbour]:
        """The nearest rows of the table, nearest first, equals by key; of these documents only, when given."""
        ...

    def follow(self, table: VectorTable) -> None:
        """Brings the derived files up to the table. The caller holds the writer lock."""
        ...

    def rebuild(self, table: VectorTable) -> int:
        """Makes the derived files anew; gives the number of rows in them. The caller holds the writer lock."""
        ...

    def problem(self, table: VectorTable) -> str | None:
        """What is wrong with the derived files; None when nothing is, also when they merely lag behind."""
        ...

    def drop(self, table_id: str) -> None:
        """Removes what is derived from a table that is no more."""
        ...

    def size(self) -> int:
        """Bytes on disk."""
        ...


class Reranker(Protocol):
    """Reads a query and a passage together. Slower and better than comparing vectors, so it gets few passages."""

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers the query, from 0 to 1, in order.

        Raises ModelNotPulled, ModelInvalid or MissingExtra.
        """
        ...


class LanguageModel(Protocol):
    """A prompt to a reply, piece by piece."""

    @property
    def model(self) -> ModelRef: ...

    @property
    def context_tokens(self) -> int: ...

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        """The reply; `Finished` comes last and once. Closing the iterator stops the model.

        Raises ModelUnreachable, ModelNotPulled, ModelInvalid, TimedOut or ConfigInvalid.
        """
        ...


class Entailment(Protocol):
    """A verifier that reads a passage and a sentence together."""

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each passage and sentence, how likely the one says the other, from 0 to 1."""
        ...
