"""What the scene of an answer says besides the answer, in the language of the question: Korean or English."""

from collections.abc import Mapping
from typing import NamedTuple

from kebab.core.answer import Answer, RefusalReason, Support
from kebab.core.markers import shown
from kebab.core.query import Freshness


class Words(NamedTuple):
    """`candidates` introduces what was near, by the reason of the refusal; `{gate}` is the threshold."""

    candidates: Mapping[RefusalReason, str]
    other_candidates: str
    support: Mapping[Support, str]
    freshness: Mapping[Freshness, str]
    stopped: str
    partly: str


KOREAN = Words(
    candidates={
        RefusalReason.SCORE_GATE: "가까운 후보 (모두 임계 {gate} 미만):",
        RefusalReason.LLM_SELF_JUDGE: "검색은 됨, LLM 이 해당 내용 부재 판단:",
        RefusalReason.NLI_VERIFICATION_FAILED: "검색은 됨, 검증에서 탈락:",
        RefusalReason.NLI_MODEL_UNAVAILABLE: "검색은 됨, 검증 모델을 쓸 수 없음:",
    },
    other_candidates="가까운 후보:",
    support={
        Support.WEAK: "근거 약함",
        Support.UNSUPPORTED: "인용한 근거에 없음",
        Support.UNCITED: "인용 없음",
    },
    freshness={
        Freshness.CHANGED: "색인 후 변경됨",
        Freshness.MISSING: "파일 없음",
        Freshness.UNKNOWN: "변경 여부 알 수 없음",
    },
    stopped="(여기서 중단됨)",
    partly="문장 {total}개 중 {doubtful}개는 근거가 약하거나 없음 (--explain 으로 확인)",
)

ENGLISH = Words(
    candidates={
        RefusalReason.SCORE_GATE: "Closest candidates (all below the threshold {gate}):",
        RefusalReason.LLM_SELF_JUDGE: "The search found passages; the model judged that the answer is not in them:",
        RefusalReason.NLI_VERIFICATION_FAILED: "The search found passages; the answer did not pass the check:",
        RefusalReason.NLI_MODEL_UNAVAILABLE: "The search found passages; the model that checks is not available:",
    },
    other_candidates="Closest candidates:",
    support={
        Support.WEAK: "weakly supported",
        Support.UNSUPPORTED: "not supported by what it cites",
        Support.UNCITED: "cites nothing",
    },
    freshness={
        Freshness.CHANGED: "changed since indexed",
        Freshness.MISSING: "missing since indexed",
        Freshness.UNKNOWN: "not known to be unchanged",
    },
    stopped="(stopped here)",
    partly="{doubtful} of {total} sentences have weak support or none (--explain shows which)",
)


def words_for(answer: Answer) -> Words:
    """Korean as soon as there is Hangul: English terms stand in Korean questions, and not the other way round.

    A refusal was worded in the language of the question already, and goes on in the same.
    """
    refused = answer.refusal_reason not in (None, RefusalReason.LLM_STREAM_ABORTED)
    sentence = answer.answer.strip().partition("\n")[0] if refused else ""
    return KOREAN if _has_hangul(sentence or answer.question) else ENGLISH


def spoken(answer: Answer) -> str:
    """The answer's words. A refusal that names its candidates itself is cut to its sentence: they are listed below."""
    lines = shown(answer.answer).strip().split("\n")
    listed = [line for line in lines if line.startswith("  · ")]
    if answer.grounded or not listed:
        return "\n".join(lines)
    return "\n".join(line for line in lines if line not in listed and not line.endswith(":"))


def _has_hangul(text: str) -> bool:
    return any("\uac00" <= char <= "\ud7a3" or "\u3131" <= char <= "\u318e" for char in text)
