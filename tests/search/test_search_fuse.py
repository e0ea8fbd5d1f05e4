"""Two channels into one score: a blend of their scores, or of their ranks."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab.core.query import Candidate, RetrievalDetail, SearchMode
from kebab.search.fuse import Found, blend, details, reciprocal

K = 60


def channel(*pairs: tuple[int, float]) -> list[Candidate]:
    return [Candidate(key, score) for key, score in pairs]


def found(lexical: list[Candidate], vector: list[Candidate], *more: dict[int, float]) -> Found:
    bm25, cosine = more or ({}, {})
    return Found(lexical, vector, {**dict(lexical), **bm25}, {**dict(vector), **cosine})


def test_a_blend_is_the_share_of_the_ceiling_and_the_weighted_cosine() -> None:
    both = found(channel((1, 8.0), (2, 4.0)), channel((3, 0.9), (1, 0.5)), {3: 1.0}, {2: -0.2})
    assert blend(both, 10.0, 0.3) == {
        1: pytest.approx(8.0 / 10 + 0.3 * 0.5),
        2: pytest.approx(4.0 / 10 - 0.3 * 0.2),
        3: pytest.approx(1.0 / 10 + 0.3 * 0.9),
    }


def test_a_lift_gives_the_cosine_more_say_and_keeps_the_range_of_the_whole() -> None:
    both = found(channel((1, 4.0), (2, 1.0)), channel((2, 0.9), (1, 0.2)))
    even, lifted = blend(both, 10.0, 0.3), blend(both, 10.0, 0.3, 2.0)
    assert even[1] > even[2]
    assert lifted[1] < lifted[2]
    best = found(channel((1, 10.0)), channel((1, 1.0)))
    assert blend(best, 10.0, 0.3, 2.0) == {1: pytest.approx(1.3)} == blend(best, 10.0, 0.3)


def test_what_a_channel_does_not_know_adds_nothing() -> None:
    both = found(channel((1, 8.0)), channel((2, 0.5)))
    assert blend(both, 10.0, 0.3) == {1: pytest.approx(0.8), 2: pytest.approx(0.15)}


def test_a_high_ceiling_leaves_the_decision_to_meaning() -> None:
    both = found(channel((1, 5.0)), channel((2, 0.6)))
    near, far = blend(both, 6.0, 0.3), blend(both, 60.0, 0.3)
    assert near[1] > near[2]
    assert far[1] < far[2]


def test_a_question_without_words_has_no_ceiling_and_is_all_meaning() -> None:
    assert blend(found([], channel((1, 0.5))), 0.0, 0.3) == {1: pytest.approx(0.15)}


def test_the_first_of_both_channels_has_all_and_the_first_of_one_half() -> None:
    both = found(channel((1, 9.0), (2, 8.0)), channel((1, 0.9), (3, 0.8)))
    scores = reciprocal(both, K)
    assert scores[1] == pytest.approx(1.0)
    assert scores[2] == scores[3] == pytest.approx((K + 1) / (K + 2) / 2)
    assert reciprocal(found(channel((7, 1.0)), []), K) == {7: pytest.approx(0.5)}


def test_a_smaller_k_makes_ranks_count_for_more() -> None:
    both = found(channel((1, 9.0), (2, 8.0)), [])
    assert reciprocal(both, 1)[2] < reciprocal(both, K)[2]


def test_a_detail_tells_each_rank_and_score_and_what_was_not_found() -> None:
    both = found(channel((1, 8.0)), channel((2, 0.9)), {}, {1: 0.2})
    told = details(both, {1: 0.86, 2: 0.27}, SearchMode.HYBRID)
    assert told == {
        1: RetrievalDetail(SearchMode.HYBRID, 0.86, 8.0, 0.2, 1, None),
        2: RetrievalDetail(SearchMode.HYBRID, 0.27, None, 0.9, None, 1),
    }


# -- whatever the channels found

SCORED = st.dictionaries(st.integers(0, 30), st.integers(0, 40).map(lambda step: step / 8), max_size=15)


def ranked(scores: dict[int, float]) -> list[Candidate]:
    return [Candidate(key, score) for key, score in sorted(scores.items(), key=lambda each: (-each[1], each[0]))]


@given(SCORED, SCORED)
def test_every_candidate_of_both_channels_appears_once(lexical: dict[int, float], vector: dict[int, float]) -> None:
    both = found(ranked(lexical), ranked(vector))
    assert blend(both, 5.0, 0.3).keys() == reciprocal(both, K).keys() == lexical.keys() | vector.keys()


@given(SCORED, SCORED)
def test_ranks_are_those_of_the_channels(lexical: dict[int, float], vector: dict[int, float]) -> None:
    both = found(ranked(lexical), ranked(vector))
    told = details(both, blend(both, 5.0, 0.3), SearchMode.HYBRID)
    by_words = {detail.lexical_rank: key for key, detail in told.items() if detail.lexical_rank}
    by_meaning = {detail.vector_rank: key for key, detail in told.items() if detail.vector_rank}
    assert [by_words[rank] for rank in sorted(by_words)] == [each.chunk_key for each in both.lexical]
    assert [by_meaning[rank] for rank in sorted(by_meaning)] == [each.chunk_key for each in both.vector]


@given(SCORED, SCORED)
def test_ranks_alone_give_what_reciprocal_fusion_gave(lexical: dict[int, float], vector: dict[int, float]) -> None:
    both = found(ranked(lexical), ranked(vector))
    scores = reciprocal(both, K)
    told = details(both, scores, SearchMode.HYBRID)
    assert {key: detail.rrf_score(K) for key, detail in told.items()} == pytest.approx(scores)


@given(SCORED, SCORED)
def test_better_in_both_channels_is_better_in_the_blend(lexical: dict[int, float], vector: dict[int, float]) -> None:
    both = found(ranked(lexical), ranked(vector))
    scores = blend(both, 5.0, 0.3)
    for one in lexical.keys() & vector.keys():
        for other in lexical.keys() & vector.keys():
            if lexical[one] >= lexical[other] and vector[one] >= vector[other]:
                assert scores[one] >= scores[other]


@given(SCORED, SCORED, st.randoms(use_true_random=False))
def test_the_order_of_what_came_in_changes_no_blend(
    lexical: dict[int, float], vector: dict[int, float], chance: random.Random
) -> None:
    straight = found(ranked(lexical), ranked(vector))
    mixed = straight._replace(
        lexical=chance.sample(straight.lexical, len(straight.lexical)),
        vector=chance.sample(straight.vector, len(straight.vector)),
    )
    assert blend(mixed, 5.0, 0.3) == blend(straight, 5.0, 0.3)
