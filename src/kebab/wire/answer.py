"""An answer on the wire: its words with their markers, what each stands on, and the stream in which it arrives."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kebab.core.answer import (
    Answer,
    AnswerCitation,
    AnswerEvent,
    AnswerReady,
    Evidence,
    Hop,
    ModelRef,
    Quote,
    RetrievalDone,
    RetrievalSummary,
    Statement,
    TokenArrived,
)
from kebab.core.markers import MarkerStream, marker_text, shown
from kebab.core.versions import INDEX_VERSION
from kebab.wire.citation import encode_citation, encode_cited, encode_quote
from kebab.wire.search import encode_hit
from kebab.wire.value import Json, optional, plain_text, plain_texts


def encode_answer(answer: Answer, *, evidence: bool = False) -> Json:
    """`evidence` adds the passages the model was given, with how each was found."""
    reason, verification = answer.refusal_reason, answer.verification
    return {
        "schema_version": "answer.v1",
        "question": plain_text(answer.question),
        "answer": plain_text(shown(answer.answer)),
        "citations": encode_citations(answer.citations),
        "grounded": answer.grounded,
        "refusal_reason": None if reason is None else str(reason),
        "model": _encode_model(answer.model),
        **optional(embedding=_encode_model(answer.embedding) if answer.embedding else None),
        "prompt_template_version": answer.prompt_template_version,
        "retrieval": _encode_retrieval(answer.retrieval),
        "usage": answer.usage._asdict(),
        "created_at": answer.created_at,
        **optional(conversation_id=answer.conversation_id, turn_index=answer.turn_index),
        **optional(hops=None if answer.hops is None else [_encode_hop(hop) for hop in answer.hops]),
        **optional(verification=verification._asdict() if verification else None),
        "statements": [_encode_statement(statement, answer) for statement in answer.statements],
        **optional(hint=answer.hint),
        **({"evidence": [_encode_evidence(each) for each in answer.evidence]} if evidence else {}),
    }


def _encode_evidence(evidence: Evidence) -> Json:
    hit = evidence.hit
    return {
        "marker": marker_text(evidence.number),
        "hit": encode_hit(hit, INDEX_VERSION),
        "text": plain_text(evidence.text),
        "first_line": evidence.first_line,
        "citation": encode_citation(
            evidence.citation, indexed_at=hit.indexed_at, stale=hit.stale, freshness=hit.freshness
        ),
    }


def encode_citations(citations: Iterable[AnswerCitation]) -> list[Json]:
    """Null marks a candidate that is only named; its score is told, because it was not enough."""
    return [
        {
            "marker": None if cited.marker is None else shown(cited.marker),
            "citation": encode_cited(cited),
            **optional(score=cited.score if cited.marker is None else None),
        }
        for cited in citations
    ]


def _encode_model(model: ModelRef) -> Json:
    return {"id": plain_text(model.id), "provider": model.provider, **optional(dimensions=model.dimensions)}


def _encode_retrieval(summary: RetrievalSummary) -> Json:
    return {
        "trace_id": summary.trace_id,
        "mode": str(summary.mode),
        "k": summary.k,
        "score_gate": summary.score_gate,
        "top_score": summary.top_score,
        "chunks_returned": summary.chunks_returned,
        "chunks_used": summary.chunks_used,
        **optional(evidence_score=summary.evidence_score, features=_encode_features(summary)),
    }


def _encode_features(summary: RetrievalSummary) -> Json | None:
    return None if summary.features is None else dict(summary.features)


def _encode_hop(hop: Hop) -> Json:
    return {
        "iter": hop.iteration,
        "kind": hop.kind,
        "sub_queries": plain_texts(hop.sub_queries),
        "context_chunks_added": hop.context_chunks_added,
        "forced_stop": hop.forced_stop,
        "llm_call_ms": hop.llm_call_ms,
        **optional(chunk_ids=[list(ids) for ids in hop.chunk_ids] or None),
    }


def _encode_statement(statement: Statement, answer: Answer) -> Json:
    return {
        "text": plain_text(shown(statement.text)),
        "markers": [marker_text(number) for number in statement.markers],
        "support": str(statement.support),
        "score": statement.score,
        "quotes": [
            {"marker": marker_text(quote.number), "citation": place}
            for quote in statement.quotes
            if (place := _encode_place(quote, answer)) is not None
        ],
    }


def _encode_place(quote: Quote, answer: Answer) -> Json | None:
    """The quote's own lines, with the state of the document it is from; None when the answer does not know it."""
    for evidence in answer.evidence:
        if evidence.number == quote.number:
            hit = evidence.hit
            place = encode_citation(quote.citation, indexed_at=hit.indexed_at, stale=hit.stale, freshness=hit.freshness)
            return {**place, "quote": encode_quote(quote)}
    return None


def encode_answer_events(
    events: Iterable[AnswerEvent], index_version: str, *, evidence: bool = False
) -> Iterator[Json]:
    """The stream as it is sent. A marker that arrives in pieces is sent whole; the last object carries the answer."""
    markers = MarkerStream()
    for event in events:
        if isinstance(event, TokenArrived):
            event_shown = replace(event, delta=markers.feed(event.delta))
            if event_shown.delta:
                yield _encode_event(event_shown, index_version)
            continue
        if isinstance(event, AnswerReady):
            if left := markers.end():
                yield _encode_event(TokenArrived(event.ts, left), index_version)
            yield _event("final", event.ts, answer=encode_answer(event.answer, evidence=evidence))
            continue
        yield _encode_event(event, index_version)


def _encode_event(event: RetrievalDone | TokenArrived, index_version: str) -> Json:
    if isinstance(event, RetrievalDone):
        return _event("retrieval_done", event.ts, hits=[encode_hit(hit, index_version) for hit in event.hits])
    return _event("token", event.ts, delta=plain_text(event.delta))


def _event(kind: str, ts: str, **fields: object) -> Json:
    return {"schema_version": "answer_event.v1", "kind": kind, "ts": ts, **fields}
