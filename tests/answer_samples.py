"""Answers and refusals as the pipeline gives them, for every test that records, sends, prints or checks one."""

from dataclasses import replace
from typing import Any

from kebab.core.answer import (
    Answer,
    AnswerCitation,
    Evidence,
    Hop,
    ModelRef,
    Quote,
    RefusalReason,
    RetrievalSummary,
    Statement,
    Support,
    Usage,
    Verification,
)
from kebab.core.citation import LineCitation, PageCitation
from kebab.core.query import Freshness, Hit, RetrievalDetail, SearchMode

TIME = "2026-04-27T15:42:11.120Z"
NOTE = "notes/rust/kebab-architecture.md"
SECTION = "§14 Chunking 정책"
# Lines 661 to 672 of the note.
LINES = (
    "## 14. Chunking 정책",
    "- heading boundary를 우선한다",
    "- code block은 중간에서 자르지 않는다",
    "- table은 가능한 한 하나의 chunk로",
    "- 긴 section은 paragraph 단위로 나눈다",
    "",
    "chunk 마다 다음을 보존한다.",
    "- heading_path",
    "- source_span",
    "- block_ids",
    "",
    "끝.",
)
PASSAGE = "\n".join(LINES)
SENTENCE = "heading boundary를 우선한다"


def hit(number: int, path: str, lines: tuple[int, int], scores: tuple[float, float, float]) -> Hit:
    score, words, meaning = scores
    return Hit(
        rank=number,
        score=score,
        score_kind="rrf",
        chunk_id=f"{number:032x}",
        doc_id=f"{number + 100:032x}",
        doc_path=path,
        title="Kebab 설계",
        heading_path=("Kebab 설계", "14. Chunking 정책"),
        section_label=SECTION,
        snippet="heading boundary 우선…",
        snippet_full_text=False,
        highlights=((0, 7),),
        citation=LineCitation(path, *lines, SECTION),
        retrieval=RetrievalDetail(SearchMode.HYBRID, score, words, meaning, number, number),
        chunker_version="md-heading-v1",
        indexed_at=TIME,
        stale=False,
        freshness=Freshness.FRESH,
        source_id="default",
        trust_level="primary",
        file=f"/kb/{path}",
    )


def evidence(
    number: int, path: str, lines: tuple[int, int], scores: tuple[float, float, float], text: str = PASSAGE
) -> Evidence:
    found = hit(number, path, lines, scores)
    return Evidence(number, found, text, lines[0], found.citation)


EVIDENCE = (
    evidence(1, NOTE, (661, 672), (0.82, 12.4, 0.78)),
    evidence(2, NOTE, (692, 713), (0.78, 10.1, 0.74), "다른 절"),
    evidence(3, "guides/markdown-style.md", (4, 18), (0.55, 8.2, 0.61), "Style"),
)


def quote(line: int, number: int = 1) -> Quote:
    """A line of the passage without its bullet, as words of the evidence."""
    text = LINES[line - 661].removeprefix("- ")
    start = PASSAGE.index(text)
    return Quote(number, text, start, start + len(text), LineCitation(NOTE, line, line, SECTION))


STATEMENTS = (
    Statement("heading boundary 우선 [#1].", (1,), Support.QUOTED, 0.97, (quote(662),)),
    Statement("code block 중간 분할 금지 [#1].", (1,), Support.SUPPORTED, 0.81, (quote(663),)),
    Statement("table 단일 chunk 유지 [#2].", (2,), Support.WEAK, 0.31),
    Statement("chunk 는 항상 100 token 이다 [#2].", (2,), Support.UNSUPPORTED, 0.05),
    Statement("끝.", (), Support.UNCITED, 0.0),
)


def cited(
    marker: str | None, lines: tuple[int, int], path: str = NOTE, section: str | None = SECTION, **changes: Any
) -> AnswerCitation:
    return AnswerCitation(marker, LineCitation(path, *lines, section), TIME, False, Freshness.FRESH)._replace(**changes)


