"""One run against another, over the queries they share: which metrics and queries became worse, and by how much."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from kebab.core.errors import InvalidInput
from kebab.core.evaluation import ANSWER_METRICS, LOWER_IS_BETTER, RETRIEVAL_METRICS, EvalRun, QueryResult
from kebab.core.evaluation_findings import Comparison, LatencyChange, MetricChange, QueryChange
from kebab.core.query import SearchMode

# Sums of floats differ in their last digits, which is no regression.
_NOISE = 1e-9

Pair: TypeAlias = tuple[QueryResult, QueryResult]


def compare(before: EvalRun, after: EvalRun, tolerance: float) -> Comparison:
    """Raises InvalidInput when the figures mean different things."""
    if (before.k, before.max_per_doc) != (after.k, after.max_per_doc):
        raise InvalidInput(
            f"the runs cannot be compared: k is {before.k} and {after.k}, "
            f"hits per document {before.max_per_doc} and {after.max_per_doc}",
            hint="run the suite again with the same --k and --max-per-doc",
        )
    pairs = _pairs(before, after)
    if not pairs:
        raise InvalidInput("the runs have no query and mode in common", hint="`kebab eval aggregate` lists runs")
    modes = [mode for mode in before.modes if mode in after.modes]
    by_mode = {mode: [pair for pair in pairs if pair[0].mode is mode] for mode in modes}
    changes = [change for pair in pairs if (change := _query_change(pair, tolerance)) is not None]
    return Comparison(
        before=before.run_id,
        after=after.run_id,
        tolerance=tolerance,
        common=len({old.query_id for old, _ in pairs}),
        notes=tuple(_notes(before, after)),
        metrics=tuple(change for mode, each in by_mode.items() for change in _metrics(mode, each, tolerance)),
        queries=tuple(sorted(changes, key=lambda change: (not change.regressed, _gained(change)))),
        latency=tuple(_latency(before, after, modes)),
    )


def have_common(before: EvalRun, after: EvalRun) -> bool:
    return bool(_pairs(before, after))


def _pairs(before: EvalRun, after: EvalRun) -> list[Pair]:
    """Results of the same words in the same mode. What failed before is no measure for what came after."""
    later = {(each.query_id, each.mode): each for each in after.results}
    found = [(old, later[old.query_id, old.mode]) for old in before.results if (old.query_id, old.mode) in later]
    return [(old, new) for old, new in found if old.text == new.text and old.error is None]


def _notes(before: EvalRun, after: EvalRun) -> list[str]:
    notes = []
    if before.suite_digest != after.suite_digest:
        notes.append("the suites differ; only the queries they share are compared")
    notes += [f"{run.run_id} was stopped before its end" for run in (before, after) if run.aborted]
    if before.corpus.get("revision") != after.corpus.get("revision"):
        notes.append(f"the index moved from revision {before.corpus['revision']} to {after.corpus['revision']}")
    changed = sorted(
        name for name in before.config.keys() | after.config.keys() if before.config.get(name) != after.config.get(name)
    )
    if changed:
        notes.append(f"settings that differ: {', '.join(changed)}")
    missing = [str(mode) for mode in before.modes if mode not in after.modes]
    if missing:
        notes.append(f"not measured again: {', '.join(missing)}")
    return notes


def _metrics(mode: SearchMode, pairs: Sequence[Pair], tolerance: float) -> list[MetricChange]:
    found = []
    for name in (*RETRIEVAL_METRICS, *ANSWER_METRICS):
        # A query that fails now has lost what it had.
        values = [
            (old.metrics[name], new.metrics.get(name, _worst(name)))
            for old, new in pairs
            if name in old.metrics and (name in new.metrics or new.error is not None)
        ]
        if values:
            before, after = (math.fsum(column) / len(values) for column in zip(*values, strict=True))
            found.append(MetricChange(mode, name, before, after, len(values), _worse(name, before, after, tolerance)))
    return found


def _worst(name: str) -> float:
    return 1.0 if name in LOWER_IS_BETTER else 0.0


def _worse(name: str, before: float, after: float, tolerance: float) -> bool:
    lost = after - before if name in LOWER_IS_BETTER else before - after
    return lost > tolerance + _NOISE


def _query_change(pair: Pair, tolerance: float) -> QueryChange | None:
    old, new = pair
    moved = [
        (name, value, new.metrics[name])
        for name, value in old.metrics.items()
        if name in new.metrics and abs(new.metrics[name] - value) > tolerance + _NOISE
    ]
    if not moved and new.error is None:
        return None
    return QueryChange(
        mode=old.mode,
        query_id=old.query_id,
        text=old.text,
        rank_before=old.rank,
        rank_after=new.rank,
        metrics=tuple(moved),
        regressed=new.error is not None or any(_worse(*each, tolerance) for each in moved),
        error=new.error,
        first_before=old.hits[0].uri if old.hits else None,
        first_after=new.hits[0].uri if new.hits else None,
    )


def _gained(change: QueryChange) -> float:
    """What it gained over all its metrics; the worst come first."""
    if change.error is not None:
        return -math.inf
    return math.fsum(
        before - after if name in LOWER_IS_BETTER else after - before for name, before, after in change.metrics
    )


def _latency(before: EvalRun, after: EvalRun, modes: Sequence[SearchMode]) -> list[LatencyChange]:
    old, new = ({summary.mode: summary for summary in run.summaries} for run in (before, after))
    found = []
    for mode in modes:
        times: list[Mapping[str, float]] = [
            each for run in (old, new) for each in (run[mode].cpu_ms, run[mode].wall_ms)
        ]
        if all("p50" in each for each in times):
            cpu_before, wall_before, cpu_after, wall_after = (each["p50"] for each in times)
            found.append(LatencyChange(mode, cpu_before, cpu_after, wall_before, wall_after))
    return found
