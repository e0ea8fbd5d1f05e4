"""Figures of an evaluation as lines for a person: aligned, within 80 columns where they can be."""

from collections.abc import Iterator, Sequence

from kebab.core.evaluation import METRICS, EvalRun
from kebab.core.evaluation_findings import Calibration, Comparison, QueryChange, Stability
from kebab.ui.terminal import display_width, printable, runs_over, wrap

_SHOWN = 20
_TEXT = 46
_WIDTH = 80
_NAMES = {
    "hit_at_1": "hit@1",
    "hit_at_k": "hit@k",
    "mrr": "MRR",
    "ndcg_at_k": "nDCG@k",
    "recall_at_k_doc": "recall@k doc",
    "precision_at_k_chunk": "precision@k chunk",
    "empty_rate": "empty rate",
    "citation_coverage": "citation coverage",
    "must_contain": "must contain",
    "forbidden": "forbidden",
    "refusal_correctness": "refusal correct",
    "refusal_precision": "refusal precision",
    "refusal_recall": "refusal recall",
}


def run_lines(run: EvalRun) -> Iterator[str]:
    yield f"{run.run_id}  {printable(run.suite_name)}, {run.suite_size} queries, k {run.k}"
    head = ["", *(str(summary.mode) for summary in run.summaries), "of"]
    rows = [head]
    for name in METRICS:
        measured = [summary.metrics.get(name) for summary in run.summaries]
        if any(each is not None for each in measured):
            values = ["-" if each is None else f"{each.value:.3f}" for each in measured]
            rows.append([_NAMES[name], *values, str(max(each.of for each in measured if each is not None))])
    for kind in ("cpu_ms", "wall_ms"):
        for share in ("p50", "p95", "max"):
            times = [getattr(summary, kind).get(share) for summary in run.summaries]
            shown = ["-" if each is None else f"{each:.1f}" for each in times]
            rows.append([f"{kind.partition('_')[0]} ms {share}", *shown, ""])
    failed = [summary.failed for summary in run.summaries]
    if any(failed):
        rows.append(["failed", *map(str, failed), ""])
    yield from aligned(rows)


def table_lines(runs: Sequence[EvalRun]) -> Iterator[str]:
    """One line for each run and mode, with the figures most people look for."""
    if not runs:
        return
    shown = ("hit_at_1", "hit_at_k", "mrr", "ndcg_at_k", "refusal_correctness")
    rows = [["run", "suite", "mode", "k", "hit@1", "hit@k", "MRR", "nDCG", "refusal", "p50 ms"]]
    for run in runs:
        for summary in run.summaries:
            values = [summary.metrics.get(name) for name in shown]
            figures = ["-" if each is None else f"{each.value:.3f}" for each in values]
            name = f"{run.run_id}{'*' if run.aborted else ''}"
            time = f"{summary.cpu_ms['p50']:.1f}" if summary.cpu_ms else "-"
            rows.append([name, _cut(run.suite_name, 16), str(summary.mode), str(run.k), *figures, time])
    lines = list(aligned(rows, texts=3))
    yield from _by_run(rows) if runs_over(lines) else lines
    if any(run.aborted for run in runs):
        yield "* stopped before its end"


