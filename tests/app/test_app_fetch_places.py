"""Documents that are cited by page, region or time: pages are fetched, and lines are refused with a way out."""

import json
from typing import TYPE_CHECKING

import apsw
import pytest
from fetch_bench import fetch

from kebab.core.citation import PageCitation
from kebab.core.errors import InvalidInput, SpanNotSupported
from kebab.core.fetching import FetchKind
from kebab.core.span import CaptionPlace, Place, RegionPlace, TimePlace
from office_samples import docx, para, pptx, shape, slide
from pdf_samples import pages

if TYPE_CHECKING:
    from app_bench import Desk

CHUNK, DOC, SPAN, PAGE = FetchKind


@pytest.fixture
def shelf(desk: "Desk") -> "Desk":
    desk.write("book.pdf", pages("Alpha begins here.\nAlpha goes on.", "", "Gamma is on page three."))
    desk.write("deck 덱.pptx", pptx([slide(shape("title", f"Slide {n}") + shape("body", "물", "쌀")) for n in (1, 2)]))
    desk.write("report.docx", docx(para("First paragraph.") + para("Second paragraph.")))
    desk.write("notes.md", "# Notes\n")
    desk.ingest()
    return desk


def place_all(desk: "Desk", path: str, place: Place) -> None:
    """Every block of a document stands there, as a parser of pictures or of recordings would say."""
    database = apsw.Connection(str(desk.index))
    key = desk.rows()[path].doc_key
    where = "(SELECT json_group_array(json_insert(value, '$[#]', json(?2))) FROM json_each(blocks_json))"
    database.execute(
        f"UPDATE document_blocks SET blocks_json = {where} WHERE doc_key = ?1", (key, json.dumps(place.to_json()))
    )
    database.execute("UPDATE chunks SET place_json = ?2 WHERE doc_key = ?1", (key, json.dumps(place.to_json())))
    database.close()


def test_a_page_is_the_text_between_its_first_and_last_line(shelf: "Desk") -> None:
    found = fetch(shelf, PAGE, "book.pdf", page=1)
    assert found.text == "Alpha begins here.\nAlpha goes on."
    assert (found.page, found.citation, found.line_start) == (1, PageCitation("book.pdf", 1), None)
    assert fetch(shelf, PAGE, "book.pdf#p=3").text == "Gamma is on page three."
    assert fetch(shelf, PAGE, "book.pdf#p=3", page=1).page == 1


def test_a_slide_is_a_page(shelf: "Desk") -> None:
    hit = next(hit for hit in shelf.search("Slide").hits if hit.citation.to_uri().endswith("#p=2"))
    found = fetch(shelf, PAGE, hit.citation.to_uri())
    assert found.text == "# Slide 2\n\n- 물\n- 쌀"


def test_a_page_without_text_before_the_last_is_empty_and_one_after_it_is_refused(shelf: "Desk") -> None:
    empty = fetch(shelf, PAGE, "book.pdf", page=2)
    assert (empty.text, empty.truncated) == ("", False)
    with pytest.raises(InvalidInput, match="has no text after page 3, and page 4 was asked for"):
        fetch(shelf, PAGE, "book.pdf", page=4)
    for number in (0, -1):
        with pytest.raises(InvalidInput, match="count from 1"):
            fetch(shelf, PAGE, "book.pdf", page=number)


def test_a_page_keeps_to_its_budget(shelf: "Desk") -> None:
    found = fetch(shelf, PAGE, "book.pdf", page=1, max_tokens=9)
    assert (found.text, found.truncated) == ("Alpha begins here.", True)


def test_a_document_without_pages_says_so(shelf: "Desk") -> None:
    for path in ("notes.md", "report.docx"):
        with pytest.raises(InvalidInput, match="has no pages"):
            fetch(shelf, PAGE, path, page=1)


def test_lines_of_pages_are_refused_with_the_page_to_ask_for(shelf: "Desk") -> None:
    for reference, hint in (
        ("book.pdf", "`kebab fetch page book.pdf 1`"),
        ("book.pdf#p=3", "`kebab fetch page book.pdf 3`"),
        ("deck 덱.pptx", "`kebab fetch page 'deck 덱.pptx' 1`"),
    ):
        with pytest.raises(SpanNotSupported, match="is cited by page, not by line") as caught:
            fetch(shelf, SPAN, reference, start=1, end=2)
        assert (caught.value.code, caught.value.hint) == ("span_not_supported", hint)


def test_a_whole_document_of_pages_has_no_lines_to_go_on_from(shelf: "Desk") -> None:
    found = fetch(shelf, DOC, "book.pdf")
    assert found.text is not None
    assert found.text.splitlines()[-1] == "Gamma is on page three."
    assert (found.line_start, found.effective_end, found.citation) == (None, None, None)


def test_a_document_whose_text_was_read_off_it_has_lines_if_its_citations_name_them(shelf: "Desk") -> None:
    hit = shelf.search("Second paragraph").hits[0]
    assert fetch(shelf, SPAN, hit.citation.to_uri()).text == "First paragraph.\n\nSecond paragraph."


@pytest.mark.parametrize(
    ("place", "way"),
    [
        (TimePlace(0, 1500, "S1"), "kebab fetch chunk"),
        (RegionPlace(0, 0, 10, 10), "kebab fetch doc report.docx"),
        (CaptionPlace("llava"), "kebab fetch doc report.docx"),
    ],
)
def test_lines_of_pictures_and_recordings_are_refused_with_another_way(shelf: "Desk", place: Place, way: str) -> None:
    place_all(shelf, "report.docx", place)
    with pytest.raises(SpanNotSupported) as caught:
        fetch(shelf, SPAN, "report.docx", start=1, end=1)
    assert caught.value.hint is not None
    assert way in caught.value.hint
    hit = shelf.search("Second paragraph").hits[0]
    found = fetch(shelf, CHUNK, hit.citation.to_uri())
    assert found.citation == hit.citation
    assert found.chunk is not None
    assert found.chunk.chunk_id == hit.chunk_id
