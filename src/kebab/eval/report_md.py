"""A run, a comparison and a calibration as Markdown. Whatever a document or a query holds stays text in it."""

import re
from collections.abc import Iterator, Sequence

from kebab.core.evaluation import PERCENTILES, EvalRun, QueryResult
from kebab.core.evaluation_findings import Calibration, Comparison
from kebab.eval.labels import CURVE_HEAD, calibration_facts, curve_rows, label, latency_rows, metric_rows, moved, number

_LISTED = 50
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|!~])")


def run_report(run: EvalRun, comparison: Comparison | None) -> str:
    return "\n".join(_run_lines(run, comparison)) + "\n"


def _run_lines(run: EvalRun, comparison: Comparison | None) -> Iterator[str]:
    yield from (f"# Evaluation {run.run_id}", "")
    for name, value in facts(run):
        yield f"- {name}: {plain(value)}"
    yield from ("", "## Figures", "")
    head = ["metric", *(str(summary.mode) for summary in run.summaries), "queries"]
    rows = ([name, *map(number, values), str(max(counts))] for name, values, counts in metric_rows(run))
    yield from _table(head, rows)
    yield from ("", "## Time per query", "")
    times = [f"{kind} {name} ms" for kind in ("CPU", "wall") for name in PERCENTILES]
    yield from _table(["mode", *times], latency_rows(run.summaries))
    if comparison is not None:
        yield from ("", *comparison_lines(comparison, run.k))
    yield from _listed("## Not found", [f"{each.mode}: {plain(each.text)}" for each in missed(run)])
    yield from _listed(
        "## Failed", [f"{each.mode}: {plain(each.text)}: {plain(each.error or '')}" for each in failed(run)]
    )
    yield from _listed(
        "## About the suite",
        [f"line {each.line}: {plain(each.message)}" if each.line else plain(each.message) for each in run.problems],
    )


def facts(run: EvalRun) -> Iterator[tuple[str, str]]:
    """What was measured, and under what conditions."""
    yield "suite", f"{run.suite_name} ({run.suite_size} queries, {run.suite_digest[:12]})"
    yield "made", f"{run.created_at} with kebab {run.kebab_version} on {run.machine}"
    corpus = run.corpus
    yield "index", f"{corpus['documents']} documents, {corpus['chunks']} chunks, revision {corpus['revision']}"
    yield "versions", ", ".join(f"{name} {value}" for name, value in run.versions.items())
    limit = f", {run.max_per_doc} hits per document" if run.max_per_doc else ""
    answered = f", answers in mode {run.answer_mode}" if run.answer_mode else ""
    yield "measured", f"k {run.k}{limit}{answered}"
    if run.aborted:
        yield "stopped", "before its end; the figures are of what was measured until then"


def comparison_report(comparison: Comparison, k: int) -> str:
    return "\n".join([f"# {comparison.before} → {comparison.after}", "", *comparison_lines(comparison, k)]) + "\n"


def comparison_lines(comparison: Comparison, k: int) -> Iterator[str]:
    yield f"## Against {comparison.before}"
    yield ""
    yield f"{comparison.common} queries in common, tolerance {comparison.tolerance}."
    yield from (f"- {plain(note)}" for note in comparison.notes)
    yield ""
    rows = (
        [
            str(each.mode),
            label(each.metric, k),
            f"{each.before:.3f}",
            f"{each.after:.3f}",
            f"{each.after - each.before:+.3f}",
            "worse" if each.regressed else "",
        ]
        for each in comparison.metrics
    )
    yield from _table(["mode", "metric", "before", "after", "change", ""], rows)
    for title, regressed in (("### Worse", True), ("### Better", False)):
        chosen = [each for each in comparison.queries if each.regressed is regressed]
        yield from _listed(title, [f"{each.mode}: {plain(each.text)} ({plain(moved(each, k))})" for each in chosen])


def calibration_report(found: Calibration) -> str:
    lines = ["# The gate", "", *(f"- {name}: {plain(value)}" for name, value in calibration_facts(found))]
    return "\n".join([*lines, "", *_table(list(CURVE_HEAD), curve_rows(found.curve))]) + "\n"


def missed(run: EvalRun) -> list[QueryResult]:
    """Queries that expect something and did not find it."""
    return [each for each in run.results if each.metrics.get("hit_at_k") == 0.0]


def failed(run: EvalRun) -> list[QueryResult]:
    return [each for each in run.results if each.error is not None]


def plain(text: str) -> str:
    """As text of one line: no mark in it means anything."""
    return _ACTIVE.sub(r"\\\1", " ".join(text.split()))


def _table(head: Sequence[str], rows: "Iterator[list[str]] | Sequence[list[str]]") -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _listed(title: str, items: Sequence[str]) -> Iterator[str]:
    if not items:
        return
    yield from ("", f"{title} ({len(items)})", "")
    yield from (f"- {item}" for item in items[:_LISTED])
    if len(items) > _LISTED:
        yield f"- and {len(items) - _LISTED} more"
