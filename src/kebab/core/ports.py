"""What the stages owe each other, as protocols; `app.assemble` chooses who fulfils them."""

from dataclasses import dataclass
from typing import Protocol

from kebab.core.asset import Asset, SourceType, TrustLevel
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
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

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]: ...