def _by_run(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The same with the run and its suite on a line of their own, above its modes."""
    figures = aligned([row[2:] for row in rows])
    before: Sequence[str] = ()
    for row, line in zip(rows, figures, strict=True):
        if row[:2] != before:
            before = row[:2]
            yield "  ".join(before)
        yield f"  {line}"


def comparison_lines(found: Comparison, k: int) -> Iterator[str]:
    yield f"{found.before} → {found.after}, {found.common} queries in common, k {k}"
    yield from (f"note: {printable(note)}" for note in found.notes)
    rows = [["mode", "metric", "before", "after", "change", ""]]
    for each in found.metrics:
        change = f"{each.after - each.before:+.3f}"
        mark = "WORSE" if each.regressed else ""
        rows.append([str(each.mode), _NAMES[each.metric], f"{each.before:.3f}", f"{each.after:.3f}", change, mark])
    yield from aligned(rows, texts=2)
    for time in found.latency:
        yield f"{time.mode}: median {time.cpu_before:.1f} → {time.cpu_after:.1f} ms of CPU"
    for title, regressed in (("worse", True), ("better", False)):
        yield from _changes(title, [each for each in found.queries if each.regressed is regressed])
    if not found.regressed_metrics and not found.regressed_queries:
        yield f"nothing is worse by more than {found.tolerance}"


def _changes(title: str, changes: Sequence[QueryChange]) -> Iterator[str]:
    if changes:
        yield f"{len(changes)} {title}:"
    for change in changes[:_SHOWN]:
        ranks = f"rank {change.rank_before or '-'} → {change.rank_after or '-'}"
        names = ", ".join(_NAMES[name] for name, _, _ in change.metrics)
        why = f"fails: {printable(change.error)}" if change.error else f"{ranks}; {names}"
        yield f"  {change.mode} {printable(change.query_id)}: {_cut(change.text, _TEXT)} ({why})"
    if len(changes) > _SHOWN:
        yield f"  and {len(changes) - _SHOWN} more"


def stability_lines(found: Stability) -> Iterator[str]:
    yield f"{found.run_id}, k {found.k}"
    rows = [["mode", "groups", "all wordings hit", "rank spread", "shared documents"]]
    rows += [
        [str(each.mode), str(each.groups), f"{each.all_hit:.3f}", f"{each.spread:.3f}", f"{each.overlap:.3f}"]
        for each in found.summaries
    ]
    yield from aligned(rows)
    yield "least steady first:"
    for group in found.groups[:_SHOWN]:
        ranks = " ".join("-" if rank is None else str(rank) for rank in group.ranks)
        yield f"  {group.mode} {printable(group.group)}: ranks {ranks}, shared {group.overlap:.2f}"
        for text, rank in zip(group.texts, group.ranks, strict=True):
            yield f"    {'-' if rank is None else rank:>3}  {printable(text)}"


def calibration_lines(found: Calibration) -> Iterator[str]:
    yield f"score_gate {found.gate:.4f}  (default {found.default:.2f}, configured {found.configured:.4f})"
    yield from (line for line, _ in wrap(found.why, (), _WIDTH))
    manner = "words and meaning" if found.by_meaning else "words only"
    asked = (
        f"measured on {found.answerable_count} answerable ({printable(found.answerable)})"
        f" and {found.unanswerable_count} unanswerable questions over {found.chunks} chunks, by {manner}"
    )
    yield from (line for line, _ in wrap(asked, (), _WIDTH))
    rows = [["gate", "refusal recall", "refusal precision", "answerable refused", ""]]
    for point in found.curve:
        mark = " ".join(
            name
            for name, gate in (("fitted", found.gate), ("configured", found.configured), ("default", found.default))
            if gate == point.gate
        )
        precision = "-" if point.precision is None else f"{point.precision:.3f}"
        rows.append([f"{point.gate:.4f}", f"{point.recall:.3f}", precision, f"{point.false_refusals:.3f}", mark])
    yield from aligned(rows)


def aligned(rows: Sequence[Sequence[str]], texts: int = 1) -> Iterator[str]:
    """The first `texts` columns and those without a head to the left, the others to the right."""
    widths = [max(display_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    left = {*range(texts), *(at for at, head in enumerate(rows[0]) if not head)}
    for row in rows:
        cells = []
        for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
            padding = " " * (width - display_width(cell))
            cells.append(f"{cell}{padding}" if at in left else f"{padding}{cell}")
        yield "  ".join(cells).rstrip()


def _cut(text: str, width: int) -> str:
    clean = printable(" ".join(text.split()))
    if display_width(clean) <= width:
        return clean
    out, used = "", 0
    for char in clean:
        used += display_width(char)
        if used > width - 1:
            break
        out += char
    return f"{out}…"
