"""What is kept of answers, on the wire: the list of them, sessions with their turns, and what a check found."""

from collections.abc import Iterable

from kebab.core.archive import AnswerSummary, ChatSession, ChatTurn, CitationCheck, VerifyReport
from kebab.core.markers import shown
from kebab.wire.answer import encode_citations
from kebab.wire.citation import encode_citation, encode_cited
from kebab.wire.value import Json, optional, plain_text


def encode_answer_list(answers: Iterable[AnswerSummary]) -> Json:
    return {"schema_version": "answer_list.v1", "answers": [_encode_summary(summary) for summary in answers]}


def _encode_summary(summary: AnswerSummary) -> Json:
    reason = summary.refusal_reason
    return {
        "trace_id": summary.trace_id,
        "question": plain_text(summary.question),
        "answer": plain_text(shown(summary.answer)),
        "grounded": summary.grounded,
        "refusal_reason": None if reason is None else str(reason),
        "model": {"id": plain_text(summary.model.id), "provider": summary.model.provider},
        "citation_count": summary.citations,
        "created_at": summary.created_at,
        **optional(conversation_id=summary.conversation_id, turn_index=summary.turn_index),
    }


def encode_session_list(sessions: Iterable[ChatSession]) -> Json:
    return {"schema_version": "session_list.v1", "sessions": [_encode_head(session) for session in sessions]}


def encode_session(session: ChatSession, turns: Iterable[ChatTurn]) -> Json:
    return {
        "schema_version": "session.v1",
        **_encode_head(session),
        "config": {plain_text(name): plain_text(value) for name, value in session.config.items()},
        "turns": [_encode_turn(turn) for turn in turns],
    }


def _encode_head(session: ChatSession) -> Json:
    return {
        "session_id": session.session_id,
        **optional(title=session.title and plain_text(session.title)),
        "turn_count": session.turn_count,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
    }


def _encode_turn(turn: ChatTurn) -> Json:
    return {
        "turn_index": turn.turn_index,
        "question": plain_text(turn.question),
        "answer": plain_text(shown(turn.answer)),
        "citations": encode_citations(turn.citations),
        "created_at": turn.created_at,
    }


def encode_verify_report(report: VerifyReport) -> Json:
    return {
        "schema_version": "verify_report.v1",
        "trace_id": report.trace_id,
        "ok": report.ok,
        "checks": [_encode_check(check) for check in report.checks],
    }


def _encode_check(check: CitationCheck) -> Json:
    """A quote is checked at its own lines, so those are the place that is named."""
    cited, found = check.cited, check.found
    place = cited.quote.citation if cited.quote is not None else cited.citation
    return {
        "marker": None if cited.marker is None else shown(cited.marker),
        "path": place.path,
        "status": str(check.status),
        "detail": plain_text(check.detail),
        "citation": encode_cited(cited._replace(citation=place)),
        "found": None if found is None else encode_citation(found, indexed_at=cited.indexed_at, stale=cited.stale),
    }
