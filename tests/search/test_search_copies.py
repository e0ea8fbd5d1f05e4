"""Chunks of twin files: one of them counts in full, so that the others do not crowd the hits."""

from hypothesis import given
from hypothesis import strategies as st

from kebab.core.query import RetrievalDetail, SearchMode
from kebab.search.retrieve import Ranked, copies_behind


def ranking(*scores: float) -> tuple[Ranked, ...]:
    return tuple(Ranked(key, score, RetrievalDetail(SearchMode.LEXICAL, score)) for key, score in enumerate(scores))


def test_where_there_are_no_copies_nothing_changes() -> None:
    found = ranking(3.0, 2.0)
    assert copies_behind(found, {0: ("a", 0), 1: ("a", 1)}) is found
    assert copies_behind((), {}) == ()


def test_copies_come_behind_what_else_answers_and_before_what_hardly_does() -> None:
    found = copies_behind(ranking(8.0, 8.0, 7.0, 7.0, 1.0, -1.0), {0: "a", 1: "a", 2: "b", 3: "a", 4: "c", 5: "c"})
    assert [(each.chunk_key, each.score) for each in found] == [
        (0, 8.0),
        (2, 7.0),
        (1, 2.0),
        (4, 1.0),
        (3, 7.0 / 16),
        (5, -1.75),
    ]
    # What the channels said of it is told as it was.
    assert found[2].detail.fusion_score == 8.0


SCORES = st.lists(st.floats(-1, 30), max_size=12).map(lambda values: sorted(values, reverse=True))


@given(SCORES, st.dictionaries(st.integers(0, 12), st.sampled_from("abc")))
def test_scores_fall_and_every_chunk_is_there_once(scores: list[float], origins: dict[int, str]) -> None:
    found = copies_behind(ranking(*scores), origins)
    told = [each.score for each in found]
    assert told == sorted(told, reverse=True)
    assert sorted(each.chunk_key for each in found) == list(range(len(scores)))
