"""What is said when there is no answer, and the line below every answer, in the language of the question."""

import re
from collections.abc import Sequence
from enum import StrEnum

from kebab.core.answer import Answer, AnswerCitation, RefusalReason
from kebab.rag.facts import hangul_share


class Language(StrEnum):
    KOREAN = "ko"
    ENGLISH = "en"


# With this share of Hangul a question is Korean whatever else it holds; with less, English grammar decides.
_KOREAN_SHARE = 0.3
_ENGLISH_GRAMMAR = re.compile(
    r"\b(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|should|the|a|an|of|in|to|for"
    r"|and|mean|means|tell|explain)\b",
    re.IGNORECASE,
)

_KO, _EN = Language.KOREAN, Language.ENGLISH
_REFUSALS: dict[RefusalReason, dict[Language, str]] = {
    RefusalReason.SCORE_GATE: {
        _KO: "근거 부족. KB 에 해당 내용 없음.",
        _EN: "Not enough evidence. The knowledge base has nothing on this.",
    },
    RefusalReason.NO_CHUNKS: {
        _KO: "근거 부족. KB 에 해당 내용 없음.",
        _EN: "Not enough evidence. The knowledge base has nothing on this.",
    },
    RefusalReason.LLM_SELF_JUDGE: {
        _KO: "근거 부족. 제공된 chunk 중 해당 내용 없음.",
        _EN: "Not enough evidence. None of the passages found answers this.",
    },
    RefusalReason.NO_INDEX: {
        _KO: "근거 부족. 색인 없음: `kebab ingest` 를 먼저 실행.",
        _EN: "Not enough evidence. There is no index yet: run `kebab ingest` first.",
    },
    RefusalReason.LLM_STREAM_ABORTED: {
        _KO: "답변 중단됨.",
        _EN: "The answer was stopped.",
    },
    RefusalReason.MULTI_HOP_DECOMPOSE_FAILED: {
        _KO: "답변 불가. 질문을 하위 질문으로 나누지 못함.",
        _EN: "No answer. The question could not be split into sub-questions.",
    },
    RefusalReason.NLI_VERIFICATION_FAILED: {
        _KO: "근거 부족. 답변이 제공된 chunk 로 뒷받침되지 않음.",
        _EN: "Not enough evidence. The passages found do not bear out the answer.",
    },
    RefusalReason.NLI_MODEL_UNAVAILABLE: {
        _KO: "답변 불가. 검증 모델을 쓸 수 없음.",
        _EN: "No answer. The model that checks answers is not available.",
    },
}
_CANDIDATES: dict[RefusalReason, dict[Language, str]] = {
    RefusalReason.SCORE_GATE: {
        _KO: "가까운 후보 (모두 임계 {gate:.2f} 미만):",
        _EN: "Closest candidates (all below the threshold {gate:.2f}):",
    },
    RefusalReason.LLM_SELF_JUDGE: {
        _KO: "검색은 됨, LLM 이 해당 내용 부재 판단:",
        _EN: "The search found passages; the model judged that the answer is not in them:",
    },
    RefusalReason.NLI_VERIFICATION_FAILED: {
        _KO: "검색은 됨, 검증에서 탈락:",
        _EN: "The search found passages; the answer did not pass the check against them:",
    },
}


def language_of(question: str) -> Language:
    """Korean or English; whatever has no Hangul is answered in English."""
    share = hangul_share(question)
    korean = share >= _KOREAN_SHARE or (share > 0 and not _ENGLISH_GRAMMAR.search(question))
    return Language.KOREAN if korean else Language.ENGLISH


def refusal(
    reason: RefusalReason, language: Language, candidates: Sequence[AnswerCitation] = (), gate: float = 0.0
) -> str:
    """The text of a refusal: what is missing, and what came nearest."""
    lines = [_REFUSALS[reason][language]]
    if candidates and reason in _CANDIDATES:
        lines.append(_CANDIDATES[reason][language].format(gate=gate))
        lines += map(_candidate, candidates)
    return "\n".join(lines)


def _candidate(cited: AnswerCitation) -> str:
    score = f"  (score {cited.score:.2f})" if cited.score is not None else ""
    return f"  · {cited.citation.to_uri()}{score}"


def footer(answer: Answer) -> str:
    """`grounded ✓  model  template  3 chunks`."""
    mark = "✓" if answer.grounded else "✗"
    return f"grounded {mark}  {answer.model.id}  {answer.prompt_template_version}  {_used(answer)}"


def _used(answer: Answer) -> str:
    used = answer.retrieval.chunks_used
    if answer.grounded:
        return _chunks(used)
    return f"{_chunks(used)} searched, 0 grounded" if used else "0 chunks used"


def _chunks(count: int) -> str:
    return f"{count} chunk" if count == 1 else f"{count} chunks"
