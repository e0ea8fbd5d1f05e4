"""Answers, their events and what a check of one found, read back from the wire, as values that encode to the same."""

import re

from kebab.core.answer import (
    Answer,
    AnswerCitation,
    AnswerEvent,
    AnswerReady,
    Evidence,
    Hop,
    ModelRef,
    Quote,
    RefusalReason,
    RetrievalDone,
    RetrievalSummary,
    Statement,
    Support,
    TokenArrived,
    Usage,
    Verification,
)
from kebab.core.archive import CitationCheck, CitationStatus, VerifyReport
from kebab.core.query import SearchMode
from kebab.wire.decode_search import Given, decode_citation, decode_freshness, decode_hit


def decode_answer_event(value: Given) -> AnswerEvent:
    kind, ts = value["kind"], value["ts"]
    if kind == "retrieval_done":
        return RetrievalDone(ts, tuple(decode_hit(hit) for hit in value["hits"]))
    if kind == "token":
        return TokenArrived(ts, value["delta"])
    return AnswerReady(ts, decode_answer(value["answer"]))


def decode_answer(value: Given) -> Answer:
    """With the evidence, where it was asked for."""
    reason, embedding, hops = value["refusal_reason"], value.get("embedding"), value.get("hops")
    verification = value.get("verification")
    return Answer(
        question=value["question"],
        answer=value["answer"],
        citations=tuple(_cited(each["citation"], each["marker"], each.get("score")) for each in value["citations"]),
        grounded=value["grounded"],
        refusal_reason=None if reason is None else RefusalReason(reason),
        model=_model(value["model"]),
        embedding=None if embedding is None else _model(embedding),
        prompt_template_version=value["prompt_template_version"],
        retrieval=_retrieval(value["retrieval"]),
        usage=Usage(**value["usage"]),
        created_at=value["created_at"],
        statements=tuple(_statement(each) for each in value["statements"]),
        evidence=tuple(_evidence(each) for each in value.get("evidence", ())),
        hops=None if hops is None else tuple(_hop(each) for each in hops),
        verification=None if verification is None else Verification(**verification),
        conversation_id=value.get("conversation_id"),
        turn_index=value.get("turn_index"),
        hint=value.get("hint"),
    )


def _cited(value: Given, marker: str | None, score: float | None = None) -> AnswerCitation:
    place = decode_citation(value)
    number = 0 if marker is None else _number(marker)
    quoted = value.get("quote")
    quote = None if quoted is None else Quote(number, quoted["text"], quoted["start"], quoted["end"], place)
    return AnswerCitation(
        marker, place, value["indexed_at"], value["stale"], decode_freshness(value), quote=quote, score=score
    )


def _number(marker: str) -> int:
    return int(marker.strip("[]"))


def _model(value: Given) -> ModelRef:
    return ModelRef(value["id"], value["provider"], value.get("dimensions"))


def _retrieval(value: Given) -> RetrievalSummary:
    return RetrievalSummary(**{**value, "mode": SearchMode(value["mode"])})


def _hop(value: Given) -> Hop:
    return Hop(
        value["iter"],
        value["kind"],
        tuple(value["sub_queries"]),
        value["context_chunks_added"],
        value["forced_stop"],
        value["llm_call_ms"],
        tuple(tuple(ids) for ids in value.get("chunk_ids", ())),
    )


def _statement(value: Given) -> Statement:
    numbers = tuple(_number(marker) for marker in value["markers"])
    return Statement(
        text=_as_written(value["text"], numbers),
        markers=numbers,
        support=Support(value["support"]),
        score=value["score"],
        quotes=tuple(quote for each in value["quotes"] if (quote := _quote(each)) is not None),
    )


def _as_written(text: str, numbers: tuple[int, ...]) -> str:
    """The markers as the model wrote them, so that who shows the words alone knows what to leave out."""
    for number in numbers:
        text = re.sub(rf"\[{number}\]", f"[#{number}]", text)
    return text


def _quote(value: Given) -> Quote | None:
    return _cited(value["citation"], value["marker"]).quote


def _evidence(value: Given) -> Evidence:
    citation = decode_citation(value["citation"])
    return Evidence(_number(value["marker"]), decode_hit(value["hit"]), value["text"], value["first_line"], citation)


def decode_verify_report(value: Given) -> VerifyReport:
    return VerifyReport(value["trace_id"], tuple(_check(each) for each in value["checks"]))


def _check(value: Given) -> CitationCheck:
    found = value["found"]
    return CitationCheck(
        cited=_cited(value["citation"], value["marker"]),
        status=CitationStatus(value["status"]),
        detail=value["detail"],
        found=None if found is None else decode_citation(found),
    )
