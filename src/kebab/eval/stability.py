"""How steady a run is over paraphrases: does every wording find it, how far apart are ranks, what hits are shared."""

import math
from collections.abc import Sequence
from itertools import combinations

from kebab.core.errors import InvalidInput
from kebab.core.evaluation import EvalRun, QueryResult
from kebab.core.evaluation_findings import GroupStability, Stability, StabilitySummary
from kebab.core.query import SearchMode


def stability(run: EvalRun) -> Stability:
    """Raises InvalidInput when the suite has no paraphrases."""
    groups = [group for mode in run.modes for group in _groups(mode, run)]
    if not groups:
        raise InvalidInput(
            f"the suite of {run.run_id} has no paraphrases", hint="give queries `variants`, and run the suite again"
        )
    summaries = [_summary(mode, [each for each in groups if each.mode is mode]) for mode in run.modes]
    least_steady = sorted(groups, key=lambda each: (each.hit_share, each.overlap - each.spread))
    return Stability(run.run_id, run.k, tuple(each for each in summaries if each.groups), tuple(least_steady))


def _groups(mode: SearchMode, run: EvalRun) -> list[GroupStability]:
    members: dict[str, list[QueryResult]] = {}
    for result in run.results:
        if result.mode is mode and result.group is not None and result.error is None:
            members.setdefault(result.group, []).append(result)
    return [_group(mode, name, found) for name, found in members.items() if len(found) > 1]


def _group(mode: SearchMode, name: str, members: Sequence[QueryResult]) -> GroupStability:
    reciprocals = [each.metrics["mrr"] for each in members if "mrr" in each.metrics]
    found = [{hit.doc_path for hit in each.hits} for each in members]
    shared = [_shared(one, other) for one, other in combinations(found, 2)]
    return GroupStability(
        mode=mode,
        group=name,
        texts=tuple(each.text for each in members),
        ranks=tuple(each.rank for each in members),
        hit_share=sum(each.rank is not None for each in members) / len(members) if reciprocals else 1.0,
        spread=max(reciprocals) - min(reciprocals) if reciprocals else 0.0,
        overlap=math.fsum(shared) / len(shared),
    )


def _shared(one: set[str], other: set[str]) -> float:
    together = one | other
    return len(one & other) / len(together) if together else 1.0


def _summary(mode: SearchMode, groups: Sequence[GroupStability]) -> StabilitySummary:
    count = max(1, len(groups))
    return StabilitySummary(
        mode=mode,
        groups=len(groups),
        all_hit=sum(each.hit_share == 1.0 for each in groups) / count,
        spread=math.fsum(each.spread for each in groups) / count,
        overlap=math.fsum(each.overlap for each in groups) / count,
    )
