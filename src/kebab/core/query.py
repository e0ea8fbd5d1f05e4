"""A query and what it found."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from kebab.core.asset import TrustLevel
from kebab.core.citation import Citation


class SearchMode(StrEnum):
    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


class Freshness(StrEnum):
    """Whether the file still is what was indexed."""

    FRESH = "fresh"
    CHANGED = "changed"
    MISSING = "missing"
    UNKNOWN = "unknown"


class Filters(NamedTuple):
    """Limits on what may be found: any of the values within a field, all of the fields together."""

    tags: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    trust_min: TrustLevel | None = None
    media: tuple[str, ...] = ()
    ingested_after: str | None = None
    doc_ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    code_langs: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Section `[search]`."""

    default_k: int = 10
    snippet_chars: int = 220
    stale_threshold_days: int = 365
    hybrid_fusion: str = "blend"
    rrf_k: int = 60
    blend_weight: float = 0.0
    reranker: str = ""


class Query(NamedTuple):
    """A question with its limits. `max_per_doc` 0 and `max_tokens` 0 set none; `cursor` continues an earlier result."""

    text: str
    mode: SearchMode
    k: int
    filters: Filters = Filters()
    snippet_chars: int = 220
    max_per_doc: int = 0
    max_tokens: int = 0
    cursor: str = ""
    trace: bool = False


class AnalysedQuery(NamedTuple):
    """A question as the full-text index sees it: single words, phrases, and Hangul pairs."""

    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    grams: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.terms or self.phrases or self.grams)


class Candidate(NamedTuple):
    """A chunk as one channel ranked it."""

    chunk_key: int
    score: float


class RetrievalDetail(NamedTuple):
    """How a hit was found: every rank and raw score, null for a channel that did not run or did not find it."""

    method: SearchMode
    fusion_score: float
    lexical_score: float | None = None
    vector_score: float | None = None
    lexical_rank: int | None = None
    vector_rank: int | None = None

    def rrf_score(self, k: int) -> float:
        """Its normalised reciprocal rank fusion, whichever fusion ranked it."""
        return sum(1 / (k + rank) for rank in (self.lexical_rank, self.vector_rank) if rank) * (k + 1) / 2


@dataclass(frozen=True, slots=True)
class Hit:
    rank: int
    score: float
    score_kind: str
    chunk_id: str
    doc_id: str
    doc_path: str
    title: str
    heading_path: tuple[str, ...]
    section_label: str | None
    snippet: str
    snippet_full_text: bool
    highlights: tuple[tuple[int, int], ...]
    citation: Citation
    retrieval: RetrievalDetail
    chunker_version: str
    indexed_at: str
    stale: bool
    freshness: Freshness
    source_id: str
    trust_level: str
    file: str
    repo: str | None = None
    code_lang: str | None = None


class TracedChunk(NamedTuple):
    """A candidate as a trace shows it."""

    chunk_id: str
    doc_path: str
    detail: RetrievalDetail


class Timing(NamedTuple):
    """Milliseconds spent."""

    lexical_ms: int = 0
    vector_ms: int = 0
    fusion_ms: int = 0
    total_ms: int = 0


class Trace(NamedTuple):
    """How a result came about: each channel's candidates in its own order, and all of them in the order of fusion."""

    lexical: tuple[TracedChunk, ...]
    vector: tuple[TracedChunk, ...]
    fused: tuple[TracedChunk, ...]
    timing: Timing
    rrf_k: int


class SearchResult(NamedTuple):
    """`embedding_model` is None when the vector channel did not run."""

    hits: tuple[Hit, ...]
    mode: SearchMode
    degraded: str | None = None
    hint: str | None = None
    score_kind: str = "bm25"
    embedding_model: str | None = None
    next_cursor: str | None = None
    truncated: bool = False
    trace: Trace | None = None