def answer(**changes: Any) -> Answer:
    """The first scene of the design: two citations of three passages."""
    given = Answer(
        question="Markdown chunking 규칙은?",
        answer=(
            "heading boundary 우선 [#1]. code block 중간 분할 금지 [#2]. table 가능한 한 단일 chunk 유지 [#2]. "
            "긴 section 은 paragraph 단위로 분할 [#1]. chunk 마다 heading_path 와 source_span 보존 [#1]."
        ),
        citations=(cited("[#1]", (661, 672)), cited("[#2]", (665, 668))),
        grounded=True,
        refusal_reason=None,
        model=ModelRef("qwen2.5:14b-instruct", "ollama"),
        embedding=ModelRef("multilingual-e5-large", "fastembed", 1024),
        prompt_template_version="rag-v1",
        retrieval=RetrievalSummary("ret_4a8b2c1e", SearchMode.HYBRID, 8, 0.30, 0.82, 8, 3),
        usage=Usage(1184, 312, 1842),
        created_at=TIME,
        evidence=EVIDENCE,
    )
    return replace(given, **changes)


def traced(trace_id: str, **changes: Any) -> Answer:
    given = answer(**changes)
    return replace(given, retrieval=given.retrieval._replace(trace_id=trace_id))


def judged() -> Answer:
    """With statements of every kind, quotes, hops and a verification, in a session."""
    return answer(
        citations=(cited("[#1]", (661, 672), quote=quote(662), score=0.9), cited("[#2]", (692, 713))),
        statements=STATEMENTS,
        hops=(Hop(0, "decompose", ("heading?", "표?"), 0, False, 812), Hop(1, "decide", (), 3, True, 40)),
        verification=Verification(0.62, 0.5, True),
        conversation_id="회의",
        turn_index=2,
        retrieval=answer().retrieval._replace(evidence_score=0.74),
    )


def _refusal(question: str, text: str, reason: RefusalReason, **changes: Any) -> Answer:
    return answer(question=question, answer=text, grounded=False, refusal_reason=reason, evidence=(), **changes)


def gated(question: str = "당신의 회사 매출은?", text: str = "근거 부족. KB 에 해당 내용 없음.") -> Answer:
    candidate = cited(None, (1, 8), "finance/personal-budget.md", None, score=0.21)
    summary = answer().retrieval._replace(trace_id="ret_0a", top_score=0.21, chunks_used=0)
    return _refusal(question, text, RefusalReason.SCORE_GATE, citations=(candidate,), retrieval=summary)


def judged_absent(
    question: str = "이 책의 23쪽 결론은?", text: str = "근거 부족. 제공된 chunk 중 결론 내용 없음."
) -> Answer:
    places = [(PageCitation("papers/book.pdf", 23), 0.61), (PageCitation("papers/book.pdf", 24), 0.58)]
    candidates = tuple(AnswerCitation(None, place, TIME, True, Freshness.CHANGED, None, at) for place, at in places)
    return _refusal(question, text, RefusalReason.LLM_SELF_JUDGE, citations=candidates)


def stopped() -> Answer:
    """Ended by Ctrl-C after the first sentence."""
    return answer(
        answer="heading boundary 우선 [#1].",
        citations=(cited("[#1]", (661, 672)),),
        grounded=False,
        refusal_reason=RefusalReason.LLM_STREAM_ABORTED,
    )


def bare() -> Answer:
    """The least a pipeline can say: there is no index."""
    return Answer(
        question="x",
        answer="",
        citations=(),
        grounded=False,
        refusal_reason=RefusalReason.NO_INDEX,
        model=ModelRef("extractive-v1", "builtin"),
        embedding=None,
        prompt_template_version="rag-v2",
        retrieval=RetrievalSummary("ret_0", SearchMode.LEXICAL, 1, 0.0, 0.0, 0, 0),
        usage=Usage(),
        created_at="2026-04-27T15:42:11Z",
        hint="run `kebab ingest` first",
    )
