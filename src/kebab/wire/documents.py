"""Documents and chunks on the wire: the lines of a list, and one document or chunk with all that is known of it."""

from kebab.core.chunk import Chunk
from kebab.core.document import Block, Metadata, ProvenanceEvent
from kebab.core.inspection import ChunkView, DocPage, DocSummary, DocView
from kebab.core.span import Place
from kebab.wire.value import Json, optional, plain


def encode_doc_summary(summary: DocSummary) -> Json:
    return {
        "schema_version": "doc_summary.v1",
        "doc_id": summary.doc_id,
        "doc_path": summary.doc_path,
        "title": summary.title,
        "lang": summary.lang,
        "tags": list(summary.tags),
        "trust_level": str(summary.trust_level),
        "source_type": str(summary.source_type),
        "byte_len": summary.byte_len,
        "chunk_count": summary.chunk_count,
        "created_at": summary.created_at,
        "updated_at": summary.updated_at,
        "parser_version": summary.parser_version,
        "chunker_version": summary.chunker_version,
        "source_id": summary.source_id,
        "media_type": summary.media_type,
        "stale": summary.stale,
        "freshness": str(summary.freshness),
    }


def encode_doc_list(page: DocPage) -> Json:
    return {
        "schema_version": "doc_list.v1",
        "docs": [encode_doc_summary(summary) for summary in page.docs],
        "next_cursor": page.next_cursor,
        "total": page.total,
    }


def encode_doc_inspection(view: DocView) -> Json:
    summary = view.summary
    return {
        "schema_version": "doc_inspection.v1",
        "doc_id": summary.doc_id,
        "doc_path": summary.doc_path,
        "title": summary.title,
        "lang": summary.lang,
        "metadata": _encode_metadata(view.metadata),
        "provenance": [_encode_provenance(event) for event in view.provenance],
        "blocks": [_encode_block(block) for block in view.blocks],
        "chunks": [_encode_chunk_place(chunk) for chunk in view.chunks],
        "warnings": list(view.warnings),
        "parser_version": summary.parser_version,
        "chunker_version": summary.chunker_version,
        "freshness": str(summary.freshness),
        "stale": summary.stale,
    }


def _encode_metadata(metadata: Metadata) -> Json:
    return {
        "tags": list(metadata.tags),
        "aliases": list(metadata.aliases),
        "created_at": metadata.created_at,
        "updated_at": metadata.updated_at,
        "source_type": str(metadata.source_type),
        "trust_level": str(metadata.trust_level),
        **optional(user_id_alias=metadata.user_id_alias),
        "user": plain(metadata.user),
        **optional(
            repo=metadata.repo,
            git_branch=metadata.git_branch,
            git_commit=metadata.git_commit,
            code_lang=metadata.code_lang,
        ),
    }


def _encode_provenance(event: ProvenanceEvent) -> Json:
    return {"at": event.at, "agent": event.agent, "kind": event.kind, **optional(note=event.note)}


def _encode_block(block: Block) -> Json:
    return {
        "block_id": block.block_id,
        "kind": str(block.kind),
        "heading_path": list(block.heading_path),
        "ordinal": block.ordinal,
        "source_span": dict(block.span.to_json()),
        "payload": plain(block.payload),
        **({} if block.place is None else {"place": _encode_place(block.place)}),
    }


def _encode_spans(chunk: Chunk) -> list[Json]:
    """The lines of the text that was read, and what a person would open to see them, where that is another thing."""
    places = () if chunk.place is None else (_encode_place(chunk.place),)
    return [*(dict(span.to_json()) for span in chunk.spans), *places]


def _encode_place(place: Place) -> Json:
    return {name: value for name, value in place.to_json().items() if value is not None}


def _encode_chunk_place(chunk: Chunk) -> Json:
    return {
        "chunk_id": chunk.chunk_id,
        "ordinal": chunk.ordinal,
        "heading_path": list(chunk.heading_path),
        "source_spans": _encode_spans(chunk),
        "token_estimate": chunk.token_estimate,
    }


def encode_chunk(view: ChunkView) -> Json:
    chunk = view.chunk
    return {
        "schema_version": "chunk_inspection.v1",
        "chunk_id": chunk.chunk_id,
        "doc_id": chunk.doc_id,
        "doc_path": view.doc_path,
        "ordinal": chunk.ordinal,
        "heading_path": list(chunk.heading_path),
        **optional(section_label=chunk.section_label),
        "text": chunk.text,
        "source_spans": _encode_spans(chunk),
        "block_ids": list(chunk.block_ids),
        "token_estimate": chunk.token_estimate,
        "chunker_version": chunk.chunker_version,
        "embeddings": [
            {"model": model.model, "dimensions": model.dimensions, "embedding_id": embedding_id}
            for model, embedding_id in view.embeddings
        ],
    }
