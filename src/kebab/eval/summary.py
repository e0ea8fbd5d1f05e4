"""Many results to a few figures: means of metrics, percentiles of time, and a count of ranks, mode by mode."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from kebab.core.evaluation import (
    ANSWER_METRICS,
    PERCENTILES,
    RETRIEVAL_METRICS,
    Measured,
    ModeSummary,
    QueryResult,
)
from kebab.core.query import SearchMode


def summarise(results: Sequence[QueryResult], modes: Iterable[SearchMode]) -> tuple[ModeSummary, ...]:
    return tuple(_of_mode(mode, [each for each in results if each.mode is mode]) for mode in modes)


def _of_mode(mode: SearchMode, results: Sequence[QueryResult]) -> ModeSummary:
    measured = [each for each in results if each.error is None]
    return ModeSummary(
        mode=mode,
        queries=len(results),
        failed=len(results) - len(measured),
        metrics={**means(measured), **_refusals(measured)},
        cpu_ms=percentiles([each.cpu_ms for each in measured]),
        wall_ms=percentiles([each.wall_ms for each in measured]),
        ranks=dict(sorted(Counter(each.rank or 0 for each in measured if "mrr" in each.metrics).items())),
    )


def means(results: Sequence[QueryResult]) -> dict[str, Measured]:
    """Each metric over the queries it applies to."""
    found = {}
    for name in (*RETRIEVAL_METRICS, *ANSWER_METRICS):
        values = [each.metrics[name] for each in results if name in each.metrics]
        if values:
            found[name] = Measured(math.fsum(values) / len(values), len(values))
    return found


def _refusals(results: Sequence[QueryResult]) -> dict[str, Measured]:
    replies = [(each.answerable, each.reply.grounded) for each in results if each.reply is not None]
    refused = [answerable for answerable, grounded in replies if not grounded]
    unanswerable = [grounded for answerable, grounded in replies if not answerable]
    found = {}
    if refused:
        found["refusal_precision"] = Measured(refused.count(False) / len(refused), len(refused))
    if unanswerable:
        found["refusal_recall"] = Measured(unanswerable.count(False) / len(unanswerable), len(unanswerable))
    return found


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Empty when nothing was measured."""
    if not values:
        return {}
    ordered = sorted(values)
    return {name: percentile(ordered, 100 if name == "max" else int(name[1:])) for name in PERCENTILES}


def percentile(ordered: Sequence[float], share: int) -> float:
    """The least of the sorted values that `share` percent of them do not exceed: always one that was measured."""
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]
