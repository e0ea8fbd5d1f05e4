"""Where sentences begin and end, in Korean and English, in passages and in replies."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.rag.blocks import Kind, Unit, blocks
from kebab.rag.sentences import code_spans, is_korean_end, shortened, units


def cut(text: str) -> list[str]:
    return [unit.of(text) for unit in units(text)]


def kinds(text: str) -> list[tuple[Kind, str]]:
    return [(unit.kind, unit.of(text)) for unit in units(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One thing.", "Another thing!", "A third?", "The end."],
        ["첫 문장이다.", "둘째 문장입니다.", "셋째인가요?", "그렇죠!", "끝이에요."],
        ["Version v1.2 is out.", "It costs 3.14 dollars.", "Use 1.2.3."],
        ["Ask Dr. Kim, e.g. on Monday, i.e. soon.", "He knows."],
        ["See No. 3 and Fig. 2 for this.", "No.", "It does not."],
        ["J. Smith wrote it at 5 p.m. in the U.S. embassy.", "Nobody read it."],
        ["Open notes/a.md first.", "Then https://a.example/b?c=1.d and stop."],
        ["Wait... there is more.", "그런데... 사실은 아니다.", "했다...", "Then nothing."],
        ["그는 「왜. 그런가.」 라고 물었다.", "대답은 없었다."],
        ['He said "It works."', "Then he left."],
        ['"Why?" he asked.', "Nobody knew."],
        ['그는 "왜?" 라고 물었다.', "답이 없었다."],
        ["(It was late.)", "[See this.]", "**Bold end.**", "Done."],
        ["Call `a. b` twice.", "Then `c. D` once."],
        ["회의는 2024. 5. 3. 오후에 열렸다.", "결론은 없었다."],
        ["吾輩は猫である。", "名前はまだ無い。"],
        ["우선한다. [#1]", "자르지 않는다.[#2][#3]", "유지한다 [#1].", "끝이다. [#1], [#2]"],
        ["Acme Inc. and Co. agreed, etc. and so on.", "Nothing else."],
        ["가. 첫째 항목이다.", "다음이다."],
        ["Kim et al. (2020) found it.", "Others did not."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


def test_a_marker_right_behind_a_stop_belongs_to_the_sentence_before() -> None:
    assert cut("하나다.[#1]둘이다. [#2] 셋이다.") == ["하나다.[#1]", "둘이다. [#2]", "셋이다."]


def test_korean_without_a_space_behind_the_stop_is_two_sentences() -> None:
    assert cut("그렇게 한다.그러나 아니다.") == ["그렇게 한다.", "그러나 아니다."]


def test_a_finished_korean_clause_with_a_marker_is_a_sentence_without_a_stop() -> None:
    assert cut("우선한다 [#1] 자르지 않는다 [#2]") == ["우선한다 [#1]", "자르지 않는다 [#2]"]


def test_a_quotation_keeps_its_sentences_together() -> None:
    text = '문서에는 "A이다. B이다." 라고 쓰여 있다 [#1]. 다음.'
    assert cut(text) == ['문서에는 "A이다. B이다." 라고 쓰여 있다 [#1].', "다음."]


def test_a_wrapped_line_goes_on_and_a_finished_one_does_not() -> None:
    assert cut("a line that\nwraps here. Next") == ["a line that\nwraps here.", "Next"]
    assert cut("첫 줄을 우선한다\n둘째 줄\n없다") == ["첫 줄을 우선한다", "둘째 줄\n없다"]
    assert cut("규칙은 다음과 같다:\n먼저 한다") == ["규칙은 다음과 같다:", "먼저 한다"]
    assert cut("hard break  \nnext") == ["hard break", "next"]
    assert cut("boundary first [#1]\nno cuts [#2]") == ["boundary first [#1]", "no cuts [#2]"]


def test_every_kind_of_line_is_a_unit_of_its_own_and_marks_lie_outside() -> None:
    text = (
        "---\ntitle: A\n---\n# Title #\n\nText one. Text two.\n- item. second\n* [x] done\n  goes on\n12) last\n\n"
        "> quoted\n> on. And\n\n| a | b |\n|---|:-:|\n| 1 | 2. 3 |\n\n```py\nx = 1. # y\n\n```\n\n    indented()\n\n"
        "Under\n-----\nc | d\n--- | ---\n5 | 6\n***\nend"
    )
    assert kinds(text) == [
        (Kind.ROW, "title: A"),
        (Kind.HEADING, "Title"),
        (Kind.PROSE, "Text one."),
        (Kind.PROSE, "Text two."),
        (Kind.PROSE, "item."),
        (Kind.PROSE, "second"),
        (Kind.PROSE, "done\n  goes on"),
        (Kind.PROSE, "last"),
        (Kind.PROSE, "quoted\n> on."),
        (Kind.PROSE, "And"),
        (Kind.ROW, "a | b"),
        (Kind.ROW, "1 | 2. 3"),
        (Kind.CODE, "x = 1. # y"),
        (Kind.CODE, "indented()"),
        (Kind.HEADING, "Under"),
        (Kind.ROW, "c | d"),
        (Kind.ROW, "5 | 6"),
        (Kind.PROSE, "end"),
    ]


def test_a_wrapped_line_that_begins_with_a_number_is_no_list() -> None:
    assert cut("it was built in\n1986. Then it fell.") == ["it was built in\n1986.", "Then it fell."]
    assert cut("there were\n12. They left.") == ["there were\n12.", "They left."]


def test_an_open_fence_holds_the_rest_and_one_in_a_quotation_ends_with_it() -> None:
    assert {unit.kind for unit in units("```\na. b\nc. d")} == {Kind.CODE}
    assert kinds("> ```\n> code\n\nprose. more")[1:] == [(Kind.PROSE, "prose."), (Kind.PROSE, "more")]


def test_a_list_item_above_a_rule_is_no_heading() -> None:
    assert kinds("- one. two\n---\nthree") == [(Kind.PROSE, "one."), (Kind.PROSE, "two"), (Kind.PROSE, "three")]


def test_code_spans_pair_runs_of_the_same_length() -> None:
    text = "a `b` ``c ` d`` `e"
    assert [text[start:end] for start, end in code_spans(text, 0, len(text))] == ["`b`", "``c ` d``"]


@pytest.mark.parametrize("word", ["한다", "없다", "합니다", "하세요", "그렇죠", "저장됨", "유지함", "이다"])
def test_finished_korean_words(word: str) -> None:
    assert is_korean_end(word, len(word))


@pytest.mark.parametrize("word", ["보다", "마다", "필요", "중요", "포함", "사람", "다", ""])
def test_unfinished_korean_words(word: str) -> None:
    assert not is_korean_end(word, len(word))


def test_a_run_on_is_cut_at_lines_then_spaces_then_anywhere() -> None:
    text = "word " * 50 + "\n" + "x" * 100
    parts = shortened(text, [Unit(0, len(text), Kind.PROSE)], 60)
    assert all(part.end - part.start <= 60 for part in parts)
    assert "".join(part.of(text) for part in parts).replace(" ", "") == text.replace(" ", "").replace("\n", "")


FRAGMENTS = st.sampled_from(
    [
        *(
            "다. ",
            "요.",
            "까? ",
            "한다",
            "보다\n",
            "e.g. ",
            "v1.2 ",
            "No. 3",
            "...",
            "…",
            "。",
            "!",
            "? ",
            "\n",
            "\n\n",
            "[#1]",
        ),
        *(" [#2][#3]", "`a. b`", "```\n", "~~~", "> ", "- ", "* ", "1. ", "12) ", "# ", "| a | b |\n", "|---|---|\n"),
        *(
            "---\n",
            "===\n",
            "    code\n",
            '"',
            "“",
            "”",
            "(",
            ")",
            "]",
            "**",
            "text ",
            "가나 ",
            "\t",
            "  \n",
            "\\\n",
            "[x] ",
        ),
    ]
)


@given(st.one_of(st.text(), st.lists(FRAGMENTS, max_size=40).map("".join)))
def test_units_are_in_order_apart_trimmed_and_lose_only_marks(text: str) -> None:
    at = 0
    for unit in [*units(text), None]:
        start = len(text) if unit is None else unit.start
        assert start >= at
        outside = re.sub(
            r"^[ \t>]*(?:(?:[-*+•‣◦▪·]|[0-9]{1,3}[.)])[ \t]+)*(?:```|~~~)[^\n]*$", "", text[at:start], flags=re.M
        )
        assert not re.search(r"[^\W\d_]", outside.replace("[x]", "").replace("[X]", "")), outside
        if unit is not None:
            assert unit.of(text) == unit.of(text).strip() != ""
            at = unit.end


@given(st.lists(FRAGMENTS, max_size=40).map("".join))
def test_sentences_stay_inside_their_blocks(text: str) -> None:
    whole = blocks(text)
    for unit in units(text):
        assert any(block.start <= unit.start and unit.end <= block.end for block in whole)


@given(st.lists(FRAGMENTS, max_size=30).map("".join), st.integers(1, 20))
def test_shortened_units_hold_every_letter_of_the_long_ones(text: str, limit: int) -> None:
    found = units(text)
    parts = shortened(text, found, limit)
    assert all(0 < part.end - part.start <= limit for part in parts)
    letters = re.compile(r"\S")
    assert letters.findall("".join(part.of(text) for part in parts)) == letters.findall(
        "".join(unit.of(text) for unit in found)
    )


@pytest.mark.parametrize(
    "part",
    ["다. ", "[#1] ", "` ", '"a ', "“", "> ", "- ", "| a ", "\n> a", "1. ", "e.g. ", "\\\n", "  \n", "```\n", "."],
)
def test_a_long_text_of_one_mark_is_read_to_its_end(part: str) -> None:
    """With a cost that grows faster than the text these would take minutes."""
    text = part * 20_000 + "\n\nThe end"
    assert units(text)[-1].of(text).endswith("The end")
