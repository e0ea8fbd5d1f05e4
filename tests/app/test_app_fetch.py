"""Texts out of the index, word for word: chunks with their neighbours, documents, and lines within a budget."""

from typing import TYPE_CHECKING

import pytest
from fetch_bench import SECTIONS, chunks, fetch, write_notes
from hypothesis import given
from hypothesis import strategies as st

from kebab.app.fetch import _within
from kebab.core.citation import CodeCitation, LineCitation
from kebab.core.errors import ChunkNotFound, InvalidInput
from kebab.core.fetching import FetchKind, FetchResult
from kebab.core.text import token_estimate

if TYPE_CHECKING:
    from app_bench import Desk

CHUNK, DOC, SPAN, _ = FetchKind


@pytest.fixture
def notes(desk: "Desk") -> "Desk":
    return write_notes(desk)


def words(result: FetchResult) -> list[str]:
    assert result.chunk is not None
    return [chunk.text for chunk in (*result.context_before, result.chunk, *result.context_after)]


def test_a_chunk_comes_alone_unless_neighbours_are_asked_for(notes: "Desk") -> None:
    ids = chunks(notes)
    found = fetch(notes, CHUNK, ids[5])
    assert words(found) == ["## Part 5\n\nThe part with number 5."]
    assert found.citation is not None
    assert found.citation.to_uri() == "parts.md#L21-L23"
    assert (found.text, found.line_start, found.truncated) == (None, None, False)


def test_neighbours_come_in_document_order_and_end_with_the_document(notes: "Desk") -> None:
    ids = chunks(notes)
    assert len(ids) == 12
    assert ids != sorted(ids)
    found = fetch(notes, CHUNK, ids[1][:10], context=3)
    assert [chunk.chunk_id for chunk in found.context_before] == ids[:1]
    assert [chunk.chunk_id for chunk in found.context_after] == ids[2:5]
    whole = fetch(notes, CHUNK, ids[11], context=10**12)
    assert [chunk.chunk_id for chunk in whole.context_before] == ids[:11]
    assert whole.context_after == ()


def test_a_budget_leaves_out_the_neighbours_that_are_farthest_off_and_never_the_chunk(notes: "Desk") -> None:
    ids = chunks(notes)
    size = token_estimate("## Part 5\n\nThe part with number 5.")
    found = fetch(notes, CHUNK, ids[5], context=4, max_tokens=4 * size)
    assert [len(found.context_before), len(found.context_after), found.truncated] == [2, 1, True]
    assert found.context_before[-1].chunk_id == ids[4]
    alone = fetch(notes, CHUNK, ids[5], context=1, max_tokens=1)
    assert (words(alone), alone.truncated) == (["## Part 5\n\nThe part with number 5."], True)
    assert not fetch(notes, CHUNK, ids[5], max_tokens=1).truncated


def test_a_chunk_is_found_by_the_citation_a_search_gave(notes: "Desk") -> None:
    hit = notes.search("현미밥").hits[0]
    assert fetch(notes, CHUNK, hit.citation.to_uri()).chunk == fetch(notes, CHUNK, hit.chunk_id).chunk
    with pytest.raises(ChunkNotFound, match=r"cited as parts\.md#L2-L3"):
        fetch(notes, CHUNK, "parts.md#L2-L3")


def test_a_document_is_its_text_with_every_line_counted(notes: "Desk") -> None:
    found = fetch(notes, DOC, "parts.md")
    assert found.text == SECTIONS
    assert (found.line_start, found.line_end, found.effective_end, found.truncated) == (1, 48, 48, False)
    assert found.citation == LineCitation("parts.md", 1, 48)
    code = fetch(notes, DOC, "app/main.py")
    assert code.citation == CodeCitation("app/main.py", 1, 2, lang="python")


