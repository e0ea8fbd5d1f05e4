"""Both channels together: what each is asked, and in which order their finds come out."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_bench import ScriptedMatcher, ScriptedVectors

from kebab.core.embedding import EmbeddingKind, Role
from kebab.core.errors import ModelUnreachable
from kebab.core.query import Candidate, Filters, Query, SearchMode, SearchSettings
from kebab.search.coefficients import Coefficients
from kebab.search.meaning import ROWS_PER_CANDIDATE
from kebab.search.retrieve import CANDIDATES, Channels, Retrieved, retrieve

RRF = SearchSettings(hybrid_fusion="rrf")


def hybrid(text: str = "alpha beta", **limits: object) -> Query:
    return Query(text, SearchMode.HYBRID, 10)._replace(**limits)  # type: ignore[arg-type]


def keys(found: Retrieved) -> list[int]:
    return [each.chunk_key for each in found.ranked]


@pytest.fixture
def vectors() -> ScriptedVectors:
    """Chunk 4 is nearest, 0 is far, 9 is known to this channel only."""
    vectors = ScriptedVectors()
    for chunk, cosine in [(0, 0.1), (4, 0.9), (9, 0.8), (2, 0.3)]:
        vectors.add(chunk, cosine)
    return vectors


def test_in_a_small_index_meaning_has_more_say(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    meaning = vectors.meaning()._replace(coefficients=Coefficients(0.3, 0.0, chunks=10_000))
    channels = Channels(matcher, meaning)
    large = keys(retrieve(hybrid(), channels, SearchSettings()))
    matcher.size = 20
    small = keys(retrieve(hybrid(), channels, SearchSettings()))
    assert large.index(0) < large.index(4), "the best by words"
    assert small.index(4) < small.index(0), "the nearest"


def test_scores_are_blended_over_what_either_channel_found(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    matcher.scores = {9: 1.0}
    found = retrieve(hybrid(), Channels(matcher, vectors.meaning()), SearchSettings())
    bm25 = {0: 10.0, 1: 9.0, 2: 8.0, 3: 7.0, 4: 6.0, 9: 1.0}
    cosine = {0: 0.1, 2: 0.3, 4: 0.9, 9: 0.8}
    expected = {key: bm25[key] / 10.0 + 0.3 * cosine.get(key, 0.0) for key in bm25}
    assert {each.chunk_key: each.score for each in found.ranked} == pytest.approx(expected)
    assert keys(found) == sorted(expected, key=expected.__getitem__, reverse=True)
    assert (found.mode, found.score_kind) == (SearchMode.HYBRID, "blend")
    assert (found.lexical_order, found.vector_order) == ((0, 1, 2, 3, 4), (4, 9, 2, 0))


def test_a_hit_tells_what_both_channels_said_of_it(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    matcher.scores = {9: 1.0}
    found = retrieve(hybrid(), Channels(matcher, vectors.meaning()), SearchSettings())
    told = {each.chunk_key: each.detail for each in found.ranked}
    assert (told[9].lexical_score, told[9].lexical_rank, told[9].vector_rank) == (1.0, None, 2)
    assert (told[1].vector_score, told[1].vector_rank, told[1].lexical_rank) == (None, None, 2)
    assert all(each.detail.fusion_score == each.score for each in found.ranked)
    assert all(each.detail.method is SearchMode.HYBRID for each in found.ranked)


def test_what_words_found_is_compared_by_meaning_too(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    """An engine gives the nearest rows only; a chunk further away still has a cosine."""
    vectors.found = {4, 9}
    found = retrieve(hybrid(), Channels(matcher, vectors.meaning()), SearchSettings())
    told = {each.chunk_key: each.detail for each in found.ranked}
    assert (told[0].vector_score, told[0].vector_rank) == (0.1, None)
    assert sorted(vectors.scored[0]) == [0, 1, 2, 3]


def test_both_channels_are_asked_deep_enough_and_with_the_filters(
    matcher: ScriptedMatcher, vectors: ScriptedVectors
) -> None:
    filters = Filters(tags=("a",))
    channels = Channels(matcher, vectors.meaning(), documents=[7])
    assert retrieve(hybrid(filters=filters), channels, SearchSettings()).vector_order == ()
    retrieve(hybrid(k=500), channels, SearchSettings())
    assert [asked[1:] for asked in matcher.asked] == [(filters, CANDIDATES), (Filters(), 500)]
    assert vectors.asked == [(CANDIDATES * ROWS_PER_CANDIDATE, [7]), (500 * ROWS_PER_CANDIDATE, [7])]


def test_filters_that_leave_no_document_find_nothing_by_meaning(vectors: ScriptedVectors) -> None:
    found = retrieve(hybrid(), Channels(ScriptedMatcher(), vectors.meaning(), documents=[]), SearchSettings())
    assert found.ranked == ()


def test_a_question_is_embedded_once(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    retrieve(hybrid("what is it"), Channels(matcher, vectors.meaning()), SearchSettings())
    assert vectors.embedded == [("what is it", EmbeddingKind.QUERY)]


def test_a_search_by_words_embeds_nothing(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    query = hybrid(mode=SearchMode.LEXICAL)
    found = retrieve(query, Channels(matcher, vectors.meaning()), SearchSettings())
    assert (found.score_kind, vectors.embedded, vectors.asked) == ("bm25", [], [])


def test_a_search_by_meaning_ranks_by_cosine_and_asks_no_words(
    matcher: ScriptedMatcher, vectors: ScriptedVectors
) -> None:
    vectors.add(5, 0.86, Role.HEADING)
    found = retrieve(hybrid(mode=SearchMode.VECTOR), Channels(matcher, vectors.meaning()), SearchSettings())
    assert [(each.chunk_key, each.score) for each in found.ranked] == [
        (4, 0.9),
        (5, pytest.approx(0.81)),
        (9, 0.8),
        (2, 0.3),
        (0, 0.1),
    ]
    assert (found.mode, found.score_kind, found.lexical_order) == (SearchMode.VECTOR, "cosine", ())
    assert matcher.asked == []
    detail = found.ranked[0].detail
    assert (detail.vector_score, detail.vector_rank, detail.lexical_score, detail.lexical_rank) == (0.9, 1, None, None)
    assert found.analysed.terms == ("alpha", "beta")


def test_a_question_without_words_is_answered_by_meaning_alone(
    matcher: ScriptedMatcher, vectors: ScriptedVectors
) -> None:
    matcher.most = 0.0
    found = retrieve(hybrid("  "), Channels(matcher, vectors.meaning()), SearchSettings())
    assert keys(found) == [4, 9, 2, 0]
    assert matcher.asked == []


@pytest.mark.parametrize(("settings", "weight"), [(RRF, 0.3), (SearchSettings(), 0.0)])
def test_ranks_are_joined_when_asked_for_or_when_the_model_was_never_measured(
    matcher: ScriptedMatcher, vectors: ScriptedVectors, settings: SearchSettings, weight: float
) -> None:
    found = retrieve(hybrid(), Channels(matcher, vectors.meaning(weight, 0.0)), settings)
    assert found.score_kind == "rrf"
    scores = {each.chunk_key: each.score for each in found.ranked}
    assert scores[4] == pytest.approx(61 / 65 / 2 + 61 / 61 / 2)
    assert scores[9] == pytest.approx(61 / 62 / 2)
    assert keys(found) == [0, 4, 2, 1, 9, 3]


def test_the_constant_of_rank_fusion_can_be_set(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    settings = SearchSettings(hybrid_fusion="rrf", rrf_k=1)
    found = retrieve(hybrid(), Channels(matcher, vectors.meaning()), settings)
    assert {each.chunk_key: each.score for each in found.ranked}[9] == pytest.approx(2 / 3 / 2)


def test_a_model_that_cannot_be_reached_is_for_the_caller_to_handle(
    matcher: ScriptedMatcher, vectors: ScriptedVectors
) -> None:
    vectors.failure = ModelUnreachable("nobody there")
    with pytest.raises(ModelUnreachable, match="nobody there"):
        retrieve(hybrid(), Channels(matcher, vectors.meaning()), SearchSettings())


def test_no_part_takes_longer_than_the_whole(matcher: ScriptedMatcher, vectors: ScriptedVectors) -> None:
    timing = retrieve(hybrid(), Channels(matcher, vectors.meaning()), SearchSettings()).timing
    assert all(0 <= spent <= timing.total_ms for spent in timing)


SCORED = st.dictionaries(st.integers(0, 20), st.integers(0, 16).map(lambda step: step / 16), max_size=12)


@given(SCORED, SCORED, st.randoms(use_true_random=False), st.sampled_from([SearchSettings(), RRF]))
def test_the_order_falls_and_does_not_tell_how_the_index_came_to_be(
    lexical: dict[int, float], near: dict[int, float], chance: random.Random, settings: SearchSettings
) -> None:
    candidates = [Candidate(key, score) for key, score in sorted(lexical.items(), key=lambda each: (-each[1], each))]
    results = []
    for shuffled in (False, True):
        rows = list(near.items())
        if shuffled:
            chance.shuffle(rows)
        vectors = ScriptedVectors()
        for chunk, cosine in rows:
            vectors.add(chunk, cosine)
        channels = Channels(ScriptedMatcher(list(candidates)), vectors.meaning())
        results.append(retrieve(hybrid(), channels, settings))
    first, second = results
    assert first.ranked == second.ranked
    assert (first.lexical_order, first.vector_order) == (second.lexical_order, second.vector_order)
    rounded = [round(each.score, 6) for each in first.ranked]
    assert rounded == sorted(rounded, reverse=True)
    assert sorted(keys(first)) == sorted(lexical.keys() | near.keys())
