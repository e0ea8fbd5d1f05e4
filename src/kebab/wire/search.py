"""Search results on the wire: a hit with its proof of place, and the response that carries the hits."""

from kebab.core.query import Hit, RetrievalDetail, SearchResult, Trace, TracedChunk
from kebab.wire.citation import encode_citation
from kebab.wire.value import Json, optional, plain_text


def encode_hit(hit: Hit, index_version: str, embedding_model: str | None = None) -> Json:
    """`hit.file` stays behind: where the workspace lies on this machine is nobody else's business."""
    cited = encode_citation(hit.citation, indexed_at=hit.indexed_at, stale=hit.stale, freshness=hit.freshness)
    return {
        "schema_version": "search_hit.v1",
        "rank": hit.rank,
        "score": hit.score,
        "score_kind": hit.score_kind,
        "chunk_id": hit.chunk_id,
        "doc_id": hit.doc_id,
        "doc_path": hit.doc_path,
        "title": hit.title,
        "heading_path": list(hit.heading_path),
        **optional(section_label=hit.section_label),
        **_encode_snippet(hit),
        "citation": cited,
        "retrieval": _encode_retrieval(hit.retrieval),
        "index_version": index_version,
        **optional(embedding_model=embedding_model),
        "chunker_version": hit.chunker_version,
        "indexed_at": hit.indexed_at,
        "stale": hit.stale,
        "source_id": hit.source_id,
        "trust_level": str(hit.trust_level),
        **optional(repo=hit.repo, code_lang=hit.code_lang),
    }


def _encode_snippet(hit: Hit) -> Json:
    return {
        "snippet": hit.snippet,
        "snippet_full_text": hit.snippet_full_text,
        "highlights": [[start, end] for start, end in hit.highlights],
    }


def _encode_retrieval(detail: RetrievalDetail) -> Json:
    # Null here says "this channel did not find it", which a reader must be able to tell from "not sent".
    return {
        "method": str(detail.method),
        "lexical_score": detail.lexical_score,
        "vector_score": detail.vector_score,
        "fusion_score": detail.fusion_score,
        "lexical_rank": detail.lexical_rank,
        "vector_rank": detail.vector_rank,
    }


def encode_response(result: SearchResult, index_version: str) -> Json:
    return {
        "schema_version": "search_response.v1",
        "hits": [encode_hit(hit, index_version, result.embedding_model) for hit in result.hits],
        "next_cursor": result.next_cursor,
        "truncated": result.truncated,
        **optional(degraded=result.degraded, hint=result.hint),
        **({} if result.trace is None else {"trace": _encode_trace(result.trace)}),
    }


def _encode_trace(trace: Trace) -> Json:
    return {
        "lexical": [_encode_traced(each) for each in trace.lexical],
        "vector": [_encode_traced(each) for each in trace.vector],
        "rrf_inputs": [
            {**_encode_traced(each), "rrf_score": each.detail.rrf_score(trace.rrf_k)} for each in trace.fused
        ],
        "rrf_k": trace.rrf_k,
        "timing": {
            "lexical_ms": trace.timing.lexical_ms,
            "vector_ms": trace.timing.vector_ms,
            "fusion_ms": trace.timing.fusion_ms,
            "total_ms": trace.timing.total_ms,
        },
    }


def _encode_traced(each: TracedChunk) -> Json:
    return {"chunk_id": each.chunk_id, "doc_path": plain_text(each.doc_path), **_encode_retrieval(each.detail)}
