"""Names and numbers of figures, the same on the terminal and in both reports."""

from collections.abc import Iterator, Sequence

from kebab.core.evaluation import METRICS, EvalRun, ModeSummary
from kebab.core.evaluation_findings import Calibration, GatePoint, QueryChange


def label(metric: str, k: int) -> str:
    return {
        "hit_at_1": "hit@1",
        "hit_at_k": f"hit@{k}",
        "mrr": f"MRR@{k}",
        "ndcg_at_k": f"nDCG@{k}",
        "recall_at_k_doc": f"recall@{k} of documents",
        "precision_at_k_chunk": f"precision@{k} of chunks",
        "empty_rate": "empty results",
        "citation_coverage": "sentences with a citation",
        "must_contain": "answers with what they must contain",
        "forbidden": "answers without what is forbidden",
        "refusal_correctness": "refused or answered rightly",
        "refusal_precision": "precision of refusals",
        "refusal_recall": "recall of refusals",
    }[metric]


def metric_rows(run: EvalRun) -> Iterator[tuple[str, list[float | None], list[int]]]:
    """Label, value in each mode, and of how many queries, for every metric that was measured."""
    for name in METRICS:
        measured = [summary.metrics.get(name) for summary in run.summaries]
        if any(each is not None for each in measured):
            values = [None if each is None else each.value for each in measured]
            yield label(name, run.k), values, [0 if each is None else each.of for each in measured]


def latency_rows(summaries: Sequence[ModeSummary]) -> Iterator[list[str]]:
    """Mode, then percentiles of CPU time, then of time on the clock, in milliseconds."""
    for summary in summaries:
        if summary.cpu_ms:
            yield [
                str(summary.mode),
                *(f"{each:.1f}" for times in (summary.cpu_ms, summary.wall_ms) for each in times.values()),
            ]


def curve_rows(points: Sequence[GatePoint]) -> Iterator[list[str]]:
    for each in points:
        precision = "-" if each.precision is None else f"{each.precision:.3f}"
        yield [f"{each.gate:.4f}", f"{each.recall:.3f}", precision, f"{each.false_refusals:.3f}"]


CURVE_HEAD = ("gate", "refused of unanswerable", "precision", "refused of answerable")


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def rank(value: int | None) -> str:
    return "none" if value is None else str(value)


def moved(change: QueryChange, k: int) -> str:
    """What a query lost or gained, in words."""
    if change.error is not None:
        return f"fails: {change.error}"
    said = [f"{label(name, k)} {before:.2f} → {after:.2f}" for name, before, after in change.metrics]
    if change.rank_before != change.rank_after:
        said.insert(0, f"rank {rank(change.rank_before)} → {rank(change.rank_after)}")
    return ", ".join(said)


def calibration_facts(found: Calibration) -> Iterator[tuple[str, str]]:
    """What a calibration found, as name and value."""
    yield "score_gate", f"{found.gate:.4f} (default {found.default:.2f}, configured {found.configured:.4f})"
    yield "why", found.why
    yield "foreign questions", f"{found.foreign}; {found.percentile} % of them score below {found.foreign_score:.4f}"
    yield (
        "measured on",
        f"{found.answerable_count} answerable ({found.answerable}), {found.unanswerable_count} unanswerable",
    )
    for name, each in (("at this gate", found.at_gate), ("as configured", found.at_configured)):
        precision = "no refusal" if each.precision is None else f"precision {each.precision:.3f}"
        yield name, f"recall {each.recall:.3f}, {precision}, answerable refused {each.false_refusals:.3f}"
    yield "by", "words and meaning" if found.by_meaning else "words only"
