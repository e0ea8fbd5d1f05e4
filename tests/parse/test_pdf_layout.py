"""Reading order, paragraphs and mended words, from text and boxes alone."""

from itertools import chain

import pytest

from kebab.parse.pdf import hyphens, layout, margins
from kebab.parse.pdf.values import Page, Row

Box = tuple[int, int, int, int]


def line(text: str, left: int, y: int, width: int = 2000, height: int = 90) -> tuple[str, Box]:
    return text, (left, y, left + width, y + height)


def read(*lines: tuple[str, Box]) -> list[str]:
    text = "".join(text + "\n" for text, _ in lines)
    rows = layout.rows(text, list(chain.from_iterable(box for _, box in lines)))
    return list(chain.from_iterable(("", row.text) if row.starts else (row.text,) for row in rows))


def words(name: str, count: int) -> list[str]:
    return [f"{name} line {number} of the column" for number in range(count)]


def test_lines_stay_as_they_are_and_a_gap_is_a_paragraph() -> None:
    lines = [line("a1", 500, 7000), line("a2", 500, 6880), line("a3", 500, 6760), line("b1", 500, 6560)]
    assert read(*lines, line("b2", 500, 6440)) == ["a1", "a2", "a3", "", "b1", "b2"]


def test_a_line_in_larger_letters_is_a_paragraph_of_its_own() -> None:
    body = [line(f"b{number}", 500, 6800 - 120 * number) for number in range(4)]
    assert read(line("Title", 500, 6920, height=140), *body) == ["Title", "", "b0", "b1", "b2", "b3"]


def test_a_footer_that_is_drawn_first_comes_last() -> None:
    body = [line(f"b{number}", 500, 6800 - 120 * number) for number in range(4)]
    assert read(line("- 3 -", 2000, 300, width=200), *body) == ["b0", "b1", "b2", "b3", "", "- 3 -"]


def test_columns_drawn_one_after_the_other_are_kept() -> None:
    left = [line(text, 500, 7000 - 120 * at) for at, text in enumerate(words("left", 6))]
    right = [line(text, 2800, 7000 - 120 * at) for at, text in enumerate(words("right", 6))]
    assert read(*left, *right) == [*words("left", 6), *words("right", 6)]


def across(count: int, shift: int = 0) -> list[tuple[str, Box]]:
    return [
        line(f"{name} line {at} of the column", x, 7000 - 120 * at - (shift if x > 500 else 0))
        for at in range(count)
        for name, x in (("left", 500), ("right", 2800))
    ]


@pytest.mark.parametrize("shift", [0, 30, 60])
def test_columns_drawn_line_by_line_are_read_one_after_the_other(shift: int) -> None:
    assert read(*across(8, shift)) == [*words("left", 8), *words("right", 8)]


def test_columns_that_pdfium_put_on_one_line_are_read_one_after_the_other() -> None:
    text = "".join(f"left line {at} of the column\tright line {at} of the column\n" for at in range(8))
    boxes = list(chain.from_iterable(box for _, box in across(8)))
    assert [row.text for row in layout.rows(text, boxes)] == [*words("left", 8), *words("right", 8)]


def test_a_heading_over_both_columns_parts_them() -> None:
    upper, lower = across(6), [(text, (a, b - 1200, c, d - 1200)) for text, (a, b, c, d) in across(6)]
    heading = line("A heading over both", 500, 6080, width=4300)
    found = [text for text in read(*upper, *lower, heading) if text]
    order = [*words("left", 6), *words("right", 6)]
    assert found == [*order, "A heading over both", *order]


def test_three_columns_are_read_one_after_the_other() -> None:
    lines = [
        line(f"{name} line {at} of the column", x, 7000 - 120 * at, width=1300)
        for at in range(8)
        for name, x in (("one", 500), ("two", 2000), ("three", 3500))
    ]
    assert read(*lines) == [*words("one", 8), *words("two", 8), *words("three", 8)]


@pytest.mark.parametrize("by_column", [False, True])
def test_a_table_is_read_row_by_row(by_column: bool) -> None:
    cells = [(row, column) for row in range(5) for column in range(3)]
    cells.sort(key=lambda cell: cell[1] if by_column else cell[0])
    lines = [line(f"r{row}c{column}", 500 + 1500 * column, 7000 - 160 * row, width=300) for row, column in cells]
    assert read(*lines) == [f"r{row}c0  r{row}c1  r{row}c2" for row in range(5)]


def test_text_that_runs_up_the_page_stays_as_it_came() -> None:
    lines = [(f"a sideways line {at}", (500 + 120 * at, 1000, 590 + 120 * at, 6000)) for at in (2, 0, 1)]
    assert read(*lines) == ["a sideways line 2", "a sideways line 0", "a sideways line 1"]


