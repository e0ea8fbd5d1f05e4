import pytest
from search_bench import ScriptedMatcher

from kebab.core.query import Candidate, Filters, Query, RetrievalDetail, SearchMode, SearchSettings
from kebab.search.retrieve import CANDIDATES, Channels, Retrieved, retrieve


def by_words(query: Query, matcher: ScriptedMatcher) -> Retrieved:
    return retrieve(query, Channels(matcher), SearchSettings())


def test_candidates_become_ranked_hits_in_order(matcher: ScriptedMatcher) -> None:
    found = by_words(Query("alpha beta", SearchMode.LEXICAL, 3), matcher)
    assert [(ranked.chunk_key, ranked.score) for ranked in found.ranked] == [(key, 10.0 - key) for key in range(5)]
    assert [ranked.detail for ranked in found.ranked] == [
        RetrievalDetail(SearchMode.LEXICAL, 10.0 - key, lexical_score=10.0 - key, lexical_rank=key + 1)
        for key in range(5)
    ]
    assert (found.mode, found.score_kind) == (SearchMode.LEXICAL, "bm25")
    assert found.analysed.terms == ("alpha", "beta")


def test_a_hybrid_query_without_vectors_is_one_by_words(matcher: ScriptedMatcher) -> None:
    found = by_words(Query("alpha", SearchMode.HYBRID, 2), matcher)
    assert found.mode is SearchMode.LEXICAL
    assert len(found.ranked) == 5


@pytest.mark.parametrize("mode", [SearchMode.LEXICAL, SearchMode.HYBRID])
def test_a_question_without_words_asks_nothing(matcher: ScriptedMatcher, mode: SearchMode) -> None:
    assert by_words(Query("  ", mode, 3), matcher).ranked == ()
    assert matcher.asked == []


def test_filters_reach_the_channel_and_it_is_asked_deep_enough(matcher: ScriptedMatcher) -> None:
    filters = Filters(tags=("a",))
    by_words(Query("alpha", SearchMode.LEXICAL, 3, filters), matcher)
    by_words(Query("alpha", SearchMode.LEXICAL, 500), matcher)
    assert [(asked[1], asked[2]) for asked in matcher.asked] == [(filters, CANDIDATES), (Filters(), 500)]


def test_fewer_candidates_than_asked_for_are_all_given(matcher: ScriptedMatcher) -> None:
    matcher.candidates = [Candidate(9, 1.5)]
    assert [ranked.chunk_key for ranked in by_words(Query("alpha", SearchMode.LEXICAL, 10), matcher).ranked] == [9]
