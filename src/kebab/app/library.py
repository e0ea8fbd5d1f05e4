"""`kebab list` and `kebab inspect`: what the index holds."""

from typing import NamedTuple

from kebab.app.freshness import freshness, is_stale
from kebab.core.asset import SourceType, TrustLevel
from kebab.core.errors import ChunkNotFound, DocNotFound, InvalidInput
from kebab.core.ids import embedding_id
from kebab.core.inspection import ChunkView, DocPage, DocSummary, DocView
from kebab.core.query import Filters
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

SORT_ORDERS = {
    "path": "d.workspace_path",
    "title": "d.title COLLATE NOCASE, d.workspace_path",
    "updated": "d.updated_at DESC, d.workspace_path",
    "created": "d.created_at DESC, d.workspace_path",
    "size": "a.byte_len DESC, d.workspace_path",
    "chunks": "d.chunk_count DESC, d.workspace_path",
}


class Listing(NamedTuple):
    """Which documents, in which order, how many at the most and from where on; a limit of 0 is none."""

    filters: Filters = Filters()
    sort: str = "path"
    limit: int = 0
    cursor: str = ""


def page_of_docs(store: Store, listing: Listing, stale_days: int) -> DocPage:
    from kebab.app.paging import cursor_at, list_binding, offset_at

    filters, sort, limit, cursor = listing
    if limit < 0:
        raise InvalidInput(f"limit must be 0 or more, not {limit}", field="limit")
    with store.snapshot():
        bound = list_binding(filters, sort, store.runs.corpus_revision())
        offset = offset_at(cursor, bound)
        rows = list(store.shelf.rows(filters, SORT_ORDERS[sort], limit or -1, offset))
        tags = store.shelf.tags([row.doc_key for row in rows])
        total = store.shelf.count(filters)
    docs = tuple(summary_of(row, tags.get(row.doc_key, ()), stale_days) for row in rows)
    end = offset + len(docs)
    return DocPage(docs, total, cursor_at(end, bound) if docs and end < total else None)


def docs_after(store: Store, path: str, limit: int, stale_days: int) -> list[DocSummary]:
    """By path, from behind this one: a place that stays what it is when the index changes."""
    with store.snapshot():
        rows = store.shelf.rows_after(path, limit)
        tags = store.shelf.tags([row.doc_key for row in rows])
    return [summary_of(row, tags.get(row.doc_key, ()), stale_days) for row in rows]


def summary_of(row: DocumentRow, tags: tuple[str, ...], stale_days: int) -> DocSummary:
    return DocSummary(
        doc_id=row.doc_id,
        doc_path=row.workspace_path,
        title=row.title,
        lang=row.lang,
        tags=tags,
        trust_level=TrustLevel(row.trust_level),
        source_type=SourceType(row.source_type),
        byte_len=row.byte_len,
        chunk_count=row.chunk_count,
        created_at=row.created_at,
        updated_at=row.updated_at,
        parser_version=row.parser_version,
        chunker_version=row.chunker_version,
        source_id=row.source_id,
        media_type=row.media_type,
        stale=is_stale(row.updated_at, stale_days),
        freshness=freshness(row),
    )


def inspect_doc(store: Store, reference: str, stale_days: int) -> DocView:
    row = _one_document(store, reference)
    metadata, provenance, warnings = store.contents.facts(row.doc_key)
    return DocView(
        summary=summary_of(row, metadata.tags, stale_days),
        metadata=metadata,
        provenance=provenance,
        blocks=store.contents.blocks(row.doc_key),
        chunks=store.contents.chunks_of(row.doc_key),
        warnings=warnings,
    )


def _one_document(store: Store, reference: str) -> DocumentRow:
    rows = store.shelf.find(reference)
    if not rows:
        raise DocNotFound(f"no document {reference}", hint="`kebab list docs` shows ids and paths", reference=reference)
    if len(rows) > 1:
        raise InvalidInput(f"{reference} fits several documents", hint="give more of the id", reference=reference)
    return rows[0]


def inspect_chunk(store: Store, reference: str) -> ChunkView:
    found = store.contents.find_chunk(reference)
    if not found:
        raise ChunkNotFound(
            f"no chunk {reference}",
            hint="`kebab search --json` and `kebab inspect doc` show chunk ids",
            reference=reference,
        )
    if len(found) > 1:
        raise InvalidInput(f"{reference} fits several chunks", hint="give more of the id", reference=reference)
    doc_key, chunk = found[0]
    identities = [model.identity for model in store.embeddings.of_chunk(chunk.chunk_id)] if store.has_vectors else []
    embeddings = (
        (each, embedding_id(chunk.chunk_id, each.model, each.version, each.dimensions)) for each in identities
    )
    return ChunkView(chunk, store.shelf.row_at([doc_key])[doc_key].workspace_path, tuple(embeddings))
