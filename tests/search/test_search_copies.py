"""Chunks of twin files: one of them has a place among the hits, the others wait behind everything else."""

from hypothesis import given
from hypothesis import strategies as st

from kebab.core.query import RetrievalDetail, SearchMode
from kebab.search.retrieve import Ranked, copies_last


def ranking(*scores: float) -> tuple[Ranked, ...]:
    return tuple(Ranked(key, score, RetrievalDetail(SearchMode.LEXICAL, score)) for key, score in enumerate(scores))


def test_where_there_are_no_copies_nothing_changes() -> None:
    found = ranking(3.0, 2.0)
    assert copies_last(found, {0: ("a", 0), 1: ("a", 1)}) is found
    assert copies_last((), {}) == ()


def test_the_best_of_copies_keeps_its_place_and_the_others_come_last_in_their_order() -> None:
    found = copies_last(ranking(9.0, 8.0, 7.0, 6.0, 5.0), {0: "a", 1: "a", 2: "b", 3: "a", 4: "c"})
    assert [each.chunk_key for each in found] == [0, 2, 4, 1, 3]
    assert [each.score for each in found] == [9.0, 7.0, 5.0, 5.0, 5.0]
    # What the channels said of it is told as it was.
    assert found[3].detail.fusion_score == 8.0


SCORES = st.lists(st.floats(-1, 30), max_size=12).map(lambda values: sorted(values, reverse=True))


@given(SCORES, st.dictionaries(st.integers(0, 12), st.sampled_from("abc")))
def test_scores_fall_and_every_chunk_is_there_once(scores: list[float], origins: dict[int, str]) -> None:
    found = copies_last(ranking(*scores), origins)
    told = [each.score for each in found]
    assert told == sorted(told, reverse=True)
    assert sorted(each.chunk_key for each in found) == list(range(len(scores)))
