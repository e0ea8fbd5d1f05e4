"""The scenes of `kebab ask`, to the letter: answers, refusals, explanations, in Korean and English, wide and narrow."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answer_samples import (
    STATEMENTS,
    answer,
    bare,
    cited,
    evidence,
    gated,
    judged,
    judged_absent,
    quote,
    stopped,
)
from kebab.core.answer import Answer, RefusalReason, Support
from kebab.core.query import Freshness, RetrievalDetail, SearchMode
from kebab.ui.answer_words import ENGLISH, KOREAN, Words, words_for
from kebab.ui.cli.answer_explain import explained
from kebab.ui.cli.answer_flow import Teller
from kebab.ui.cli.answer_render import Look, rows, scene
from kebab.ui.terminal import Style, display_width

PLAIN = Style(on=False)
WIDE = Look(PLAIN, 80)
FOOTER = "qwen2.5:14b-instruct  rag-v1"


def drawn(given: Answer, look: Look = WIDE, **options: Any) -> str:
    return "\n".join(scene(given, look, **options)) + "\n"


def told(given: Answer, look: Look = WIDE) -> str:
    return "\n".join(explained(given, look, 60)) + "\n"


def english() -> Answer:
    return answer(question="What are the rules?", answer="Headings first [#1]. Never cut code [#2].")


def test_the_scene_of_an_answer() -> None:
    assert (
        drawn(answer())
        == """\
heading boundary 우선 [1]. code block 중간 분할 금지 [2]. table 가능한 한
단일 chunk 유지 [2]. 긴 section 은 paragraph 단위로 분할 [1]. chunk 마다
heading_path 와 source_span 보존 [1].

─────────────────────────────────────────────────────────
[1] notes/rust/kebab-architecture.md#L661-L672
    §14 Chunking 정책
[2] notes/rust/kebab-architecture.md#L665-L668
    §14 Chunking 정책

grounded ✓  qwen2.5:14b-instruct  rag-v1  3 chunks
"""
    )


def test_the_scene_of_a_refusal_at_the_gate() -> None:
    assert (
        drawn(gated())
        == """\
근거 부족. KB 에 해당 내용 없음.
가까운 후보 (모두 임계 0.30 미만):
  · finance/personal-budget.md#L1-L8  (score 0.21)

grounded ✗  qwen2.5:14b-instruct  rag-v1  0 chunks used
"""
    )
    assert (
        drawn(gated("What is your turnover?", "Not enough evidence. The knowledge base does not say."))
        == """\
Not enough evidence. The knowledge base does not say.
Closest candidates (all below the threshold 0.30):
  · finance/personal-budget.md#L1-L8  (score 0.21)

grounded ✗  qwen2.5:14b-instruct  rag-v1  0 chunks used
"""
    )


def test_the_scene_of_a_refusal_by_the_model() -> None:
    assert (
        drawn(judged_absent())
        == """\
근거 부족. 제공된 chunk 중 결론 내용 없음.
검색은 됨, LLM 이 해당 내용 부재 판단:
  · papers/book.pdf#p=23  (score 0.61)  (색인 후 변경됨)
  · papers/book.pdf#p=24  (score 0.58)  (색인 후 변경됨)

grounded ✗  qwen2.5:14b-instruct  rag-v1  3 chunks searched, 0 grounded
"""
    )
    assert (
        drawn(judged_absent("What does page 23 conclude?", "Not enough evidence."))
        == """\
Not enough evidence.
The search found passages; the model judged that the answer is not in them:
  · papers/book.pdf#p=23  (score 0.61)  (changed since indexed)
  · papers/book.pdf#p=24  (score 0.58)  (changed since indexed)

grounded ✗  qwen2.5:14b-instruct  rag-v1  3 chunks searched, 0 grounded
"""
    )


def test_the_scene_of_an_answer_that_was_stopped() -> None:
    assert (
        drawn(stopped())
        == """\
heading boundary 우선 [1].
(여기서 중단됨)

─────────────────────────────────────────────────────────
[1] notes/rust/kebab-architecture.md#L661-L672
    §14 Chunking 정책

