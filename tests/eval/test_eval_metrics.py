"""Metrics, against figures worked out by hand, and what counts as the chunk that was expected."""

import math
from typing import Any

import pytest

from answer_samples import answer, gated
from kebab.core.answer import Statement, Support
from kebab.core.evaluation import Expectation, FoundChunk, GoldenQuery
from kebab.eval.match import fits
from kebab.eval.metrics import judge_answer, judge_hits


def chunk(path: str = "a.md", text: str = "", **changes: Any) -> FoundChunk:
    made = FoundChunk(1, "9b4a8c1e", "3f9a2c10", path, "Title", ("Rice", "Water ratio"), text, f"{path}#L1", 1.0)
    return made._replace(**changes)


def metrics(expected: list[Expectation], found: list[FoundChunk], k: int = 10) -> dict[str, float]:
    return dict(judge_hits(GoldenQuery("q", "?", expected=tuple(expected)), found, k).metrics)


A, B = Expectation("a.md"), Expectation("b.md")


def test_the_first_relevant_hit_decides_hit_and_reciprocal_rank() -> None:
    found = [chunk("x.md"), chunk("y.md"), chunk("a.md"), chunk("a.md")]
    got = metrics([A], found)
    assert (got["hit_at_1"], got["hit_at_k"]) == (0.0, 1.0)
    assert got["mrr"] == pytest.approx(1 / 3)
    judged = judge_hits(GoldenQuery("q", "?", expected=(A,)), found, 10)
    assert (judged.rank, judged.relevant) == (3, (False, False, True, True))


def test_what_stands_below_k_is_not_found() -> None:
    got = metrics([A], [chunk("x.md"), chunk("y.md"), chunk("a.md")], k=2)
    assert (got["hit_at_k"], got["mrr"], got["ndcg_at_k"], got["recall_at_k_doc"]) == (0.0, 0.0, 0.0, 0.0)


def test_precision_is_of_k_even_if_fewer_were_found() -> None:
    wanted = Expectation("a.md", quote="two cups")
    found = [chunk(text="two\ncups"), chunk(text="one cup"), chunk(text="Two Cups!")]
    assert metrics([wanted], found, k=5)["precision_at_k_chunk"] == pytest.approx(2 / 5)


def test_precision_is_only_measured_where_chunks_are_told_apart() -> None:
    assert "precision_at_k_chunk" not in metrics([A], [chunk()])


def test_recall_counts_documents_once_however_many_of_their_chunks_are_expected() -> None:
    expected = [Expectation("a.md", quote="one"), Expectation("a.md", quote="two"), B, Expectation("c.md")]
    assert metrics(expected, [chunk("a.md"), chunk("b.md")])["recall_at_k_doc"] == pytest.approx(2 / 3)


def test_a_chunk_without_a_document_has_to_be_found_itself() -> None:
    wanted = Expectation(chunk_id="9b4a8c")
    assert metrics([wanted], [chunk()])["recall_at_k_doc"] == 1.0
    assert metrics([wanted], [chunk(chunk_id="00000000")])["recall_at_k_doc"] == 0.0


def test_gain_falls_with_the_rank_and_rises_with_the_grade() -> None:
    found = [chunk("x.md"), chunk("b.md"), chunk("a.md")]
    gained = 1 / math.log2(3) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 1 / math.log2(3)
    assert metrics([A._replace(grade=2), B], found)["ndcg_at_k"] == pytest.approx(gained / ideal)


def test_an_expectation_counts_once_and_a_perfect_order_is_one() -> None:
    assert metrics([A, B], [chunk("a.md"), chunk("b.md"), chunk("a.md")])["ndcg_at_k"] == pytest.approx(1.0)
    twice = metrics([A, B], [chunk("a.md"), chunk("a.md"), chunk("b.md")])["ndcg_at_k"]
    assert twice == pytest.approx((1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_one_chunk_that_is_all_that_is_expected_is_no_better_than_perfect() -> None:
    both = [Expectation("a.md", quote="one"), Expectation("a.md", quote="two")]
    assert metrics(both, [chunk(text="one two")])["ndcg_at_k"] == 1.0


def test_an_empty_result_is_counted_for_what_has_an_answer() -> None:
    assert metrics([A], [])["empty_rate"] == 1.0
    assert judge_hits(GoldenQuery("q", "?", answerable=False), [], 10).metrics == {}
    assert judge_hits(GoldenQuery("q", "?"), [chunk()], 10).metrics == {"empty_rate": 0.0}


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        (Expectation("a.md"), True),
        (Expectation("*.md"), True),
        (Expectation("b.md"), False),
        (Expectation("*.txt"), False),
        (Expectation(heading="rice"), True),
        (Expectation(heading="Rice > Water  ratio"), True),
        (Expectation(heading="Title > Rice"), True),
        (Expectation(heading="Water ratio > Rice"), False),
        (Expectation(heading="Water"), False),
        (Expectation(quote="물 1.2컵"), True),
        (Expectation(quote="물 1.3컵"), False),
        (Expectation(doc_id="3f9a2c"), True),
        (Expectation(doc_id="4f9a2c"), False),
        (Expectation(chunk_id="9b4a8c"), True),
        (Expectation("a.md", "rice", "물 1.2컵", "9b4a8c1e", "3f9a2c10"), True),
        (Expectation("a.md", "rice", "물 1.3컵"), False),
    ],
)
def test_all_marks_that_are_given_must_fit(wanted: Expectation, there: bool) -> None:
    assert fits(wanted, chunk(text="불린 현미에\n  물 1.2컵을 붓는다.")) is there


def test_a_path_is_itself_before_it_is_a_pattern() -> None:
    assert fits(Expectation("[draft] a.md"), chunk("[draft] a.md"))
    assert not fits(Expectation("[draft] a.md"), chunk("d a.mdx"))


def test_decomposed_names_are_the_same_names() -> None:
    import unicodedata

    path = unicodedata.normalize("NFD", "쌀/현미밥.md")
    assert fits(Expectation("쌀/*.md", quote="현미"), chunk(path, text=unicodedata.normalize("NFD", "현미")))


def judged(given: Any, **query: Any) -> dict[str, float]:
    return judge_answer(GoldenQuery("q", "?", **query), given)


def test_an_answer_is_right_where_there_is_one_and_a_refusal_where_there_is_none() -> None:
    assert judged(answer())["refusal_correctness"] == 1.0
    assert judged(answer(), answerable=False)["refusal_correctness"] == 0.0
    assert judged(gated(), answerable=False)["refusal_correctness"] == 1.0
    assert judged(gated())["refusal_correctness"] == 0.0


def test_coverage_is_the_share_of_sentences_with_a_marker() -> None:
    said = (
        Statement("One [#1].", (1,), Support.QUOTED, 1.0),
        Statement("Two.", (), Support.UNCITED, 0.0),
        Statement("Three [#2].", (2,), Support.WEAK, 0.2),
    )
    assert judged(answer(statements=said))["citation_coverage"] == pytest.approx(2 / 3)
    assert "citation_coverage" not in judged(gated())


def test_words_of_an_answer_are_looked_for_as_they_are_written() -> None:
    given = answer(answer="물은 1.2컵\n을 [#1] 붓는다.")
    assert judged(given, must_contain=("1.2컵 을 붓는다",))["must_contain"] == 1.0
    assert judged(given, must_contain=("1.2컵", "백미"))["must_contain"] == 0.0
    assert judged(given, forbidden=("백미",))["forbidden"] == 1.0
    assert judged(given, forbidden=("백미", "붓는다"))["forbidden"] == 0.0
    assert not {"must_contain", "forbidden"} & set(judged(given))
