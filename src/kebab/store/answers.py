"""The table `answers`: what was asked and answered, with what it takes to check the citations again."""

import json
from collections.abc import Mapping
from typing import Any

from kebab.core.answer import Answer, ModelRef, RefusalReason, RetrievalSummary, Usage
from kebab.core.archive import AnswerSummary, RecordedAnswer
from kebab.core.query import Filters, SearchMode
from kebab.store.answer_json import (
    cited_from,
    clean,
    evidence_from,
    filters_from,
    hops_from,
    passage,
    statement_from,
    to_json,
    verification_from,
)
from kebab.store.sql import Database, Row

KEPT_ANSWERS = 1000
PREFIX = "ret_"
_NEWEST_FIRST = "ORDER BY created_at DESC, rowid DESC"
_SUMMARY = """trace_id, query, answer, grounded, refusal_reason, model_id, model_provider,
    (SELECT count(*) FROM json_each(citations_json) WHERE value ->> 'marker' IS NOT NULL),
    created_at, conversation_id, turn_index"""


class Answers:
    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, answer: Answer, checksums: Mapping[str, str], filters: Filters | None = None) -> None:
        """`checksums` are those of the files that were cited, by workspace path. The oldest answers make room."""
        values = _values(answer, checksums, filters or Filters())
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        with self._db.transaction():
            self._db.run(f"INSERT OR REPLACE INTO answers({names}) VALUES ({marks})", values)
            self.prune()

    def prune(self) -> None:
        self._db.run(
            f"DELETE FROM answers WHERE trace_id NOT IN (SELECT trace_id FROM answers {_NEWEST_FIRST} LIMIT ?)",
            (KEPT_ANSWERS,),
        )

    def find(self, reference: str) -> list[RecordedAnswer]:
        """By trace id, or by the beginning of one with or without `ret_`; two when it fits several."""
        exact = self._rows("trace_id = ?1", (reference,))
        start = f"{PREFIX}{reference.removeprefix(PREFIX)}"
        if exact or start == PREFIX:
            return exact
        return self._rows("substr(trace_id, 1, length(?1)) = ?1", (start,))

    def _rows(self, condition: str, bindings: tuple[str, ...]) -> list[RecordedAnswer]:
        names = ", ".join(_COLUMNS)
        found = self._db.rows(f"SELECT {names} FROM answers WHERE {condition} {_NEWEST_FIRST} LIMIT 2", bindings)
        return [_recorded(dict(zip(_COLUMNS, row, strict=True))) for row in found]

    def list(self, limit: int, *, grounded: bool | None = None) -> list[AnswerSummary]:
        """Newest first; with `grounded` only those that are, or are not."""
        sql = f"SELECT {_SUMMARY} FROM answers WHERE ?1 IS NULL OR grounded = ?1 {_NEWEST_FIRST} LIMIT ?2"
        return [_summary(row) for row in self._db.rows(sql, (grounded, limit))]


def _values(answer: Answer, checksums: Mapping[str, str], filters: Filters) -> dict[str, Any]:
    """A row by column."""
    numbers = {number for statement in answer.statements for number in statement.markers}
    numbers |= {each.number for each in answer.evidence if _is_cited(answer, each.marker)}
    passages = [passage(each, cited=each.number in numbers) for each in answer.evidence]
    embedding, retrieval, usage = answer.embedding, answer.retrieval, answer.usage
    return {
        "trace_id": retrieval.trace_id,
        "query": clean(answer.question),
        "answer": clean(answer.answer),
        "grounded": int(answer.grounded),
        "refusal_reason": answer.refusal_reason,
        "hint": answer.hint,
        "model_id": answer.model.id,
        "model_provider": answer.model.provider,
        "embedding_model_id": embedding.id if embedding else None,
        "embedding_provider": embedding.provider if embedding else None,
        "embedding_dimensions": embedding.dimensions if embedding else None,
        "prompt_template_version": answer.prompt_template_version,
        "retrieval_mode": retrieval.mode,
        "retrieval_k": retrieval.k,
        "score_gate": retrieval.score_gate,
        "top_score": retrieval.top_score,
        "evidence_score": retrieval.evidence_score,
        "chunks_returned": retrieval.chunks_returned,
        "chunks_used": retrieval.chunks_used,
        "filters_json": to_json(filters),
        "citations_json": to_json(answer.citations),
        "packed_chunks_json": to_json([each.hit.chunk_id for each in answer.evidence]),
        "statements_json": to_json(answer.statements),
        "evidence_json": to_json({"passages": passages, "checksums": checksums, "features": retrieval.features}),
        "hops_json": None if answer.hops is None else to_json(answer.hops),
        "verification_json": None if answer.verification is None else to_json(answer.verification),
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "latency_ms": usage.latency_ms,
        "conversation_id": answer.conversation_id,
        "turn_index": answer.turn_index,
        "created_at": answer.created_at,
    }


_COLUMNS = tuple(
    """trace_id query answer grounded refusal_reason hint model_id model_provider embedding_model_id embedding_provider
    embedding_dimensions prompt_template_version retrieval_mode retrieval_k score_gate top_score evidence_score
    chunks_returned chunks_used filters_json citations_json statements_json evidence_json hops_json verification_json
    prompt_tokens completion_tokens latency_ms conversation_id turn_index created_at""".split()
)


def _is_cited(answer: Answer, marker: str) -> bool:
    shown = marker.replace("#", "")
    return any(cited.marker in (marker, shown) for cited in answer.citations)


def _summary(row: Row) -> AnswerSummary:
    trace_id, query, answer, grounded, reason, model, provider, citations, created, conversation, turn = row
    return AnswerSummary(
        trace_id,
        query,
        answer,
        bool(grounded),
        RefusalReason(reason) if reason else None,
        ModelRef(model, provider),
        citations,
        created,
        conversation,
        turn,
    )


def _recorded(row: dict[str, Any]) -> RecordedAnswer:
    evidence = json.loads(row["evidence_json"])
    answer = Answer(
        question=row["query"],
        answer=row["answer"],
        citations=tuple(map(cited_from, json.loads(row["citations_json"]))),
        grounded=bool(row["grounded"]),
        refusal_reason=RefusalReason(row["refusal_reason"]) if row["refusal_reason"] else None,
        model=ModelRef(row["model_id"], row["model_provider"]),
        embedding=_embedding(row),
        prompt_template_version=row["prompt_template_version"],
        retrieval=RetrievalSummary(
            row["trace_id"],
            SearchMode(row["retrieval_mode"]),
            row["retrieval_k"],
            row["score_gate"],
            row["top_score"],
            row["chunks_returned"],
            row["chunks_used"],
            row["evidence_score"],
            evidence.get("features"),
        ),
        usage=Usage(row["prompt_tokens"] or 0, row["completion_tokens"] or 0, row["latency_ms"] or 0),
        created_at=row["created_at"],
        statements=tuple(map(statement_from, json.loads(row["statements_json"]))),
        evidence=tuple(map(evidence_from, evidence["passages"])),
        hops=hops_from(row["hops_json"]),
        verification=verification_from(row["verification_json"]),
        conversation_id=row["conversation_id"],
        turn_index=row["turn_index"],
        hint=row["hint"],
    )
    return RecordedAnswer(answer, evidence["checksums"], filters_from(row["filters_json"]))


def _embedding(row: dict[str, Any]) -> ModelRef | None:
    if row["embedding_model_id"] is None:
        return None
    return ModelRef(row["embedding_model_id"], row["embedding_provider"], row["embedding_dimensions"])
