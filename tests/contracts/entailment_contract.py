"""What every verifier owes: a score from 0 to 1 for each passage and sentence, in order, whatever is read beside it.

class TestMine(EntailmentContract):
    @pytest.fixture
    def entailment(self) -> Entailment: ...
"""

import math
from itertools import permutations

import pytest

from kebab.core.ports import Entailment

PAIRS = (
    ("Brown rice cooks for forty minutes.", "Brown rice takes forty minutes."),
    ("현미밥은 사십 분 동안 짓는다.", "Brown rice takes forty minutes."),
    ("The library closes at nine. " * 40, "도서관은 아홉 시에 닫는다."),
    ("", "Nothing says this."),
)
CLOSE = 1e-5


class EntailmentContract:
    @pytest.fixture
    def entailment(self) -> Entailment:
        raise NotImplementedError

    def test_every_pair_gets_a_score_from_zero_to_one(self, entailment: Entailment) -> None:
        scores = entailment.entails(PAIRS)
        assert len(scores) == len(PAIRS)
        assert all(type(score) is float and 0 <= score <= 1 for score in scores)

    def test_no_pairs_are_no_scores(self, entailment: Entailment) -> None:
        assert entailment.entails([]) == []

    def test_the_scores_are_in_the_order_of_the_pairs(self, entailment: Entailment) -> None:
        known = dict(zip(PAIRS, entailment.entails(PAIRS), strict=True))
        for order in permutations(PAIRS):
            assert entailment.entails(order) == pytest.approx([known[pair] for pair in order], abs=CLOSE)

    def test_a_pair_alone_scores_as_in_company(self, entailment: Entailment) -> None:
        alone = [entailment.entails([pair])[0] for pair in PAIRS]
        assert alone == pytest.approx(entailment.entails(PAIRS), abs=CLOSE)

    def test_many_pairs_are_no_different_from_few(self, entailment: Entailment) -> None:
        few = entailment.entails(PAIRS[:2])
        assert entailment.entails(PAIRS[:2] * 50) == pytest.approx(few * 50, abs=CLOSE)

    def test_the_passage_and_the_sentence_both_matter_and_are_not_the_same(self, entailment: Entailment) -> None:
        passage, sentence = PAIRS[0]
        one, other, turned = entailment.entails([PAIRS[0], (PAIRS[1][0], sentence), (sentence, passage)])
        (third,) = entailment.entails([(passage, PAIRS[2][1])])
        for score in (other, turned, third):
            assert not math.isclose(one, score, rel_tol=1e-4)

    def test_the_same_pairs_have_the_same_scores(self, entailment: Entailment) -> None:
        assert entailment.entails(PAIRS) == entailment.entails(PAIRS)

    @pytest.mark.parametrize(
        "text", ["", " \n\t", "\x00", "half a pair: \ud83d", "👩‍👩‍👧 e\u0301", "word " * 3000], ids=range(6)
    )
    def test_any_text_can_be_read_on_either_side(self, entailment: Entailment, text: str) -> None:
        scores = entailment.entails([(text, PAIRS[0][1]), (PAIRS[0][0], text), (text, text)])
        assert all(0 <= score <= 1 for score in scores)
