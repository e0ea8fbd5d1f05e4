"""Figures over many results: summaries, comparisons with their tolerance, stability, and the gate."""

import pytest

from evaluation_samples import HYBRID, LEXICAL, REFUSED, REPLY, calibration, full_run, result, run
from kebab.core.errors import InvalidInput
from kebab.core.evaluation import Measured
from kebab.eval.comparing import compare
from kebab.eval.curve import curve, fitted, point
from kebab.eval.stability import stability
from kebab.eval.summary import percentiles, summarise


def test_a_mean_is_over_the_queries_that_have_the_metric() -> None:
    (summary,) = run(result("a", 1), result("b", 4), result("c", None, metrics={"empty_rate": 1.0})).summaries
    assert summary.metrics["mrr"] == Measured(0.625, 2)
    assert summary.metrics["empty_rate"] == Measured(pytest.approx(1 / 3), 3)
    assert summary.ranks == {1: 1, 4: 1}


def test_what_failed_is_counted_and_not_averaged() -> None:
    (summary,) = run(result("a", 1), result("b", None, error="no", metrics={}, cpu_ms=0.0)).summaries
    assert (summary.queries, summary.failed) == (2, 1)
    assert summary.metrics["mrr"] == Measured(1.0, 1)
    assert summary.cpu_ms["p50"] == 5.0


def test_refusals_are_judged_both_ways() -> None:
    results = (
        result("a", 1, reply=REPLY),
        result("b", 1, reply=REFUSED),
        result("c", None, answerable=False, reply=REFUSED),
        result("d", None, answerable=False, reply=REPLY),
        result("e", None, answerable=False, reply=REFUSED),
    )
    (summary,) = summarise(results, [HYBRID])
    assert summary.metrics["refusal_precision"] == Measured(pytest.approx(2 / 3), 3)
    assert summary.metrics["refusal_recall"] == Measured(pytest.approx(2 / 3), 3)


def test_a_percentile_is_a_time_that_was_measured() -> None:
    assert percentiles([]) == {}
    assert percentiles([3.0]) == dict.fromkeys(("p50", "p90", "p95", "p99", "max"), 3.0)
    hundred = percentiles([float(value) for value in range(100, 0, -1)])
    assert hundred == {"p50": 50.0, "p90": 90.0, "p95": 95.0, "p99": 99.0, "max": 100.0}


def test_the_same_run_is_no_regression() -> None:
    found = compare(full_run(), full_run(), 0.0)
    assert (found.regressed_metrics, found.queries, found.notes[0]) == (
        (),
        (),
        f"{full_run().run_id} was stopped before its end",
    )


def test_a_lower_rank_is_worse_for_its_query_and_for_the_mean() -> None:
    found = compare(run(result("a", 1), result("b", 2)), run(result("a", 2), result("b", 2)), 0.01)
    assert {change.metric for change in found.regressed_metrics} == {"mrr", "hit_at_1"}
    (change,) = found.queries
    assert (change.query_id, change.rank_before, change.rank_after, change.regressed) == ("a", 1, 2, True)
    assert ("mrr", 1.0, 0.5) in change.metrics


def test_within_the_tolerance_nothing_is_worse() -> None:
    before, after = run(result("a", 1), result("b", 1)), run(result("a", 1), result("b", 2))
    # The mean of both falls by a quarter, the query's own by a half.
    assert {each.metric for each in compare(before, after, 0.25).regressed_metrics} == {"hit_at_1"}
    assert compare(before, after, 0.5).regressed_metrics == ()
    assert compare(before, after, 0.5).regressed_queries[0].metrics == (("hit_at_1", 1.0, 0.0),)
    assert compare(before, after, 1.0).queries == ()


def test_a_query_that_fails_now_has_lost_what_it_had() -> None:
    failing = result("b", None, error="gone", metrics={}, hits=())
    found = compare(run(result("a", 1), result("b", 1)), run(result("a", 1), failing), 0.01)
    (change,) = found.regressed_queries
    assert (change.error, change.regressed) == ("gone", True)
    after = {each.metric: each.after for each in found.metrics}
    assert (after["mrr"], after["empty_rate"]) == (0.5, 0.5)


