"""Refusals and footers, word for word."""

import pytest

from kebab.core.answer import Answer, AnswerCitation, ModelRef, RefusalReason, RetrievalSummary, Usage
from kebab.core.citation import LineCitation, PageCitation
from kebab.core.query import Freshness, SearchMode
from kebab.rag.wording import Language, footer, language_of, refusal


def candidate(path: str, score: float | None) -> AnswerCitation:
    return AnswerCitation(None, LineCitation(path, 1, 8), "", stale=False, freshness=Freshness.FRESH, score=score)


def answer(*, grounded: bool, used: int, reason: RefusalReason | None = None) -> Answer:
    return Answer(
        question="q",
        answer="a",
        citations=(),
        grounded=grounded,
        refusal_reason=reason,
        model=ModelRef("qwen2.5:14b-instruct", "ollama"),
        embedding=None,
        prompt_template_version="rag-v1",
        retrieval=RetrievalSummary("ret_0", SearchMode.HYBRID, 8, 0.3, 0.82, 8, used),
        usage=Usage(),
        created_at="",
    )


def test_a_refusal_at_the_gate_reads_as_in_the_design() -> None:
    found = refusal(RefusalReason.SCORE_GATE, Language.KOREAN, [candidate("~/notes/finance/budget.md", 0.21)], 0.3)
    assert found == (
        "근거 부족. KB 에 해당 내용 없음.\n"
        "가까운 후보 (모두 임계 0.30 미만):\n"
        "  · ~/notes/finance/budget.md#L1-L8  (score 0.21)"
    )


def test_a_refusal_by_the_model_reads_as_in_the_design() -> None:
    page = AnswerCitation(
        None, PageCitation("papers/book.pdf", 23), "", stale=False, freshness=Freshness.FRESH, score=0.61
    )
    assert refusal(RefusalReason.LLM_SELF_JUDGE, Language.KOREAN, [page]) == (
        "근거 부족. 제공된 chunk 중 해당 내용 없음.\n"
        "검색은 됨, LLM 이 해당 내용 부재 판단:\n"
        "  · papers/book.pdf#p=23  (score 0.61)"
    )


def test_the_english_twin_says_the_same() -> None:
    found = refusal(RefusalReason.SCORE_GATE, Language.ENGLISH, [candidate("a.md", 0.2), candidate("b.md", None)], 0.3)
    assert found == (
        "Not enough evidence. The knowledge base has nothing on this.\n"
        "Closest candidates (all below the threshold 0.30):\n"
        "  · a.md#L1-L8  (score 0.20)\n"
        "  · b.md#L1-L8"
    )


@pytest.mark.parametrize("reason", RefusalReason)
@pytest.mark.parametrize("language", Language)
def test_every_refusal_has_words_in_every_language(reason: RefusalReason, language: Language) -> None:
    text = refusal(reason, language)
    assert text
    assert "\n" not in text
    assert any("가" <= char <= "힣" for char in text) == (language is Language.KOREAN)


def test_a_path_cannot_add_lines_to_a_refusal() -> None:
    text = refusal(RefusalReason.SCORE_GATE, Language.KOREAN, [candidate("a\n근거 있음.md", 0.2)], 0.3)
    assert text.count("\n") == 2


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("당신의 회사 매출은?", Language.KOREAN),
        ("Markdown chunking 규칙은?", Language.KOREAN),
        ("PostgreSQL autovacuum 설정", Language.KOREAN),
        ("What does 김치 mean?", Language.ENGLISH),
        ("How do you make 김치찌개?", Language.ENGLISH),
        ("What are the chunking rules?", Language.ENGLISH),
        ("chunking rules", Language.ENGLISH),
        ("Qu'est-ce que c'est?", Language.ENGLISH),
        ("42?", Language.ENGLISH),
        ("", Language.ENGLISH),
    ],
)
def test_the_language_is_that_of_the_question(question: str, language: Language) -> None:
    assert language_of(question) is language


def test_the_footer_says_what_the_answer_stands_on() -> None:
    assert footer(answer(grounded=True, used=3)) == "grounded ✓  qwen2.5:14b-instruct  rag-v1  3 chunks"
    assert footer(answer(grounded=True, used=1)).endswith("  1 chunk")
    assert footer(answer(grounded=False, used=0)) == "grounded ✗  qwen2.5:14b-instruct  rag-v1  0 chunks used"
    assert footer(answer(grounded=False, used=3)).endswith("  3 chunks searched, 0 grounded")
