"""Rows of vectors to scores of chunks, and scores to an order."""

import math

import pytest
from search_bench import QUESTION, ScriptedVectors

from kebab.core.embedding import EmbeddingKind, Role
from kebab.search.coefficients import MEASURED, UNMEASURED, Coefficients, coefficients_of
from kebab.search.meaning import ROWS_PER_CANDIDATE


def test_a_question_is_embedded_as_a_question() -> None:
    vectors = ScriptedVectors()
    assert vectors.meaning().vector_of("what?") == QUESTION
    assert vectors.embedded == [("what?", EmbeddingKind.QUERY)]


def test_a_chunk_is_as_near_as_the_nearest_of_its_passages() -> None:
    vectors = ScriptedVectors()
    for chunk, cosine in [(1, 0.2), (1, 0.7), (1, 0.5), (2, 0.6)]:
        vectors.add(chunk, cosine)
    assert vectors.meaning().nearest(QUESTION, None, 10) == {1: 0.7, 2: 0.6}
    assert vectors.meaning().score(QUESTION, [2, 1]) == {1: 0.7, 2: 0.6}


def test_a_heading_counts_for_a_little_less_than_a_passage() -> None:
    vectors = ScriptedVectors()
    vectors.add(1, 0.60, Role.PASSAGE)
    vectors.add(1, 0.62, Role.HEADING)
    vectors.add(2, 0.60, Role.PASSAGE)
    vectors.add(2, 0.80, Role.HEADING)
    expected = {1: pytest.approx(0.60), 2: pytest.approx(0.75)}
    assert vectors.meaning(heading_discount=0.05).nearest(QUESTION, None, 10) == expected
    assert vectors.meaning(heading_discount=0.05).score(QUESTION, [1, 2]) == expected
    assert vectors.meaning(heading_discount=0.0).nearest(QUESTION, None, 10)[1] == 0.62


def test_no_score_leaves_the_range_of_a_cosine() -> None:
    vectors = ScriptedVectors()
    vectors.add(1, -1.0, Role.HEADING)
    assert vectors.meaning().nearest(QUESTION, None, 10) == {1: -1.0}
    vectors.add(1, -1.0, Role.HEADING)
    assert vectors.meaning().score(QUESTION, [1]) == {1: -1.0}


def test_the_engine_is_asked_for_more_rows_than_chunks_and_for_these_documents() -> None:
    vectors = ScriptedVectors()
    vectors.add(1, 0.5, document=1)
    vectors.add(2, 0.4, document=2)
    assert vectors.meaning().nearest(QUESTION, [2], 10) == {2: 0.4}
    assert vectors.meaning().nearest(QUESTION, [], 10) == {}
    assert vectors.asked == [(10 * ROWS_PER_CANDIDATE, [2]), (10 * ROWS_PER_CANDIDATE, [])]


def test_chunks_without_vectors_have_no_score() -> None:
    vectors = ScriptedVectors()
    vectors.add(1, 0.5)
    assert vectors.meaning().score(QUESTION, [1, 9]) == {1: 0.5}
    assert vectors.meaning().score(QUESTION, []) == {}


# -- order


# -- what a cosine is worth


def test_a_measured_model_has_its_row_and_another_has_none() -> None:
    row = MEASURED["use-multilingual-v3"]
    assert coefficients_of("use-multilingual-v3", 0.0) == row
    assert (0 < row.weight < 1, 0 <= row.heading_discount < 1) == (True, True)
    assert coefficients_of("never-measured", 0.0) == UNMEASURED
    assert UNMEASURED.weight == 0


def test_a_cosine_counts_for_more_the_smaller_the_index_is_and_for_no_less_in_a_large_one() -> None:
    row = Coefficients(0.3, 0.0, chunks=10_000)
    lifts = [row.lift(chunks) for chunks in (1, 20, 160, 1_500, 9_999)]
    assert lifts == sorted(lifts, reverse=True)
    assert row.lift(160) == pytest.approx(math.log(20_000) / math.log(320))
    assert [row.lift(chunks) for chunks in (0, 10_000, 1_000_000)] == [1.0, 1.0, 1.0]
    assert Coefficients(0.3, 0.0).lift(20) == 1.0, "a weight that was measured nowhere holds everywhere"


def test_a_weight_of_ones_own_wins() -> None:
    discount = MEASURED["use-multilingual-v3"].heading_discount
    assert coefficients_of("use-multilingual-v3", 0.7) == Coefficients(0.7, discount)
    assert coefficients_of("never-measured", 0.7) == Coefficients(0.7, 0.0)