def test_more_empty_results_are_worse_though_the_number_rises() -> None:
    before, after = result("a", 1), result("a", 1)
    after = after._replace(metrics={**after.metrics, "empty_rate": 1.0})
    assert [each.metric for each in compare(run(before), run(after), 0.01).regressed_metrics] == ["empty_rate"]
    assert compare(run(after), run(before), 0.01).regressed_metrics == ()


def test_only_what_both_runs_asked_is_compared() -> None:
    before = run(result("a", 1), result("gone", 1), result("other words", 1), result("a", 1, LEXICAL))
    after = run(result("a", 1), result("new", None), result("other words", None, text="changed"), suite_digest="0" * 32)
    found = compare(before, after, 0.01)
    assert (found.common, found.regressed_metrics, found.queries) == (1, (), ())
    assert "the suites differ; only the queries they share are compared" in found.notes
    assert "not measured again: lexical" in found.notes


def test_what_makes_runs_less_comparable_is_said() -> None:
    after = run(result(), config={"search.default_k": 5}, corpus={"revision": 43, "documents": 3, "chunks": 9})
    notes = compare(run(result()), after, 0.01).notes
    assert "the index moved from revision 42 to 43" in notes
    assert "settings that differ: logging.dir, search.default_k, workspace.include" not in notes
    assert any(note.startswith("settings that differ: search.default_k") for note in notes)


def test_runs_of_another_k_or_without_a_query_in_common_are_refused() -> None:
    with pytest.raises(InvalidInput, match="k is 10 and 5"):
        compare(run(result()), run(result(), k=5), 0.01)
    with pytest.raises(InvalidInput, match="no query and mode in common"):
        compare(run(result("a")), run(result("b")), 0.01)


def test_the_worst_come_first() -> None:
    before = run(result("a", 1), result("b", 1), result("c", 1), result("d", 2))
    after = run(result("a", 2), result("b", None), result("c", None, error="no", metrics={}), result("d", 1))
    assert [each.query_id for each in compare(before, after, 0.01).queries] == ["c", "b", "a", "d"]


def test_paraphrases_are_compared_with_one_another() -> None:
    found = stability(full_run())
    by_mode = {each.mode: each for each in found.summaries}
    assert (by_mode[HYBRID].groups, by_mode[HYBRID].all_hit, by_mode[LEXICAL].all_hit) == (1, 0.0, 1.0)
    assert (by_mode[HYBRID].spread, by_mode[LEXICAL].spread) == (1.0, 0.5)
    first = found.groups[0]
    assert (first.mode, first.ranks, first.hit_share, first.overlap) == (HYBRID, (1, None), 0.5, 1.0)


def test_a_suite_without_paraphrases_says_what_to_do() -> None:
    with pytest.raises(InvalidInput, match="no paraphrases"):
        stability(run(result("a"), result("b", group="b")))


def spread(low: float, high: float, count: int = 100) -> list[float]:
    """Scores at even distances."""
    return [low + (high - low) * at / count for at in range(count)]


def fit(answerable: list[float], unanswerable: list[float], *, natural: bool = True) -> tuple[float, str]:
    gate, verdict = fitted(answerable, unanswerable, 0.3, natural=natural)
    return gate, verdict


@pytest.mark.parametrize("natural", [True, False])
def test_a_gate_that_does_what_it_should_stays(natural: bool) -> None:
    assert fit(spread(0.35, 0.9), spread(0, 0.28), natural=natural) == (0.3, "kept")
    assert fit(spread(0.28, 0.9), spread(0, 0.33), natural=natural) == (0.3, "kept"), "both are missed by chance alone"
    assert fit([], [], natural=natural) == (0.3, "kept")


