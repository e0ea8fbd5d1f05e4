"""Search results read back from the wire: what encodes to the same object again. Raises what Python does for others.

What is not sent cannot be read back: where the files lie on the other machine.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from kebab.core.citation import (
    CaptionCitation,
    Citation,
    CodeCitation,
    LineCitation,
    PageCitation,
    RegionCitation,
    TimeCitation,
)
from kebab.core.query import (
    Freshness,
    Hit,
    RetrievalDetail,
    SearchMode,
    SearchResult,
    Timing,
    Trace,
    TracedChunk,
)
from kebab.wire.citation import FIELDS

Given: TypeAlias = Mapping[str, Any]

_KINDS: dict[str, Callable[..., Citation]] = {
    "line": LineCitation,
    "page": PageCitation,
    "region": RegionCitation,
    "caption": CaptionCitation,
    "time": TimeCitation,
    "code": CodeCitation,
}


def decode_citation(value: Given) -> Citation:
    kind = value["kind"]
    return _KINDS[kind](value["path"], **{name: value.get(name) for name in FIELDS[kind]})


def decode_freshness(value: Given) -> Freshness:
    return Freshness(value.get("freshness", Freshness.UNKNOWN))


def decode_hit(value: Given) -> Hit:
    return Hit(
        rank=value["rank"],
        score=value["score"],
        score_kind=value["score_kind"],
        chunk_id=value["chunk_id"],
        doc_id=value["doc_id"],
        doc_path=value["doc_path"],
        title=value["title"],
        heading_path=tuple(value["heading_path"]),
        section_label=value.get("section_label"),
        snippet=value["snippet"],
        snippet_full_text=value["snippet_full_text"],
        highlights=tuple((start, end) for start, end in value["highlights"]),
        citation=decode_citation(value["citation"]),
        retrieval=_detail(value["retrieval"]),
        chunker_version=value["chunker_version"],
        indexed_at=value["indexed_at"],
        stale=value["stale"],
        freshness=decode_freshness(value["citation"]),
        source_id=value["source_id"],
        trust_level=value["trust_level"],
        file="",
        repo=value.get("repo"),
        code_lang=value.get("code_lang"),
    )


def _detail(value: Given) -> RetrievalDetail:
    return RetrievalDetail(
        SearchMode(value["method"]),
        value["fusion_score"],
        value["lexical_score"],
        value["vector_score"],
        value["lexical_rank"],
        value["vector_rank"],
    )


def decode_response(value: Given) -> SearchResult:
    """What all hits share is taken from the first of them."""
    hits = tuple(decode_hit(hit) for hit in value["hits"])
    first = value["hits"][0] if hits else {}
    trace = value.get("trace")
    return SearchResult(
        hits=hits,
        mode=hits[0].retrieval.method if hits else SearchMode.HYBRID,
        degraded=value.get("degraded"),
        hint=value.get("hint"),
        score_kind=first.get("score_kind", "bm25"),
        embedding_model=first.get("embedding_model"),
        next_cursor=value["next_cursor"],
        truncated=value["truncated"],
        trace=None if trace is None else _trace(trace),
    )


def _trace(value: Given) -> Trace:
    timing = value["timing"]
    return Trace(
        lexical=tuple(_traced(each) for each in value["lexical"]),
        vector=tuple(_traced(each) for each in value["vector"]),
        fused=tuple(_traced(each) for each in value["rrf_inputs"]),
        timing=Timing(timing["lexical_ms"], timing["vector_ms"], timing["fusion_ms"], timing["total_ms"]),
        rrf_k=value["rrf_k"],
    )


def _traced(value: Given) -> TracedChunk:
    return TracedChunk(value["chunk_id"], value["doc_path"], _detail(value))
