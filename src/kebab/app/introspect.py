"""`kebab schema`: what this build and configuration can do, and what the index holds."""

from importlib.util import find_spec

from kebab import __version__
from kebab.app.freshness import is_stale
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.errors import KebabError
from kebab.core.inspection import NO_MODEL, IndexStats, ModelVersions, SchemaReport
from kebab.core.query import Filters
from kebab.core.versions import INDEX_VERSION
from kebab.store.store import Store
from kebab.wire.schemas import SCHEMA_IDS

# Computed from what is really built in: a feature that lands flips its line here.
CAPABILITIES = {
    "json_mode": True,
    "ingest_progress": True,
    "ingest_cancellation": True,
    "incremental_ingest": True,
    "single_file_ingest": True,
    "rag_multi_turn": True,
    "search_cache": True,
    "streaming_ask": True,
    "http_daemon": find_spec("uvicorn") is not None,
    "mcp_server": find_spec("mcp") is not None,
    "bulk_search": True,
}


def introspect(config: Config, store: Store | None, vectors: VectorSide) -> SchemaReport:
    """`store` is None while there is no index."""
    from kebab.chunk import CHUNKERS
    from kebab.parse import PARSERS

    parsers = tuple(sorted({parser.version for parser in PARSERS.values()}))
    chunkers = tuple(sorted({chunker.version for chunker in CHUNKERS.values()}))
    models = ModelVersions(
        parser_version=PARSERS["markdown"].version,
        chunker_version=CHUNKERS["markdown"].version,
        index_version=INDEX_VERSION,
        corpus_revision=store.runs.corpus_revision() if store else 0,
        embedding_version=_embedding_version(store, vectors),
        prompt_template_version=config.rag.prompt_template_version,
        active_parsers=parsers,
        active_chunkers=chunkers,
    )
    return SchemaReport(__version__, SCHEMA_IDS, CAPABILITIES, models, _stats(config, store, vectors))


def _embedding_version(store: Store | None, vectors: VectorSide) -> str:
    """Of the vectors that searches use, or would use after the next ingest."""
    if not vectors.configured:
        return NO_MODEL
    active = store.embeddings.active() if store is not None and store.has_vectors else None
    identity = active.identity if active else vectors.wanted
    return f"{identity.model}@{identity.version}"


def _stats(config: Config, store: Store | None, vectors: VectorSide) -> IndexStats:
    if store is None:
        return IndexStats(0, 0, 0, None)
    counts = store.runs.counts()
    threshold = config.search.stale_threshold_days
    return IndexStats(
        doc_count=counts["documents"],
        chunk_count=counts["chunks"],
        asset_count=counts["assets"],
        last_ingest_at=store.runs.last_ingest_at(),
        media_breakdown=store.runs.breakdown("media_type"),
        lang_breakdown=store.runs.breakdown("lang"),
        stale_doc_count=sum(is_stale(row.updated_at, threshold) for row in store.shelf.rows(Filters())),
        code_lang_breakdown=store.runs.breakdown("code_lang"),
        code_lang_chunk_breakdown=store.runs.chunks_by_code_lang(),
        repo_breakdown=store.runs.breakdown("repo"),
        symbol_count=store.symbols.count(),
        index_bytes={"sqlite": store.health.size(), "vectors": _vector_bytes(vectors)},
    )


def _vector_bytes(vectors: VectorSide) -> int:
    """Of files derived from vectors, whichever engine made them."""
    try:
        return vectors.engine.size()
    except KebabError:
        return 0
