"""What of a chunk a model is given: windows of its text under the title, and its headings."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.embedding import Role
from kebab.embed.inputs import WINDOW_CHARS, Input, inputs_of, windows

PARTS = st.sampled_from(
    [
        "word",
        "Sentence. ",
        "What?! ",
        '"Said." ',
        "끝났다. ",
        "終わり。",
        "\n",
        "\n\n",
        " ",
        "...",
        "a" * 90,
        "\t",
        "(see.) ",
        "3.14",
        "…",
        "\u2028",
    ]
)
TEXTS = st.lists(PARTS, max_size=80).map("".join)
SIZES = st.integers(1, 120)


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


# -- windows


@given(TEXTS, SIZES)
def test_nothing_but_blanks_is_lost_and_the_order_stays(text: str, size: int) -> None:
    assert bare("".join(windows(text, size))) == bare(text)


@given(TEXTS, SIZES)
def test_no_window_is_longer_than_it_may_be_and_none_is_padded(text: str, size: int) -> None:
    found = windows(text, size)
    assert found
    assert all(len(window) <= size and window == window.strip() for window in found)
    assert all(found) or found == [""]


@given(TEXTS, SIZES)
def test_every_window_is_a_piece_of_the_text(text: str, size: int) -> None:
    assert all(window in text for window in windows(text, size))


@settings(max_examples=50)
@given(st.text(max_size=400), st.integers(1, 50))
def test_any_text_can_be_cut(text: str, size: int) -> None:
    found = windows(text, size)
    assert bare("".join(found)) == bare(text)
    assert max(map(len, found)) <= size


@pytest.mark.parametrize("text", ["", "   \n ", "\n" * 5000])
def test_a_text_without_words_is_one_empty_window(text: str) -> None:
    assert windows(text) == [""]


def test_a_short_text_is_one_window() -> None:
    assert windows("  one. two.\nthree  ") == ["one. two.\nthree"]
    assert windows("x" * WINDOW_CHARS) == ["x" * WINDOW_CHARS]
    assert len(windows("x" * (WINDOW_CHARS + 1))) == 2


def test_a_long_text_is_cut_between_sentences() -> None:
    found = windows("This sentence has some words in it. " * 60)
    assert len(found) > 3
    assert all(window.startswith("This") and window.endswith("it.") for window in found)


def test_a_text_a_little_too_long_is_halved_and_leaves_no_stub() -> None:
    found = windows("A sentence of words. " * 30)
    assert [len(window) // 100 for window in found] == [3, 3]


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("one two. three four", ["one two.", "three four"]),
        ('one "two." three four', ['one "two."', "three four"]),
        ("one (two!) three four", ["one (two!)", "three four"]),
        ("하나 둘이다. 셋 넷이다.", ["하나 둘이다.", "셋 넷이다."]),
        ("one two\nthree four", ["one two", "three four"]),
        ("one two... three four", ["one two...", "three four"]),
        ("number 3.14159 and more", ["number", "3.14159 and", "more"]),
    ],
)
def test_a_cut_falls_at_the_end_of_a_sentence_or_a_line_or_else_at_a_space(text: str, cuts: list[str]) -> None:
    assert windows(text, 12) == cuts


def test_a_text_without_spaces_is_cut_anywhere() -> None:
    assert windows("가" * 25, 10) == ["가" * 10, "가" * 10, "가" * 5]


@pytest.mark.parametrize("piece", [".", "a", ".'", "!?", "。", ". ", "\n.", '."'])
def test_a_very_long_text_costs_its_length_and_not_its_square(piece: str) -> None:
    """What grew with the square would take the better part of an hour here."""
    text = piece * (300_000 // len(piece))
    assert bare("".join(windows(text))) == bare(text)


# -- inputs


def test_a_chunk_is_given_by_its_text_under_the_title_and_by_its_headings() -> None:
    assert inputs_of("Guide", ("Set-up", "Disks"), "Mount them.\n") == [
        Input(Role.PASSAGE, "Guide\nMount them."),
        Input(Role.HEADING, "Guide > Set-up > Disks"),
    ]


def test_every_window_of_a_long_chunk_stands_under_the_title() -> None:
    found = inputs_of("Guide", (), "This is a sentence. " * 90)
    passages = [each.text for each in found if each.role is Role.PASSAGE]
    assert len(passages) > 2
    assert all(text.startswith("Guide\nThis is") for text in passages)
    assert [each.text for each in found if each.role is Role.HEADING] == ["Guide"]


def test_without_title_and_headings_there_is_only_the_text() -> None:
    assert inputs_of("", (), "words") == [Input(Role.PASSAGE, "words")]


def test_a_chunk_without_text_still_has_a_passage() -> None:
    assert inputs_of("Guide", (), " \n")[0] == Input(Role.PASSAGE, "Guide\n")
    assert inputs_of("", (), "") == [Input(Role.PASSAGE, "")]


@given(st.text(max_size=30), st.lists(st.text(max_size=20), max_size=3).map(tuple), TEXTS)
def test_what_a_model_is_given_depends_on_nothing_else(title: str, path: tuple[str, ...], text: str) -> None:
    found = inputs_of(title, path, text)
    assert found == inputs_of(title, path, text)
    assert found[0].role is Role.PASSAGE
    assert sum(each.role is Role.HEADING for each in found) <= 1
