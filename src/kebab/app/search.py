"""`kebab search`: a query to hits that can prove where they come from."""

from kebab.app.freshness import freshness, is_stale
from kebab.core.citation import Citation, LineCitation
from kebab.core.errors import InvalidInput
from kebab.core.query import Hit, Query, SearchMode, SearchResult, SearchSettings
from kebab.search.retrieve import Ranked, Retrieved, retrieve
from kebab.search.snippet import excerpt
from kebab.store.shelf import DocumentRow, Passage
from kebab.store.store import Store

MAX_K = 1000
NO_VECTORS_HINT = "use --mode lexical to search by words without this note"


def search(store: Store, query: Query, settings: SearchSettings) -> SearchResult:
    _check(query)
    with store.snapshot():
        return _search(store, query, settings)


def _search(store: Store, query: Query, settings: SearchSettings) -> SearchResult:
    found = retrieve(query, store.fulltext)
    best = found.ranked[: query.k]
    chunks = store.shelf.passages([ranked.chunk_key for ranked in best]) if best else {}
    rows = store.shelf.row_at(sorted({stored.doc_key for stored in chunks.values()})) if chunks else {}
    placed = [(ranked, chunks[ranked.chunk_key]) for ranked in best]
    hits = tuple(
        _hit(store, query, found, (rank, ranked, stored, rows[stored.doc_key]), settings)
        for rank, (ranked, stored) in enumerate(placed, start=1)
    )
    hint = _analyser_hint(store) or (NO_VECTORS_HINT if found.degraded else None)
    return SearchResult(hits, found.mode, found.degraded, hint)


def _check(query: Query) -> None:
    if not query.text.strip():
        raise InvalidInput("the query is empty", hint='try `kebab search "what you look for"`')
    if not 1 <= query.k <= MAX_K:
        raise InvalidInput(f"--k must be from 1 to {MAX_K}, not {query.k}", k=query.k)
    if query.mode is SearchMode.VECTOR:
        raise InvalidInput(
            "no embedding model is configured, so there are no vectors to search", hint="use --mode lexical"
        )


def _analyser_hint(store: Store) -> str | None:
    built = store.runs.meta("analyser")
    if built and built != store.fulltext.analyser.version:
        return "the index was built with another Korean analyser; `kebab ingest` brings it up to date"
    return None


def _hit(
    store: Store,
    query: Query,
    found: Retrieved,
    place: tuple[int, Ranked, Passage, DocumentRow],
    settings: SearchSettings,
) -> Hit:
    rank, ranked, chunk, row = place
    snippet = excerpt(chunk.text, lambda text: store.fulltext.locate(text, found.analysed), query.snippet_chars)
    return Hit(
        rank=rank,
        score=ranked.score,
        score_kind=found.score_kind,
        chunk_id=chunk.chunk_id,
        doc_id=row.doc_id,
        doc_path=row.workspace_path,
        title=row.title,
        heading_path=chunk.heading_path,
        section_label=chunk.section_label,
        snippet=snippet.text,
        snippet_full_text=snippet.full,
        highlights=snippet.highlights,
        citation=cite(chunk, row.workspace_path),
        retrieval=ranked.detail,
        chunker_version=chunk.chunker_version,
        indexed_at=row.updated_at,
        stale=is_stale(row.updated_at, settings.stale_threshold_days),
        freshness=freshness(row),
        source_id=row.source_id,
        trust_level=row.trust_level,
        file=row.file_path,
    )


def cite(chunk: Passage, path: str) -> Citation:
    """All of the chunk's lines."""
    return LineCitation(path, chunk.spans[0].start, chunk.spans[-1].end, chunk.section_label)
