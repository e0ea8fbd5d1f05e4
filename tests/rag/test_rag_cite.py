"""Replies to statements with markers, and what a reply amounts to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.answer import RefusalReason
from kebab.rag.blocks import Kind
from kebab.rag.cite import Outcome, claims, read, without_markers
from kebab.rag.nothing_found import says_nothing_found

KNOWN = (1, 2, 3)


def cited(reply: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(claim.text, claim.markers) for claim in claims(reply)]


def test_a_statement_is_a_sentence_with_the_markers_in_it_and_behind_it() -> None:
    reply = "첫째를 우선한다 [#1]. 둘째는 [#2] 나누지 않는다.[#3][#1] 셋째."
    assert cited(reply) == [("첫째를 우선한다.", (1,)), ("둘째는 나누지 않는다.", (2, 3, 1)), ("셋째.", ())]


def test_every_claim_knows_its_place_in_the_reply() -> None:
    reply = "- One [#1].\n- Two [#2]."
    assert [reply[claim.start : claim.end] for claim in claims(reply)] == ["One [#1].", "Two [#2]."]


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "[foo]",
        "[#1a]",
        "[ #1 ]",
        "[#0]",
        "[#01]",
        "[#1000]",
        "[#]",
        "[#１]",
        "vec![1]",
        "[label][1]",
        "# 1",
        "(#1)",
    ],
)
def test_only_the_strict_form_is_a_marker(text: str) -> None:
    assert read(f"A fact {text}.", KNOWN).markers == ()


def test_the_largest_marker_is_999() -> None:
    assert read("A fact [#999].", [999]).outcome is Outcome.CITED


@pytest.mark.parametrize("reply", ["Use `[#1]` here.", "```\nsee [#1]\n```", "``a ` [#1]``", "~~~\n[#1]", "    [#1]"])
def test_markers_in_code_do_not_count(reply: str) -> None:
    assert read(reply, KNOWN).outcome is Outcome.NO_MARKER


@pytest.mark.parametrize("reply", ["See [#1](https://evil.example).", "[#1](javascript:x)", "[#1](/etc/passwd) is it"])
def test_a_link_that_looks_like_a_marker_is_none(reply: str) -> None:
    assert read(reply, KNOWN).outcome is Outcome.NO_MARKER


def test_brackets_behind_a_marker_may_be_words() -> None:
    assert cited("사과는 빨갛다[#1](단, 예외 있음).") == [("사과는 빨갛다(단, 예외 있음).", (1,))]


def test_markers_on_a_line_of_their_own_go_to_the_sentence_before() -> None:
    assert cited("One. Two.\n\n[#1] [#2]") == [("One.", ()), ("Two.", (1, 2))]
    assert cited("하나다.\n\n출처: [#1], [#2]") == [("하나다.", (1, 2))]
    assert cited("One.\n\n**Sources:** [#3]") == [("One.", (3,))]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("A [#1].", "A."),
        ("A [#1], [#2] and B", "A and B"),
        ("A ([#1], [#2]).", "A."),
        ("A[#1][#2]", "A"),
        ("`[#1]` stays [#2]", "`[#1]` stays"),
        ("[#1] A", "A"),
        ("no marker , as it was .5", "no marker, as it was .5"),
    ],
)
def test_the_words_alone(text: str, bare: str) -> None:
    assert without_markers(text) == bare


def test_headings_and_code_are_told_apart() -> None:
    assert [claim.kind for claim in claims("# Title\n\nText [#1].\n\n```\ncode\n```")] == [
        Kind.HEADING,
        Kind.PROSE,
        Kind.CODE,
    ]


@pytest.mark.parametrize("reply", ["", "  \n\n", "---", "**"])
def test_a_reply_of_nothing_is_empty(reply: str) -> None:
    assert read(reply, KNOWN).outcome is Outcome.EMPTY


def test_an_unknown_marker_is_told_with_its_number() -> None:
    reading = read("One [#1]. Seven [#7].", KNOWN)
    assert reading.outcome is Outcome.UNKNOWN_MARKER
    assert reading.unknown == (7,)
    assert reading.markers == (1, 7)


def test_a_reply_without_markers_is_no_answer() -> None:
    assert read("Paris is the capital of France.", KNOWN).outcome is Outcome.NO_MARKER


def test_everything_but_a_cited_reply_is_the_model_s_own_refusal() -> None:
    assert Outcome.CITED.refusal is None
    assert {outcome.refusal for outcome in Outcome} - {None} == {RefusalReason.LLM_SELF_JUDGE}


NOTHING = [
    "근거가 부족하다.",
    "근거가 부족합니다",
    '"근거가 부족하다"',
    "**근거가 부족하다.**",
    "근거 부족.",
    "제공된 근거만으로는 답할 수 없습니다.",
    "제공된 근거에는 매출에 대한 내용이 없습니다.",
    "주어진 자료에서 해당 정보를 찾을 수 없습니다.",
    "제공된 문서에는 이 질문에 대한 답이 포함되어 있지 않습니다.",
    "관련 정보를 찾을 수 없습니다.",
    "검색 결과에 해당 내용이 없음.",
    "제공된 chunk 중 결론 내용 없음.",
    "컨텍스트에 언급되지 않았습니다.",
    "위 근거로는 확인할 수 없습니다.",
    "There is not enough evidence.",
    "There is not enough information to answer this question.",
    "The provided evidence does not contain information about revenue.",
    "The context doesn't mention the capital.",
    "I cannot find this in the documents.",
    "I could not find any information about that in the provided passages.",
    "I don't know.",
    "No relevant information was found in the provided context.",
    "The answer is not mentioned in the given documents.",
    "The evidence is insufficient.",
    "The passages provide no information on this.",
    "Based on the provided context, I cannot determine the date.",
    "Unfortunately, the sources do not specify the price.",
]


@pytest.mark.parametrize("sentence", NOTHING)
def test_a_reply_that_says_it_found_nothing_is_a_refusal(sentence: str) -> None:
    assert read(sentence, KNOWN).outcome is Outcome.NOTHING_FOUND


@pytest.mark.parametrize("sentence", NOTHING)
def test_a_marker_does_not_make_an_answer_of_it(sentence: str) -> None:
    assert read(f"{sentence} [#1]", KNOWN).outcome is Outcome.NOTHING_FOUND
    assert read(f"{sentence} [#1]\n\n대신 다른 이야기가 있다 [#2].", KNOWN).outcome is Outcome.NOTHING_FOUND


@pytest.mark.parametrize(
    "reply",
    [
        '문서는 "근거가 부족하다"고 답하도록 정한다 [#1].',
        'The rule is to say "There is not enough evidence" then [#1].',
        "404는 페이지를 찾을 수 없다는 뜻이다 [#1].",
        "요청한 페이지를 찾을 수 없다 [#1].",
        "해당 처분은 법적 근거가 없다 [#1].",
        "There is no information leak in this protocol [#1].",
        "The node cannot find its peers behind a NAT [#1].",
        "기본값은 없다 [#1].",
        "The server does not answer [#1].",
        "확실하지 않다. 다만 8080 으로 보인다 [#1].",
    ],
)
def test_an_answer_about_something_missing_is_an_answer(reply: str) -> None:
    assert read(reply, KNOWN).outcome is Outcome.CITED


def test_an_answer_that_also_says_what_it_lacks_is_an_answer() -> None:
    assert read("포트는 8080이다 [#1]. 다만 주소에 대한 근거가 부족하다.", KNOWN).outcome is Outcome.CITED
    assert read("# 답\n\nThe port is 8080 [#1]. The evidence does not mention a host.", KNOWN).outcome is Outcome.CITED


def test_saying_nothing_was_found_after_uncited_talk_is_a_refusal() -> None:
    assert read("좋은 질문이다. 하지만 근거가 부족하다.", KNOWN).outcome is Outcome.NOTHING_FOUND


def test_a_very_long_sentence_says_something() -> None:
    assert not says_nothing_found("제공된 근거에는 " + "길고 긴 이야기가 있고 " * 60 + "없다.", cited=False)


REPLIES = st.lists(
    st.sampled_from(
        [
            "[#1]",
            "[#2]",
            " [#9]",
            "다. ",
            "text ",
            "`",
            "```\n",
            "\n",
            "\n\n",
            "- ",
            "# ",
            '"',
            "근거가 부족하다. ",
            "[#",
            "]",
            "(",
            ")",
        ]
    ),
    max_size=25,
).map("".join)


@given(st.one_of(st.text(), REPLIES))
def test_any_reply_is_read_and_its_verdict_follows_from_its_claims(reply: str) -> None:
    reading = read(reply, KNOWN)
    assert (reading.outcome is Outcome.UNKNOWN_MARKER) == bool(reading.unknown)
    if reading.outcome is Outcome.CITED:
        assert reading.markers
        assert set(reading.markers) <= set(KNOWN)
    assert (reading.outcome is Outcome.EMPTY) == (not reading.claims)
    ends = [0]
    for claim in reading.claims:
        assert ends[-1] <= claim.start < claim.end <= len(reply)
        ends.append(claim.end)
