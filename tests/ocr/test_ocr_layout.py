"""What tesseract prints becomes lines with boxes, confidence and the right spaces."""

import pytest
from fake_tesseract import HEADER, printed
from hypothesis import given
from hypothesis import strategies as st

from kebab.ocr.layout import Printed, Word, read

ONE = ((5, 6, 70, 8), 1, [("현", 90.0), ("미", 80.0), ("밥", 70.0), ("40", 95.5), ("분", 94.5)])
TWO = ((5, 20, 70, 8), 2, [("Brown", 96.0), ("rice", 94.0)])


def test_syllables_are_joined_as_the_plain_text_spaces_them() -> None:
    found = read(printed((200, 100), ONE, TWO, text="현미밥 40분\n\nBrown   rice\n\f"))
    assert (found.width, found.height) == (200, 100)
    assert [line.text for line in found.lines] == ["현미밥 40분", "Brown rice"]
    assert [(line.box, line.block) for line in found.lines] == [(ONE[0], 1), (TWO[0], 2)]
    assert [word.confidence for word in found.lines[0].words] == pytest.approx([0.8, (0.955 * 2 + 0.945) / 3])


def test_the_plain_text_may_come_first() -> None:
    both = printed((200, 100), ONE, text="")
    assert [line.text for line in read(f"현미밥 40분\n\f{both}").lines] == ["현미밥 40분"]


def test_a_line_the_plain_text_lacks_keeps_the_words_of_the_table() -> None:
    found = read(printed((200, 100), ONE, TWO, text="something else\nBrown rice\n"))
    assert [line.text for line in found.lines] == ["현 미 밥 40 분", "Brown rice"]


def test_equal_lines_are_matched_in_their_order() -> None:
    again = ((5, 40, 70, 8), 1, ONE[2])
    found = read(printed((200, 100), ONE, again, text="현미밥 40분\n현 미밥40분\n"))
    assert [line.text for line in found.lines] == ["현미밥 40분", "현 미밥40분"]


def test_lines_without_words_are_left_out() -> None:
    assert read(printed((9, 9), ((0, 0, 9, 9), 1, [(" ", 95.0)]), text="")) == Printed(9, 9, ())
    assert read("") == Printed(0, 0, ())
    assert read(HEADER) == Printed(0, 0, ())


def test_the_confidence_of_a_line_is_that_of_its_characters() -> None:
    (line,) = read(printed((9, 9), ((0, 0, 9, 9), 1, [("sentence", 90.0), ("|", 0.0)]), text="")).lines
    assert line.confidence == pytest.approx(0.8)
    assert line.words[1] == Word("|", 0.0)


@given(st.lists(st.text(st.sampled_from("가나ab1. "), min_size=1, max_size=12).filter(str.strip), max_size=8))
def test_the_words_are_those_of_the_table_whatever_the_text_says(texts: list[str]) -> None:
    lines = [((0, 10 * at, 50, 8), 1, [(char, 90.0) for char in text if char != " "]) for at, text in enumerate(texts)]
    found = read(printed((50, 100), *lines, text="\n".join(texts)))
    assert [line.text for line in found.lines] == [" ".join(text.split()) for text in texts]