grounded ✗  qwen2.5:14b-instruct  rag-v1  3 chunks used
"""
    )
    assert "(stopped here)\n" in drawn(replace(stopped(), question="rules?"))


@pytest.mark.parametrize("reason", RefusalReason)
def test_every_refusal_has_a_scene_in_both_languages(reason: RefusalReason) -> None:
    for words, question, refusal in ((KOREAN, "왜?", "없음."), (ENGLISH, "why?", "No.")):
        text = drawn(replace(gated(question, refusal), refusal_reason=reason))
        label = words.candidates.get(reason, words.other_candidates).format(gate="0.30")
        if reason is RefusalReason.LLM_STREAM_ABORTED:
            assert text.startswith(f"{refusal}\n{words.stopped}\n{label}\n")
        else:
            assert text.startswith(f"{refusal}\n{label}\n")
        assert "grounded ✗" in text


def test_an_answer_with_nothing_to_say_is_only_a_footer() -> None:
    assert drawn(bare()) == "\ngrounded ✗  extractive-v1  rag-v2  0 chunks used\n"


def test_an_explanation_goes_sentence_by_sentence() -> None:
    assert (
        told(judged())
        == """\
▎ heading boundary 우선
  └ notes/rust/kebab-architecture.md#L662
    「heading boundary를 우선한다」

▎ code block 중간 분할 금지
  └ notes/rust/kebab-architecture.md#L663
    「code block은 중간에서 자르지 않는다」

▎ table 단일 chunk 유지
  ! 근거 약함 (0.31)
  └ notes/rust/kebab-architecture.md#L692-L713

▎ chunk 는 항상 100 token 이다
  ! 인용한 근거에 없음 (0.05)
  └ notes/rust/kebab-architecture.md#L692-L713

▎ 끝
  ! 인용 없음 (0.00)

retrieval trace
  query           "Markdown chunking 규칙은?"
  mode            hybrid
  k               8
  threshold (gate) 0.30  → top-1 0.82  pass
  fusion          rrf (k=60)
  evidence        0.74
  verified (nli)  0.62  of 0.50  pass
  chunks (used)   3 / 8 returned
    #1 0.82  notes/rust/kebab-architecture.md#L661-L672  bm25=12.4 vec=0.78
    #2 0.78  notes/rust/kebab-architecture.md#L692-L713  bm25=10.1 vec=0.74
    #3 0.55  guides/markdown-style.md#L4-L18             bm25=8.2  vec=0.61

hops
  0 decompose   +0 chunks  812 ms  "heading?"  "표?"
  1 decide      +3 chunks  40 ms  stopped at a limit

grounded ✓  qwen2.5:14b-instruct  rag-v1  3 chunks
prompt   1184 tokens  completion 312 tokens  latency 1842 ms
embedding multilingual-e5-large  index v1.0
trace ret_4a8b2c1e
"""
    )


def test_an_explained_refusal_shows_the_search_behind_it() -> None:
    text = told(gated("What is your turnover?", "Not enough evidence."))
    assert text.startswith(
        """\
Not enough evidence.
Closest candidates (all below the threshold 0.30):
  · finance/personal-budget.md#L1-L8  (score 0.21)

retrieval trace
  query           "What is your turnover?"
"""
    )
    assert (
        "  threshold (gate) 0.30  → top-1 0.21  below\n  fusion          -\n  chunks (used)   0 / 8 returned\n" in text
    )


def test_an_explanation_in_english_marks_doubt_in_english() -> None:
    lines = told(replace(judged(), question="rules?", statements=STATEMENTS[2:])).splitlines()
    doubts = [line for line in lines if line.startswith("  ! ")]
    assert doubts == [
        "  ! weakly supported (0.31)",
        "  ! not supported by what it cites (0.05)",
        "  ! cites nothing (0.00)",
    ]


def test_several_quotes_of_one_sentence_hang_on_one_branch() -> None:
    many = STATEMENTS[0]._replace(quotes=(quote(662), quote(663)))
    assert told(replace(judged(), statements=(many,))).startswith(
        """\
▎ heading boundary 우선
  ├ notes/rust/kebab-architecture.md#L662
  │ 「heading boundary를 우선한다」
  └ notes/rust/kebab-architecture.md#L663
    「code block은 중간에서 자르지 않는다」