@pytest.mark.parametrize("natural", [True, False])
def test_a_gate_that_refuses_too_much_is_lowered_as_far_as_it_has_to_be(natural: bool) -> None:
    answerable = spread(0.1, 0.9, 200)
    gate, verdict = fit(answerable, spread(0, 0.1), natural=natural)
    assert (gate, verdict) == (pytest.approx(0.136), "lowered")
    assert point(gate, answerable, []).false_refusals <= 0.05 < point(gate + 0.01, answerable, []).false_refusals


def test_it_is_not_lowered_so_far_that_foreign_questions_pass() -> None:
    foreign = spread(0, 0.25)
    gate, verdict = fit([0.01] * 6 + [0.26] * 44 + [0.9] * 50, foreign)
    assert (gate, verdict) == (pytest.approx(0.2226), "lowered")
    assert point(gate, [], foreign).recall == 0.9
    assert fit(spread(0.01, 0.9), spread(0, 0.9)) == (0.3, "overlapping")
    assert fit([0.01] * 99 + [0.9], foreign) == (0.3, "overlapping"), "it would open the gate and help nobody"


def test_a_gate_that_lets_too_much_through_is_raised_as_far_as_it_may_be() -> None:
    answerable, foreign = spread(0.6, 1), spread(0, 0.5)
    gate, verdict = fit(answerable, foreign)
    assert (gate, verdict) == (pytest.approx(0.4451), "raised")
    assert point(gate, answerable, foreign)[1:3] == (0.9, 0.0)
    gate, verdict = fit(spread(0.4, 1), spread(0, 0.9))
    assert (gate, verdict) == (pytest.approx(0.424), "raised")
    assert point(gate, spread(0.4, 1), []).false_refusals <= 0.05
    assert fit(spread(0.29, 1), spread(0, 0.9)) == (0.3, "overlapping"), "a raise would cost more than it gains"
    assert fit([0.25] * 6 + [0.9] * 94, spread(0, 0.9)) == (0.3, "overlapping")


def test_only_enough_questions_of_somebody_raise_a_gate() -> None:
    foreign = spread(0, 0.9)
    assert fit(spread(0.8, 1), foreign, natural=False) == (0.3, "unproven")
    assert fit([0.8] * 18, foreign) == (0.3, "unproven"), "one more could be the one in twenty"
    assert fit([0.8] * 19, foreign) == (0.8, "raised")


@pytest.mark.parametrize("verdict", ["kept", "lowered", "raised", "overlapping", "unproven"])
def test_every_verdict_has_a_sentence_with_both_targets_or_the_one_that_is_missed(verdict: str) -> None:
    assert "no question with an answer" in calibration(verdict=verdict, answerable_count=0).why
    said = calibration(verdict=verdict).why
    assert "5 % of the answerable" in said or "90 % of the unanswerable" in said


def test_a_point_says_what_is_refused_rightly_and_wrongly() -> None:
    found = point(0.3, answerable=[0.9, 0.8, 0.2, 0.31], unanswerable=[0.1, 0.29, 0.3])
    assert (found.recall, found.false_refusals) == (pytest.approx(2 / 3), 0.25)
    assert found.precision == pytest.approx(2 / 3)
    assert point(0.0, [0.5], [0.5]).precision is None


def test_a_gate_is_worth_writing_where_it_does_something_better() -> None:
    lower = calibration(configured=0.3, at_gate=point(0.1, [0.2], [0.05]), at_configured=point(0.3, [0.2], [0.05]))
    assert lower.is_worth_writing
    no_better = calibration(at_gate=point(0.1, [0.9], [0.05, 0.2]), at_configured=point(0.3, [0.9], [0.05, 0.2]))
    assert not no_better.is_worth_writing
    assert not lower._replace(configured=lower.gate).is_worth_writing


def test_a_curve_rises_and_holds_the_gates_that_matter() -> None:
    points = curve([0.9, 0.2], [0.05, 0.15, 0.6], (0.1234, 0.3))
    gates = [each.gate for each in points]
    assert gates == sorted(set(gates))
    assert {0.1234, 0.3} <= set(gates)
    for values in zip(*((each.recall, each.false_refusals) for each in points), strict=True):
        assert list(values) == sorted(values)
