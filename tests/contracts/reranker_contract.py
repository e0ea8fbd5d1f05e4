"""What every reranker owes: a score from 0 to 1 for each passage, in order, whatever else is scored beside it.

class TestMine(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker: ...
"""

import math
from itertools import permutations

import pytest

from kebab.core.ports import Reranker

QUERY = "how long does brown rice cook?"
PASSAGES = (
    "Brown rice cooks for forty minutes.",
    "현미밥은 사십 분 동안 짓는다.",
    "The library closes at nine. " * 40,
    "",
)
CLOSE = 1e-5


class RerankerContract:
    @pytest.fixture
    def reranker(self) -> Reranker:
        raise NotImplementedError

    def test_every_passage_gets_a_score_from_zero_to_one(self, reranker: Reranker) -> None:
        scores = reranker.rerank(QUERY, PASSAGES)
        assert len(scores) == len(PASSAGES)
        assert all(type(score) is float and 0 <= score <= 1 for score in scores)

    def test_no_passages_are_no_scores(self, reranker: Reranker) -> None:
        assert reranker.rerank(QUERY, []) == []

    def test_the_scores_are_in_the_order_of_the_passages(self, reranker: Reranker) -> None:
        known = dict(zip(PASSAGES, reranker.rerank(QUERY, PASSAGES), strict=True))
        for order in permutations(PASSAGES):
            expected = [known[passage] for passage in order]
            assert reranker.rerank(QUERY, order) == pytest.approx(expected, abs=CLOSE)

    def test_a_passage_alone_scores_as_in_company(self, reranker: Reranker) -> None:
        together = reranker.rerank(QUERY, PASSAGES)
        alone = [reranker.rerank(QUERY, [passage])[0] for passage in PASSAGES]
        assert alone == pytest.approx(together, abs=CLOSE)

    def test_many_passages_are_no_different_from_few(self, reranker: Reranker) -> None:
        few = reranker.rerank(QUERY, PASSAGES[:2])
        assert reranker.rerank(QUERY, PASSAGES[:2] * 50) == pytest.approx(few * 50, abs=CLOSE)

    def test_both_the_query_and_the_passage_matter(self, reranker: Reranker) -> None:
        one, other = reranker.rerank(QUERY, PASSAGES[:2])
        assert not math.isclose(one, other, rel_tol=1e-4)
        assert not math.isclose(one, reranker.rerank("when does the library close?", PASSAGES[:1])[0], rel_tol=1e-4)

    def test_the_same_question_has_the_same_answer(self, reranker: Reranker) -> None:
        assert reranker.rerank(QUERY, PASSAGES) == reranker.rerank(QUERY, PASSAGES)

    @pytest.mark.parametrize(
        "text", ["", " \n\t", "\x00", "half a pair: \ud83d", "👩‍👩‍👧 e\u0301", "word " * 5000], ids=range(6)
    )
    def test_any_text_can_be_scored_on_either_side(self, reranker: Reranker, text: str) -> None:
        assert len(reranker.rerank(text, [PASSAGES[0], text])) == 2
        assert 0 <= reranker.rerank(QUERY, [text])[0] <= 1
