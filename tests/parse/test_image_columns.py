"""Where a page falls into columns, and where it does not."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from kebab.parse.image.columns import MOST_COLUMNS, split

PAGE = (1000, 800)


def page(*blocks: tuple[int, int, int, int], paper: int = 255) -> Image.Image:
    """Grey bars for lines of text: left, top, right, and how many of them, 30 apart."""
    image = Image.new("L", PAGE, paper)
    draw = ImageDraw.Draw(image)
    for left, top, right, lines in blocks:
        for line in range(lines):
            draw.rectangle((left, top + 30 * line, right, top + 30 * line + 16), fill=255 - paper)
    return image


def test_a_page_of_one_column_stays_whole() -> None:
    assert split(page((50, 50, 950, 20))) == [(0, 0, *PAGE)]
    assert split(page()) == [(0, 0, *PAGE)]


@pytest.mark.parametrize("paper", [255, 0])
def test_two_columns_are_read_one_after_the_other(paper: int) -> None:
    left, right = split(page((50, 50, 470, 20), (530, 58, 950, 18), paper=paper))
    assert left[0] == 0
    assert 470 < left[2] < 530
    assert right == (left[2], 0, PAGE[0] - left[2], PAGE[1])


def test_a_title_over_columns_is_read_before_them() -> None:
    title, left, right = split(page((50, 20, 950, 2), (50, 150, 470, 12), (530, 150, 950, 12)))
    assert (title[0], title[1], title[2]) == (0, 0, 1000)
    assert 66 < title[3] < 150
    assert left[1] == right[1] == title[3]
    assert left[0] + left[2] == right[0]


def test_three_columns_come_from_left_to_right() -> None:
    boxes = split(page((30, 50, 310, 20), (360, 50, 640, 20), (690, 50, 970, 20)))
    assert len(boxes) == 3
    assert [box[0] for box in boxes] == sorted(box[0] for box in boxes)


def test_a_table_is_read_row_by_row() -> None:
    cells = [(left, 50 + 60 * row, left + 60 + 10 * (row % 5), 1) for row in range(10) for left in (50, 350, 650)]
    cells += [(left, 20, left + 250, 1) for left in (50, 350, 650)]
    assert split(page(*cells)) == [(0, 0, *PAGE)]


def test_a_margin_or_a_few_words_are_no_column() -> None:
    assert split(page((10, 50, 90, 20), (150, 50, 950, 20))) == [(0, 0, *PAGE)]
    assert split(page((50, 50, 470, 3), (530, 50, 950, 3))) == [(0, 0, *PAGE)]


BLOCKS = st.tuples(st.integers(0, 900), st.integers(0, 700), st.integers(20, 500), st.integers(1, 12))


@settings(max_examples=60, deadline=None)
@given(st.lists(BLOCKS, max_size=8))
def test_the_boxes_hold_all_of_the_page_and_nothing_twice(blocks: list[tuple[int, int, int, int]]) -> None:
    boxes = split(page(*((x, y, x + w, lines) for x, y, w, lines in blocks)))
    assert 1 <= len(boxes) <= MOST_COLUMNS
    assert sum(w * h for _, _, w, h in boxes) == PAGE[0] * PAGE[1]
    for one, other in pairwise(boxes):
        apart_across = one[0] + one[2] <= other[0] or other[0] + other[2] <= one[0]
        apart_down = one[1] + one[3] <= other[1] or other[1] + other[3] <= one[1]
        assert apart_across or apart_down


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (5, 5)])
def test_pages_of_any_shape_can_be_looked_at(size: tuple[int, int]) -> None:
    assert split(Image.new("L", size, 7)) == [(0, 0, *size)]
    assert split(Image.new("RGB", size)) == [(0, 0, *size)]
