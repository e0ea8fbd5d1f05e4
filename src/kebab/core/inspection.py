"""What kebab says about itself and about what it keeps: answers to `list`, `inspect`, `doctor`, `models` and the like.

Values only. The app fills them from the store; interfaces print or encode them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.document import Block, Metadata, ProvenanceEvent
from kebab.core.embedding import EmbeddingModel
from kebab.core.query import Freshness

RESET_SCOPES = ("all", "data_only", "vector_only", "config_only", "orphans_only")
NO_MODEL = "none"
MODEL_KINDS = ("embedding", "nli", "speech")


@dataclass(frozen=True, slots=True)
class DocSummary:
    """One line of `list docs`. `updated_at` is when the document was last really processed, not the file's time."""

    doc_id: str
    doc_path: str
    title: str
    lang: str
    tags: tuple[str, ...]
    trust_level: TrustLevel
    source_type: SourceType
    byte_len: int
    chunk_count: int
    created_at: str
    updated_at: str
    parser_version: str
    chunker_version: str
    source_id: str
    media_type: str
    stale: bool
    freshness: Freshness


class DocPage(NamedTuple):
    """A part of a list of documents; `total` counts the whole list, and a cursor leads to the next part, if any."""

    docs: tuple[DocSummary, ...]
    total: int
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkView:
    """A chunk, and the embedding models that hold vectors of it with the id of its embedding."""

    chunk: Chunk
    doc_path: str
    embeddings: tuple[tuple[EmbeddingModel, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DocView:
    """A document with everything that was derived from it."""

    summary: DocSummary
    metadata: Metadata
    provenance: tuple[ProvenanceEvent, ...]
    blocks: tuple[Block, ...]
    chunks: tuple[Chunk, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One question the doctor asked. `name` is snake_case; `hint` says what to do when the answer is no."""

    name: str
    ok: bool
    detail: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class DoctorReport:
    checks: tuple[Check, ...]
    repaired: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class ResetReport:
    """What a reset removed. `scope` is one of RESET_SCOPES; `orphans_purged` is set by `orphans_only`."""

    scope: str
    removed_paths: tuple[str, ...] = ()
    embedding_rows_truncated: int = 0
    orphans_purged: int | None = None
    purged_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelVersions:
    """The labels whose change makes derived data stale; NO_MODEL for a stage that has no model here."""

    parser_version: str
    chunker_version: str
    index_version: str
    corpus_revision: int
    embedding_version: str = NO_MODEL
    prompt_template_version: str = NO_MODEL
    active_parsers: tuple[str, ...] = ()
    active_chunkers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexStats:
    """Breakdowns count documents; `index_bytes` is the size of each store on disk, by store name."""

    doc_count: int
    chunk_count: int
    asset_count: int
    last_ingest_at: str | None
    media_breakdown: Mapping[str, int] = field(default_factory=dict)
    lang_breakdown: Mapping[str, int] = field(default_factory=dict)
    stale_doc_count: int = 0
    index_bytes: Mapping[str, int] = field(default_factory=dict)
    code_lang_breakdown: Mapping[str, int] = field(default_factory=dict)
    code_lang_chunk_breakdown: Mapping[str, int] = field(default_factory=dict)
    repo_breakdown: Mapping[str, int] = field(default_factory=dict)
    symbol_count: int = 0


class Pulse(NamedTuple):
    """The index at a glance. `stale` counts documents that were last processed too long ago; NO_MODEL where none is."""

    corpus_revision: int
    documents: int
    chunks: int
    stale: int
    embedding: str
    language_model: str
    last_ingest_at: str | None = None


@dataclass(frozen=True, slots=True)
class SchemaReport:
    """What this build and configuration can do, and what the index holds."""

    kebab_version: str
    schemas: tuple[str, ...]
    capabilities: Mapping[str, bool]
    models: ModelVersions
    stats: IndexStats


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model kebab knows by name. `path` is where it is or would be; `size_bytes` is what a pull fetches, about.

    `kind` is one of MODEL_KINDS: what searches by meaning, checks answers, or writes down recordings.
    """

    name: str
    provider: str
    dimensions: int
    licence: str
    size_bytes: int
    pulled: bool
    path: str
    configured: bool
    kind: str = "embedding"


class PullProgress(NamedTuple):
    """Of one file of a model, in bytes. `total` is None when the hub does not say it."""

    file: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class ModelVectors:
    """A model the index holds vectors of; searches use the active one."""

    identity: EmbeddingModel
    active: bool
    vectors: int


class CachedKind(NamedTuple):
    """Results of one kind (`ocr`, `caption`, `transcript`, `page-ocr`), and when the least recent was last used."""

    kind: str
    entries: int
    bytes: int
    oldest: str


class CacheStatus(NamedTuple):
    """What is kept of results that cost much. `most_bytes` is the limit an ingest keeps it to.

    `dropped` is how many results were just dropped.
    """

    entries: int
    bytes: int
    oldest: str | None
    kinds: tuple[CachedKind, ...] = ()
    most_bytes: int = 0
    dropped: int | None = None


class SymbolRow(NamedTuple):
    """A definition as it is listed."""

    name: str
    qualified: str
    kind: str
    line: int
    line_end: int
    doc_path: str
    code_lang: str | None
    repo: str | None


@dataclass(frozen=True, slots=True)
class VectorStatus:
    """What vectors there are. `chunks_without_vectors` is of the configured model, without one of the active.

    `problem` is what is wrong with the derived files; `rebuilt` the rows in them, when they were just made anew.
    """

    engine: str
    active: EmbeddingModel | None
    configured: EmbeddingModel | None
    vectors: int
    chunks_without_vectors: int
    unused_vectors: int
    file_bytes: int
    problem: str | None
    models: tuple[ModelVectors, ...] = ()
    rebuilt: int | None = None