"""
    )


def test_a_channel_that_was_silent_is_a_dash() -> None:
    found = evidence(1, "a.md", (1, 2), (4.0, 4.0, 0.0))
    words = replace(found.hit, score_kind="bm25", retrieval=RetrievalDetail(SearchMode.LEXICAL, 4.0, 4.0))
    text = told(answer(evidence=(found._replace(hit=words),), embedding=None))
    assert "  fusion          bm25\n" in text
    assert "    #1 4.00  a.md#L1-L2  bm25=4.0 vec=-\n" in text
    assert "\nembedding none  index v1.0\n" in text


def test_doubtful_sentences_are_announced_below_the_scene() -> None:
    assert drawn(judged()).endswith(
        f"{FOOTER}  3 chunks\n문장 5개 중 2개는 근거가 약하거나 없음 (--explain 으로 확인)\n"
    )
    doubtful = replace(english(), statements=STATEMENTS[1:3])
    assert drawn(doubtful).endswith("\n1 of 2 sentences have weak support or none (--explain shows which)\n")
    assert "--explain" not in drawn(replace(english(), statements=STATEMENTS[:2]))


@pytest.mark.parametrize("support", [Support.WEAK, Support.UNSUPPORTED, Support.UNCITED])
def test_every_doubt_has_a_word(support: Support) -> None:
    assert KOREAN.support[support]
    assert ENGLISH.support[support]


def test_citations_can_be_left_out() -> None:
    assert (
        drawn(english(), hide_citations=True)
        == f"Headings first [1]. Never cut code [2].\n\ngrounded ✓  {FOOTER}  3 chunks\n"
    )
    assert drawn(gated(), hide_citations=True).splitlines()[1:] == ["", f"grounded ✗  {FOOTER}  0 chunks used"]


def test_a_citation_says_when_its_file_is_no_longer_what_was_read() -> None:
    changed = cited("[#1]", (1, 2), freshness=Freshness.CHANGED)
    gone = cited("[#2]", (3, 4), freshness=Freshness.MISSING)
    text = drawn(replace(english(), citations=(changed, gone)))
    assert "[1] notes/rust/kebab-architecture.md#L1-L2  (changed since indexed)\n" in text
    assert "[2] notes/rust/kebab-architecture.md#L3-L4  (missing since indexed)\n" in text


def test_a_place_cited_twice_is_listed_once_and_a_place_without_a_section_has_the_title() -> None:
    twice = (
        cited("[#1]", (1, 2), section=None),
        cited("[#1]", (1, 2), section=None),
        cited("[#9]", (5, 5), section=None),
    )
    lines = drawn(replace(english(), citations=twice)).splitlines()
    assert lines[3:6] == [
        "[1] notes/rust/kebab-architecture.md#L1-L2",
        "    Kebab 설계",
        "[9] notes/rust/kebab-architecture.md#L5",
    ]


def test_one_chunk_is_one_chunk() -> None:
    single = replace(english(), retrieval=english().retrieval._replace(chunks_used=1))
    assert drawn(single).endswith(f"{FOOTER}  1 chunk\n")


@pytest.mark.parametrize("width", [12, 20, 33, 60, 80, 200])
def test_text_fits_a_terminal_of_any_width(width: int) -> None:
    look = Look(PLAIN, width)
    words = drawn(judged(), look).partition("\n\n")[0].splitlines()
    marked = [line for line in told(judged(), look).splitlines() if line.startswith(("▎", "    「", "      "))]
    for line in (*words, *marked, drawn(judged(), look).splitlines()[len(words) + 1]):
        assert display_width(line) < max(min(width, 77), 17), line
    assert "".join(words).replace(" ", "") == answer().answer.replace("#", "").replace(" ", "")


def test_without_a_terminal_lines_stay_as_they_are() -> None:
    text = drawn(answer(), Look(PLAIN))
    assert text.splitlines()[0] == answer().answer.replace("#", "")
    assert "─" * 57 in text.splitlines()


def test_a_list_keeps_its_lines_and_its_indentation() -> None:
    listed = replace(english(), answer="\n\nFirst:\n\n- a [#1]\n  - b\n\n\n")
    assert drawn(listed).startswith("First:\n\n- a [1]\n  - b\n\n──")


EVIL = "\x1b[2J\x1b]0;owned\x07\u202eesrever\x9b5m\x08\rx\x00"
HARMLESS = re.compile(r"[^\n\x20-\x7e\u00a0-\uffff]|[\u202a-\u202e\u2066-\u2069\x80-\x9f]")


def hostile() -> Answer:
    place = cited("[#1]", (1, 2), f"a{EVIL}.md", f"§{EVIL}")
    candidate = cited(None, (1, 2), f"b{EVIL}.md", None, score=0.5)
    found = evidence(1, f"a{EVIL}.md", (1, 2), (1, 1, 1), EVIL)
    said = quote(662)._replace(text=EVIL, citation=place.citation)
    return replace(
        judged(),
        question=f"q{EVIL}",
        answer=f"a{EVIL}\nb",
        citations=(place._replace(quote=said), candidate),
        statements=(STATEMENTS[0]._replace(text=f"s{EVIL} [#1]", quotes=(said,)),),
        evidence=(found._replace(hit=replace(found.hit, title=EVIL, file="relative")),),
        model=judged().model._replace(id=f"m{EVIL}"),
        embedding=judged().model._replace(id=f"e{EVIL}"),
        prompt_template_version=f"p{EVIL}",
        hops=tuple(hop._replace(sub_queries=(EVIL,)) for hop in judged().hops or ()),
    )


@pytest.mark.parametrize("grounded", [True, False])
def test_nothing_of_a_document_or_a_model_drives_the_terminal(grounded: bool) -> None:
    reason = None if grounded else RefusalReason.LLM_SELF_JUDGE
    given = replace(hostile(), grounded=grounded, refusal_reason=reason)
    for text in (drawn(given), told(given), drawn(given, Look(PLAIN))):
        assert HARMLESS.findall(text) == []
        assert "owned" in text
    teller = Teller(40)
    assert HARMLESS.findall("".join(map(teller.token, given.answer)) + teller.end()) == []


def test_colours_and_links_are_only_for_a_terminal_that_wants_them() -> None:
    painted = drawn(answer(), Look(Style(on=True), 80))
    assert "\x1b]8;;file:///kb/notes/rust/kebab-architecture.md#L661-L672\x1b\\" in painted
    assert "\x1b[32mgrounded ✓\x1b[0m" in painted
    assert "\x1b[31mgrounded ✗\x1b[0m" in drawn(gated(), Look(Style(on=True), 80))
    assert re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;;[^\x1b]*\x1b\\", "", painted) == drawn(answer())
    assert "\x1b" not in drawn(answer())


def test_the_language_is_that_of_the_question() -> None:
    def of(question: str, refusal: str = "") -> Words:
        reason = RefusalReason.SCORE_GATE if refusal else None
        return words_for(answer(question=question, answer=refusal, refusal_reason=reason))

    assert of("Markdown chunking 규칙은?") is of("ㅋㅋ") is KOREAN
    assert of("rules?") is of("") is of("規則は") is ENGLISH
    assert of("What does 규칙 mean?", "Not enough evidence.\n· 규칙.md") is ENGLISH, "as the refusal was worded"


def test_candidates_that_a_refusal_names_itself_are_named_once() -> None:
    listed = gated().answer + "\n가까운 후보 (모두 임계 0.30 미만):\n  · finance/personal-budget.md#L1-L8  (score 0.21)"
    assert drawn(replace(gated(), answer=listed)) == drawn(gated())
    assert told(replace(gated(), answer=listed)) == told(gated())
    grounded = replace(english(), answer="Two:\n  · a [#1]")
    assert drawn(grounded).startswith("Two:\n  · a [1]\n\n──")


TEXTS = st.text(st.sampled_from("a가 bc[#1]\n .-"), max_size=120)


@example("111111111111가 ", 14, [])
@given(TEXTS, st.integers(1, 40), st.lists(st.integers(0, 120), max_size=12))
def test_an_answer_in_pieces_becomes_the_same_lines(text: str, columns: int, cuts: list[int]) -> None:
    teller = Teller(columns)
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    shown = "".join(teller.token(text[start:end]) for start, end in pairwise(edges)) + teller.end()
    whole = text.replace("[#1]", "[1]")
    expected = "\n".join(rows(whole, columns)) + "\n" if text.strip() else ""
    assert re.sub(" +\n", "\n", shown) == expected


def test_words_are_shown_as_soon_as_they_fit() -> None:
    teller = Teller(20)
    assert [teller.token(piece) for piece in ("\n Head", "ings ", "first", " [", "#1", "].", " Then")] == [
        "",
        "Headings",
        "",
        " first",
        "",
        "",
        " [1].\n",
    ]
    assert teller.end() == "Then\n"


def test_a_reply_that_was_told_is_not_told_again() -> None:
    teller = Teller(40)
    assert not teller.told("")
    teller.token("\nHeadings first [#1].\n")
    assert teller.told("Headings first [#1].")
    assert teller.told("Headings  first.")
    assert not teller.told("Headings last [#1].")
    assert not teller.told("")