def test_boxes_that_do_not_fit_the_text_do_no_harm() -> None:
    assert [row.text for row in layout.rows("a\tb\nc\n", [1, 2, 3])] == ["a  b", "c"]
    assert layout.rows("", []) == []


def test_boxes_of_no_size_do_no_harm() -> None:
    assert [row.text for row in layout.rows("a\nb\nc\n", [0] * 12)]


# -- words


def mended(*lines: str) -> list[str]:
    return [row.text for row in hyphens.mend([Row(text, 0, 0) for text in lines])]


@pytest.mark.parametrize("hyphen", ["-", "\ufffe", "\u00ad", "\u2010"])
def test_a_word_is_made_whole(hyphen: str) -> None:
    assert mended(f"all the infor{hyphen}", "mation, at last") == ["all the information,", "at last"]


def test_a_line_that_was_only_the_rest_of_a_word_is_gone() -> None:
    assert mended("infor-", "mation", "next") == ["information", "next"]


def test_a_word_over_three_lines_is_made_whole() -> None:
    assert mended("inter-", "nation-", "alise it") == ["internationalise", "it"]


@pytest.mark.parametrize(
    ("upper", "lower", "whole"),
    [
        ("a well-", "known fact", "a well-known"),
        ("COVID\ufffe", "19 wards", "COVID-19"),
        ("Anglo-", "Saxon words", "Anglo-Saxon"),
        ("the X-", "ray room", "the X-ray"),
        ("서울-", "부산 구간", "서울-부산"),
    ],
)
def test_a_hyphen_of_the_word_stays(upper: str, lower: str, whole: str) -> None:
    assert mended(upper, lower)[0] == whole


@pytest.mark.parametrize("upper", ["a dash -", "rule ---", "-", "ends"])
def test_a_dash_is_no_hyphen(upper: str) -> None:
    assert mended(upper, "next line") == [upper, "next line"]


def test_a_hyphen_pdfium_marked_never_reaches_the_text() -> None:
    assert mended("ends \ufffe", "(next") == ["ends -", "(next"]


def test_a_mark_before_another_cell_is_a_hyphen_again() -> None:
    assert mended("one \ufffe  two", "three") == ["one -  two", "three"]


def test_ligatures_become_letters_and_nothing_else_changes() -> None:
    assert hyphens.letters("oﬃce ﬁle, ½ ① Ａ ㈜ 한글") == "office file, ½ ① Ａ ㈜ 한글"


# -- headers and footers


def page(number: int, *rows: str) -> Page:
    return Page(number, [Row(text, 7000 - 120 * at, 7090 - 120 * at) for at, text in enumerate(rows)], "text")


def dropped(pages: list[Page], **options: object) -> set[str]:
    found = margins.find(pages, **options)  # type: ignore[arg-type]
    return {pages[number - 1].rows[row].text for number, rows in found.rows.items() for row in rows}


def book(count: int, header: str = "Annual report", footer: str = "- {} -") -> list[Page]:
    return [
        page(
            number, header.format(number), *(f"body {at} of {number * 7919}x" for at in range(6)), footer.format(number)
        )
        for number in range(1, count + 1)
    ]


def test_what_repeats_at_the_edge_is_left_out() -> None:
    assert dropped(book(5)) == {"Annual report", *(f"- {number} -" for number in range(1, 6))}
    assert margins.find(book(5)).headers == ["Annual report"]
    assert margins.find(book(5)).footers == ["- # -"]


def test_odd_and_even_pages_may_differ() -> None:
    pages = [
        page(n, "Left title" if n % 2 else "Right title", f"a {n * 31}x", f"b {n * 37}x", "z") for n in range(1, 11)
    ]
    assert dropped(pages) == {"Left title", "Right title", "z"}


def test_a_number_that_does_not_count_pages_stays() -> None:
    assert dropped(book(8, header="Invoice {}", footer="end")) >= {"end"}
    invoices = [page(n, f"Invoice {(n * 7919) % 1000}", "a", f"b {n * 31 % 17}y", "c") for n in range(1, 9)]
    assert not any(text.startswith("Invoice") for text in dropped(invoices))


def test_few_pages_have_no_margins() -> None:
    assert dropped(book(2)) == set()


def test_headings_of_the_outline_stay() -> None:
    pages = book(5, header="Chapter {}")
    assert "Chapter 2" in dropped(pages)
    assert "Chapter 2" not in dropped(pages, headings={f"Chapter {number}" for number in range(1, 6)})


def test_a_page_that_says_nothing_else_keeps_it() -> None:
    assert dropped([page(number, "Confidential") for number in range(1, 6)]) == set()