def test_an_empty_document_is_an_empty_text_and_has_no_lines(notes: "Desk") -> None:
    found = fetch(notes, DOC, "empty.md")
    assert (found.text, found.line_start, found.citation, found.truncated) == ("", None, None, False)
    with pytest.raises(InvalidInput, match=r"beyond the end of empty.md, which has 0 lines"):
        fetch(notes, SPAN, "empty.md", start=1, end=1)


def test_a_budget_cuts_at_the_end_of_a_line_and_says_where_to_go_on(notes: "Desk") -> None:
    found = fetch(notes, DOC, "parts.md", max_tokens=20)
    assert found.text is not None
    assert found.truncated
    assert SECTIONS.startswith(found.text + "\n")
    assert token_estimate(found.text) <= 20
    parts, end = [found.text], found.effective_end
    while end is not None and end < 48:
        more = fetch(notes, SPAN, "parts.md", start=end + 1, end=48, max_tokens=20)
        assert more.line_end == 48
        parts, end = [*parts, more.text or ""], more.effective_end
    assert "\n".join(parts) + "\n" == SECTIONS


def test_a_span_is_the_lines_an_editor_shows_whatever_ended_them(notes: "Desk") -> None:
    found = fetch(notes, SPAN, "쌀/현미 밥.md", start=1, end=3)
    assert found.text == "# 현미밥\n\n물 1.2컵"
    assert (found.line_start, found.line_end, found.effective_end) == (1, 3, 3)
    last = fetch(notes, SPAN, "쌀/현미 밥.md", start=5, end=400)
    assert (last.text, last.line_end, last.effective_end) == ("끝", 400, 5)
    assert last.citation == LineCitation("쌀/현미 밥.md", 5, 5)
    blank = fetch(notes, SPAN, "쌀/현미 밥.md", start=4, end=4)
    assert (blank.text, blank.effective_end) == ("", 4)


def test_a_citation_is_all_a_span_needs(notes: "Desk") -> None:
    for hit in notes.search("part number 7").hits:
        found = fetch(notes, SPAN, hit.citation.to_uri())
        assert found.text == fetch(notes, CHUNK, hit.chunk_id).chunk.text  # type: ignore[union-attr]
        assert found.citation is not None
        assert found.citation.to_uri() == hit.citation.to_uri()
    assert fetch(notes, SPAN, "쌀/현미%20밥.md#L3").text == "물 1.2컵"
    assert fetch(notes, SPAN, "a%23b.md#L1").text == "# Sharp"
    assert fetch(notes, SPAN, "parts.md#L1-L4", start=3, end=3).text == "The part with number 0."


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        (0, 0, "needs its lines"),
        (0, 4, "count from 1"),
        (-3, 4, "count from 1"),
        (5, 4, "before its start"),
        (49, 60, "has 48 lines"),
        (10**20, 10**20, "has 48 lines"),
    ],
)
def test_lines_that_cannot_be_are_refused_in_words(notes: "Desk", start: int, end: int, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        fetch(notes, SPAN, "parts.md", start=start, end=end)


@pytest.mark.parametrize("option", ["context", "max_tokens"])
def test_a_limit_below_zero_is_refused(notes: "Desk", option: str) -> None:
    with pytest.raises(InvalidInput, match=f"{option} must be 0 or more"):
        fetch(notes, CHUNK, "parts.md#L1-L3", **{option: -1})


@given(st.text("a가\n😀", max_size=60), st.integers(1, 40))
def test_what_is_cut_fits_and_is_whole_lines_or_a_part_of_the_first(text: str, budget: int) -> None:
    kept, cut = _within(text, budget)
    assert token_estimate(kept) <= budget
    assert text.startswith(kept)
    assert cut == (kept != text)
    first = text.split("\n", 1)[0]
    if cut and token_estimate(first) <= budget:
        assert text[len(kept)] == "\n"
        following = text[len(kept) + 1 :].split("\n", 1)[0]
        assert token_estimate(f"{kept}\n{following}") > budget
    elif cut:
        assert first.startswith(kept)
