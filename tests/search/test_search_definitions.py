"""Definitions of what a query names, put before whatever the channels found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_bench import ScriptedMatcher, ScriptedVectors

from kebab.app.paging import capped
from kebab.core.query import Candidate, Filters, Query, RetrievalDetail, SearchMode, SearchSettings
from kebab.search import retrieve as module
from kebab.search.retrieve import Channels, Ranked, retrieve, with_definitions

LEXICAL, VECTOR, HYBRID = SearchMode.LEXICAL, SearchMode.VECTOR, SearchMode.HYBRID


def ranking(*scores: float) -> tuple[Ranked, ...]:
    return tuple(Ranked(key, score, RetrievalDetail(LEXICAL, score)) for key, score in enumerate(scores))


def keys(ranked: tuple[Ranked, ...]) -> list[int]:
    return [each.chunk_key for each in ranked]


def test_without_definitions_nothing_changes() -> None:
    found = ranking(3.0, 2.0)
    assert with_definitions(found, (), LEXICAL) is found


def test_definitions_come_first_in_their_own_order_and_the_rest_keeps_its() -> None:
    assert keys(with_definitions(ranking(5.0, 4.0, 3.0, 2.0), (3, 1), LEXICAL)) == [3, 1, 0, 2]


def test_one_that_no_channel_found_is_added_with_nothing_claimed_about_it() -> None:
    first, *rest = with_definitions(ranking(5.0), (9,), HYBRID)
    assert (first.chunk_key, first.score, first.detail) == (9, 5.0, RetrievalDetail(HYBRID, 0.0))
    assert keys(tuple(rest)) == [0]
    (alone,) = with_definitions((), (9,), LEXICAL)
    assert (alone.chunk_key, alone.score) == (9, 0.0)


def test_what_the_channels_said_of_a_definition_stays_told() -> None:
    found = with_definitions(ranking(5.0, 4.0), (1,), LEXICAL)
    assert found[0].detail == RetrievalDetail(LEXICAL, 4.0)
    assert [each.score for each in found] == [9.0, 5.0]


SCORES = st.lists(st.floats(-1, 30), max_size=12).map(lambda values: sorted(values, reverse=True))


@given(SCORES, st.lists(st.integers(0, 20), max_size=8, unique=True))
def test_scores_fall_and_every_chunk_is_there_once(scores: list[float], definitions: list[int]) -> None:
    before = ranking(*scores)
    found = with_definitions(before, definitions, LEXICAL)
    told = [each.score for each in found]
    assert told == sorted(told, reverse=True)
    assert keys(found)[: len(definitions)] == definitions
    assert sorted(keys(found)) == sorted({*keys(before), *definitions})
    assert [key for key in keys(found) if key not in definitions] == [
        key for key in keys(before) if key not in definitions
    ]


def test_a_cap_for_each_document_counts_definitions_too() -> None:
    found = with_definitions(ranking(5.0, 4.0, 3.0), (2, 9), LEXICAL)
    documents = {0: 1, 1: 1, 2: 1, 9: 2}
    assert [each.chunk_key for each in capped(found, documents, 1)] == [2, 9]


@pytest.mark.parametrize("mode", [LEXICAL, HYBRID, VECTOR])
def test_every_mode_puts_them_first(matcher: ScriptedMatcher, mode: SearchMode) -> None:
    vectors = ScriptedVectors()
    vectors.add(4, 0.9)
    channels = Channels(matcher, vectors.meaning(), definitions=(7, 3))
    found = retrieve(Query("alpha", mode, 3), channels, SearchSettings())
    assert keys(found.ranked)[:2] == [7, 3]
    assert all(each.detail.method is mode for each in found.ranked)
    assert 7 not in found.lexical_order + found.vector_order


# -- a filter on symbols, on the vector side


@pytest.fixture
def vectors() -> ScriptedVectors:
    vectors = ScriptedVectors()
    for chunk, cosine in [(0, 0.1), (1, 0.2), (4, 0.9), (9, 0.8), (2, 0.3)]:
        vectors.add(chunk, cosine)
    return vectors


@pytest.mark.parametrize("most", [20_000, 2])
def test_only_named_chunks_are_near_however_many_there_are(
    vectors: ScriptedVectors, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_NAMED", most)
    channels = Channels(ScriptedMatcher(), vectors.meaning(), documents=[1], chunks=[0, 2, 9])
    found = retrieve(Query("alpha", VECTOR, 3, Filters(symbols=("x",))), channels, SearchSettings())
    assert [key for key in keys(found.ranked) if key in (4, 1)] == []
    assert keys(found.ranked)[0] == 9


def test_no_named_chunk_means_nothing_is_near(vectors: ScriptedVectors) -> None:
    channels = Channels(ScriptedMatcher([Candidate(0, 1.0)]), vectors.meaning(), documents=[], chunks=[])
    assert retrieve(Query("alpha", VECTOR, 3), channels, SearchSettings()).ranked == ()
