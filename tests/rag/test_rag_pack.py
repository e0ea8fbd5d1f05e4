"""Evidence within a budget: numbered by rank, neighbours as one, verbatim with exact lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rag_bench import Library, hit

from kebab.core.answer import Evidence, Turn
from kebab.core.citation import CodeCitation, LineCitation, PageCitation
from kebab.core.errors import InvalidInput
from kebab.core.text import token_estimate
from kebab.rag.pack import LEAST, Found, budget, cost, pack, recent, room_for_history
from kebab.rag.prompt import block

LINES = "\n".join(f"line {number} says something" for number in range(1, 61))


def ranges(packed: tuple[Evidence, ...]) -> list[tuple[str, int, int]]:
    found = []
    for each in packed:
        assert isinstance(each.citation, LineCitation)
        found.append((each.hit.doc_id, each.citation.start, each.citation.end))
    return found


def test_evidence_is_numbered_in_the_order_of_rank() -> None:
    library = Library(a=LINES, b=LINES)
    found = [library.found(1, "b", 1, 3), library.found(2, "a", 10, 12), library.found(3, "b", 20, 22)]
    packed = pack(found, 8000, library.source_lines)
    assert [each.number for each in packed] == [1, 2, 3]
    assert ranges(packed) == [("b", 1, 3), ("a", 10, 12), ("b", 20, 22)]
    assert [each.text for each in packed] == [each.text for each in found]


def test_no_document_gives_more_than_its_share() -> None:
    library = Library(a=LINES, b=LINES)
    found = [library.found(rank, "a", rank * 10, rank * 10 + 1) for rank in range(1, 6)]
    packed = pack([*found, library.found(9, "b", 1, 2)], 8000, library.source_lines)
    assert [each.hit.doc_id for each in packed] == ["a", "a", "a", "b"]
    assert len(pack(found, 8000, library.source_lines, per_document=1)) == 1


def test_what_joins_a_neighbour_is_no_further_passage() -> None:
    library = Library(a=LINES)
    found = [library.found(rank, "a", rank * 2, rank * 2 + 1) for rank in range(1, 9)]
    (packed,) = pack(found, 8000, library.source_lines, per_document=1)
    assert packed.citation == LineCitation("a.md", 2, 17)
    assert len(pack(found, cost(found[0]) + 150, library.source_lines, per_document=1)) == 1


def test_neighbours_become_one_passage_under_the_better_hit() -> None:
    library = Library(a=LINES)
    first, second = library.found(1, "a", 11, 20), library.found(2, "a", 1, 10)
    (packed,) = pack([first, second], 8000, library.source_lines)
    assert packed.hit is first.hit
    assert packed.text == "\n".join(LINES.split("\n")[:20])
    assert packed.first_line == 1
    assert packed.citation == LineCitation("a.md", 1, 20)


def test_a_third_passage_joins_two_and_they_keep_the_first_place() -> None:
    library = Library(a=LINES, b=LINES)
    found = [
        library.found(1, "a", 1, 5),
        library.found(2, "b", 1, 5),
        library.found(3, "a", 11, 15),
        library.found(4, "a", 6, 10),
    ]
    packed = pack(found, 8000, library.source_lines)
    assert ranges(packed) == [("a", 1, 15), ("b", 1, 5)]
    assert packed[0].hit.rank == 1


def test_blank_lines_between_neighbours_do_not_part_them_but_text_does() -> None:
    library = Library(a="one\n\n\ntwo\n\nnot found\n\nthree")
    found = [library.found(1, "a", 1, 1), library.found(2, "a", 4, 4), library.found(3, "a", 8, 8)]
    packed = pack(found, 8000, library.source_lines)
    assert [each.text for each in packed] == ["one\n\n\ntwo", "three"]


def test_overlapping_passages_are_given_once() -> None:
    library = Library(a=LINES)
    (packed,) = pack([library.found(1, "a", 1, 8), library.found(2, "a", 6, 12)], 8000, library.source_lines)
    assert packed.text.count("line 7 ") == 1
    assert packed.citation == LineCitation("a.md", 1, 12)


def test_pieces_of_one_very_long_line_are_not_joined() -> None:
    line = "word " * 4000
    library = Library(a=line)
    found = [
        Found(hit(rank, doc="a", path="a.md", citation=LineCitation("a.md", 1, 1)), line[at : at + 500], 1, 1)
        for rank, at in ((1, 0), (2, 9000))
    ]
    assert [each.text for each in pack(found, 8000, library.source_lines)] == [each.text for each in found]


def test_pages_are_never_joined_and_keep_their_citation() -> None:
    found = [Found(hit(rank, citation=PageCitation("b.pdf", 12 + rank)), f"page {rank}", rank, rank) for rank in (1, 2)]
    packed = pack(found, 8000, Library().source_lines)
    assert [each.citation for each in packed] == [PageCitation("b.pdf", 13), PageCitation("b.pdf", 14)]


def test_code_is_joined_and_cited_by_its_lines() -> None:
    library = Library(a=LINES)
    found = [
        Found(
            hit(rank, doc="a", citation=CodeCitation("a.py", first, last, "f", "python")),
            library.source_lines("a", first, last),
            first,
            last,
        )
        for rank, first, last in ((1, 1, 4), (2, 5, 9))
    ]
    (packed,) = pack(found, 8000, library.source_lines)
    assert packed.citation == CodeCitation("a.py", 1, 9, "f", "python")


def test_the_same_chunk_and_empty_text_count_once_and_not_at_all() -> None:
    library = Library(a=LINES)
    one = library.found(1, "a", 1, 2)
    empty = Found(hit(2, doc="b"), " \n", 1, 2)
    assert len(pack([one, one, empty], 8000, library.source_lines)) == 1


def test_packing_stops_before_the_budget_is_exceeded() -> None:
    library = Library(**{name: "\n".join(["some words of text"] * 30) for name in "abcdefgh"})
    found = [library.found(rank, name, 1, 30) for rank, name in enumerate("abcdefgh", start=1)]
    room = cost(found[0]) * 3 + 20
    packed = pack(found, room, library.source_lines)
    assert [each.hit.doc_id for each in packed] == ["a", "b", "c"]
    assert sum(token_estimate(block(each)) for each in packed) <= room


def test_the_passage_that_does_not_fit_is_cut_at_a_line_end_if_the_rest_is_worth_it() -> None:
    library = Library(a=LINES, b=LINES, c="short")
    found = [library.found(1, "a", 1, 10), library.found(2, "b", 1, 60), library.found(3, "c", 1, 1)]
    packed = pack(found, cost(found[0]) + 300, library.source_lines)
    assert [each.hit.doc_id for each in packed] == ["a", "b"]
    last = packed[1]
    assert isinstance(last.citation, LineCitation)
    assert 1 < last.citation.end < 60
    assert last.text == library.source_lines("b", 1, last.citation.end)


def test_a_chunk_larger_than_the_budget_is_cut_at_a_line_end() -> None:
    library = Library(a=LINES)
    (packed,) = pack([library.found(1, "a", 21, 60)], 150, library.source_lines)
    assert isinstance(packed.citation, LineCitation)
    assert packed.text == library.source_lines("a", 21, packed.citation.end)
    assert packed.first_line == 21
    assert packed.citation.end < 60


def test_one_line_larger_than_the_budget_is_cut_behind_a_word() -> None:
    library = Library(a="단어 " * 3000)
    (packed,) = pack([library.found(1, "a", 1, 1)], 200, library.source_lines)
    assert packed.text.endswith("단어")
    assert library.texts["a"].startswith(packed.text)
    assert token_estimate(block(packed)) <= 200


@given(
    st.integers(1, 3000),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 55), st.integers(0, 30)), max_size=8),
)
def test_every_passage_is_verbatim_and_the_budget_holds(room: int, places: list[tuple[str, int, int]]) -> None:
    library = Library(a=LINES, b=LINES.replace("line", "\nzeile"), c="한 줄 " * 500)
    found = []
    for rank, (doc, first, more) in enumerate(places, start=1):
        count = library.texts[doc].count("\n") + 1
        start = min(first, count)
        each = library.found(rank, doc, start, min(start + more, count))
        if each.text.strip():
            found.append(each)
    packed = pack(found, room, library.source_lines)
    assert bool(packed) == bool(found)
    assert [each.number for each in packed] == list(range(1, len(packed) + 1))
    assert [each.hit.rank for each in packed] == sorted(each.hit.rank for each in packed)
    for each in packed:
        assert isinstance(each.citation, LineCitation)
        assert each.citation.start == each.first_line
        assert each.citation.end == each.first_line + each.text.count("\n")
        lines = library.source_lines(each.hit.doc_id, each.citation.start, each.citation.end)
        assert lines.startswith(each.text)
    if len(packed) > 1:
        assert sum(token_estimate(block(each)) for each in packed) <= room


def test_the_budget_is_what_the_context_leaves() -> None:
    prompt = "x" * 300
    assert budget(prompt, 8000, 32768, 1024) == 8000
    assert budget(prompt, 8000, 4096, 1024) == 4096 - 100 - 1024
    assert budget(prompt, 10, 4096, 1024) == LEAST


def test_a_question_too_long_for_the_model_is_said_and_never_cut() -> None:
    with pytest.raises(InvalidInput) as error:
        budget("x" * 9000, 8000, 4096, 1024)
    assert error.value.hint is not None


def test_earlier_turns_get_what_evidence_leaves_and_nothing_is_no_error() -> None:
    assert room_for_history("x" * 300, 8000, 4096, 1024) == 4096 - 1024 - 100
    assert room_for_history("x" * 300, 500, 4096, 1024) == 400
    assert room_for_history("x" * 90_000, 8000, 4096, 1024) == 0


def test_the_newest_turns_stay() -> None:
    turns = [Turn(f"question {number}", "answer " * 20) for number in range(10)]
    kept = recent(turns, 250)
    assert kept
    assert list(kept) == turns[-len(kept) :]
    assert recent(turns, 0) == ()
    assert recent(turns, 100_000) == tuple(turns)
