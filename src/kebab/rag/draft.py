"""An answer in the making, and the two ways it ends: with citations and statements, or with a reason why not."""

import time
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from kebab.core.answer import (
    Answer,
    AnswerCitation,
    Evidence,
    Finished,
    FinishReason,
    Hop,
    ModelRef,
    Question,
    Quote,
    RefusalReason,
    RetrievalSummary,
    Statement,
    Usage,
    Verification,
)
from kebab.core.citation import Citation, CodeCitation, LineCitation
from kebab.core.clock import now
from kebab.core.query import Hit
from kebab.core.text import token_estimate
from kebab.rag.gate import Features, Verdict
from kebab.rag.pack import Found
from kebab.rag.wording import language_of, refusal

# Named in a refusal.
NEAREST = 3


class Searched(NamedTuple):
    """What a search gives a question: passages in order, and what it says about the evidence."""

    found: tuple[Found, ...]
    features: Features
    embedding: ModelRef | None = None
    hint: str | None = None


@dataclass(slots=True)
class Reply:
    """What a model wrote so far."""

    parts: list[str] = field(default_factory=list)
    finished: Finished | None = None
    aborted: bool = False

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()


@dataclass(slots=True)
class Draft:
    """Filled in step by step."""

    question: Question
    trace_id: str
    model: ModelRef
    template: str
    gate: float
    searched: Searched
    verdict: Verdict
    started: float
    evidence: tuple[Evidence, ...] = ()
    reply: Reply = field(default_factory=Reply)
    text: str = ""
    statements: tuple[Statement, ...] = ()
    hops: tuple[Hop, ...] | None = None
    verification: Verification | None = None
    hint: str | None = None

    def refused(self, reason: RefusalReason) -> Answer:
        """What the model wrote stays in the statements; the answer says what is missing and what came nearest."""
        if reason is RefusalReason.LLM_STREAM_ABORTED and self.text:
            return self._answer(self.text, self._cited(), reason)
        nearest = tuple(self._nearest(each.hit) for each in self.searched.found[:NEAREST])
        return self._answer(refusal(reason, language_of(self.question.text), nearest, self.gate), nearest, reason)

    def answered(self) -> Answer:
        return self._answer(self.text, self._cited(), None)

    def _cited(self) -> tuple[AnswerCitation, ...]:
        cited = {number for statement in self.statements for number in statement.markers}
        return tuple(_citation(each, self.statements) for each in self.evidence if each.number in cited)

    def _nearest(self, hit: Hit) -> AnswerCitation:
        """On the scale of the gate: the first has the verdict's score, the others their share of it."""
        top = self.searched.found[0].hit.score
        share = min(1.0, max(0.0, hit.score / top)) if top > 0 else 1.0
        return AnswerCitation(
            None, hit.citation, hit.indexed_at, hit.stale, hit.freshness, score=self.verdict.score * share
        )

    def _answer(self, text: str, citations: tuple[AnswerCitation, ...], reason: RefusalReason | None) -> Answer:
        return Answer(
            question=self.question.text,
            answer=text,
            citations=citations,
            grounded=reason is None,
            refusal_reason=reason,
            model=self.model,
            embedding=self.searched.embedding,
            prompt_template_version=self.template,
            retrieval=self._summary(),
            usage=self._usage(),
            created_at=now(),
            statements=self.statements,
            evidence=self.evidence,
            hops=self.hops,
            verification=self.verification,
            hint=self._hint(),
        )

    def _summary(self) -> RetrievalSummary:
        return RetrievalSummary(
            trace_id=self.trace_id,
            mode=self.question.mode,
            k=self.question.k,
            score_gate=self.gate,
            top_score=self.verdict.score,
            chunks_returned=len(self.searched.found),
            chunks_used=len(self.evidence),
            evidence_score=self.verdict.evidence,
            features={name: value for name, value in self.searched.features._asdict().items() if value is not None},
        )

    def _usage(self) -> Usage:
        spent = round((time.perf_counter() - self.started) * 1000)
        done = self.reply.finished
        said = done.completion_tokens if done else token_estimate(self.reply.text)
        return Usage(done.prompt_tokens if done else 0, said, spent)

    def _hint(self) -> str | None:
        if self.hint is not None:
            return self.hint
        if self.reply.finished is not None and self.reply.finished.reason is FinishReason.LENGTH:
            return "the reply was cut at its limit; raise models.llm.max_tokens"
        return self.searched.hint


def _citation(evidence: Evidence, statements: tuple[Statement, ...]) -> AnswerCitation:
    """The passage a marker names, with the words that bear out best what cites it."""
    hit = evidence.hit
    quotes = [
        (statement.score, quote)
        for statement in statements
        for quote in statement.quotes
        if quote.number == evidence.number
    ]
    best = max(quotes, key=lambda each: each[0])[1] if quotes else None
    place = _span([quote for _, quote in quotes]) or evidence.citation
    return AnswerCitation(f"[{evidence.number}]", place, hit.indexed_at, hit.stale, hit.freshness, best, hit.score)


def _span(quotes: list[Quote]) -> Citation | None:
    """From the first line that is quoted to the last: what was put before the model may be much more."""
    lines = [quote.citation for quote in quotes if isinstance(quote.citation, LineCitation)]
    if lines and len(lines) == len(quotes):
        first = min(lines, key=lambda each: each.start)
        return replace(first, end=max(each.end for each in lines))
    code = [quote.citation for quote in quotes if isinstance(quote.citation, CodeCitation)]
    if code and len(code) == len(quotes):
        top = min(code, key=lambda each: each.line_start)
        return replace(top, line_end=max(each.line_end for each in code))
    return None
