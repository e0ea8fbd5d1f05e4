"""What was fetched or is to be opened, on the wire: a text with its place, and the command that shows a file."""

from kebab.core.chunk import Chunk
from kebab.core.fetching import FetchKind, FetchResult, Opening
from kebab.core.inspection import ChunkView
from kebab.wire.citation import encode_citation
from kebab.wire.documents import encode_chunk
from kebab.wire.value import Json, optional, plain_text, plain_texts


def encode_fetch(result: FetchResult) -> Json:
    return {
        "schema_version": "fetch_result.v1",
        "kind": str(result.kind),
        "doc_id": result.doc_id,
        "doc_path": result.doc_path,
        "indexed_at": result.indexed_at,
        "stale": result.stale,
        "freshness": str(result.freshness),
        "trust_level": result.trust_level,
        "truncated": result.truncated,
        **optional(citation=_encode_place(result)),
        **_encode_chunks(result),
        **optional(
            text=result.text,
            line_start=result.line_start,
            line_end=result.line_end,
            effective_end=result.effective_end,
            page=result.page,
        ),
    }


def _encode_place(result: FetchResult) -> Json | None:
    if result.citation is None:
        return None
    return encode_citation(
        result.citation, indexed_at=result.indexed_at, stale=result.stale, freshness=result.freshness
    )


def _encode_chunks(result: FetchResult) -> Json:
    if result.kind is not FetchKind.CHUNK or result.chunk is None:
        return {}
    return {
        "chunk": _encode_chunk(result.chunk, result.doc_path),
        "context_before": [_encode_chunk(chunk, result.doc_path) for chunk in result.context_before],
        "context_after": [_encode_chunk(chunk, result.doc_path) for chunk in result.context_after],
    }


def _encode_chunk(chunk: Chunk, doc_path: str) -> Json:
    # Its vectors were not looked up, and none would say that it has none.
    return {name: value for name, value in encode_chunk(ChunkView(chunk, doc_path)).items() if name != "embeddings"}


def encode_opening(opening: Opening) -> Json:
    return {
        "schema_version": "open_report.v1",
        "doc_path": opening.doc_path,
        "file": plain_text(opening.file),
        "freshness": str(opening.freshness),
        "command": plain_texts(opening.command),
        **optional(uri=opening.citation.to_uri() if opening.citation is not None else None),
    }
