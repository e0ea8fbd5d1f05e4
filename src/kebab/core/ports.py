"""What the stages owe each other, as protocols; `app.assemble` chooses who fulfils them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kebab.core.asset import Asset, SourceType, TrustLevel
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.query import Candidate, Filters


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a parser knows about a file besides its bytes. Times are RFC 3339."""

    asset: Asset
    workspace_path: str
    file_created_at: str
    file_updated_at: str
    trust_level: TrustLevel | None
    source_type: SourceType | None


class Parser(Protocol):
    version: str

    def parse(self, raw: bytes, context: ParseContext) -> Document: ...


class Chunker(Protocol):
    version: str

    def chunk(self, document: Document, policy: ChunkPolicy) -> list[Chunk]: ...


@dataclass(frozen=True, slots=True)
class Analysis:
    """A query as the full-text index sees it."""

    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    grams: tuple[str, ...]


class Analyser(Protocol):
    """Text to the words that are indexed, the same way for documents and for queries."""

    version: str

    def stream(self, text: str) -> str: ...

    def grams(self, text: str) -> str: ...

    def query(self, text: str) -> Analysis: ...


class Matcher(Protocol):
    """The full-text channel."""

    def match(self, query: Analysis, filters: Filters, limit: int) -> Sequence[Candidate]: ...
