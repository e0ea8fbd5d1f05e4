"""Where a gate should lie: the default, unless questions of either kind show that it is too high or too low.

Scores are those the gate compares, from 0 to 1, so nothing here knows what they are made of. The rule and what it does
on collections it was not made on are in docs/decisions/008-refusals.md.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from kebab.core.evaluation_findings import GatePoint

# Share of unanswerable questions that a gate is to refuse, in percent, and of answerable ones that it may.
PERCENTILE = 90
FALSE_REFUSALS = 5
# A gate is written with four digits.
_STEPS = 10_000
_POINTS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# One end of an interval that holds the true share nine times in ten.
_Z = 1.2816


class Fit(NamedTuple):
    """A gate and why: `kept`, `lowered`, `raised`, `overlapping` or `unproven`."""

    gate: float
    verdict: str


def fitted(answerable: Sequence[float], unanswerable: Sequence[float], default: float, *, natural: bool) -> Fit:
    """The default, lowered or raised only as far as it has to be and may be.

    `natural` says that somebody asked the answerable questions. Others are made of the documents' own words and pass
    gates that people's questions do not: they can show that a gate is too high, but not how high it may be.
    """
    most, least = _highest(answerable), _lowest(unanswerable)
    if _bounds(_below(answerable, default), len(answerable))[0] > FALSE_REFUSALS / 100:
        found = Fit(min(default, max(most or 0.0, least)), "lowered")
    elif _bounds(_below(unanswerable, default), len(unanswerable))[1] >= PERCENTILE / 100:
        return Fit(default, "kept")
    elif natural and most is not None:
        found = Fit(max(default, min(most, least)), "raised")
    else:
        return Fit(default, "unproven")
    meets_both = most is not None and least <= most
    if meets_both or _gain(point(default, answerable, unanswerable), point(found.gate, answerable, unanswerable)) > 0:
        return found
    return Fit(default, "overlapping")


def _gain(before: GatePoint, after: GatePoint) -> float:
    """What a move that meets one target only is worth: fewer wrong refusals and more right ones, less the opposite."""
    return (before.false_refusals - after.false_refusals) + (after.recall - before.recall)


def _highest(answerable: Sequence[float]) -> float | None:
    """The highest gate at which another question of this kind is refused with no more than the chance allowed.

    Of n questions and one more, each is as likely as any to have the k lowest scores; so k in n + 1, not k in n.
    None when there are too few of them to say.
    """
    allowed = len(answerable) + 1
    rank = allowed * FALSE_REFUSALS // 100
    return math.floor(sorted(answerable)[rank - 1] * _STEPS) / _STEPS if rank else None


def _lowest(unanswerable: Sequence[float]) -> float:
    """The lowest gate that refuses as many as it is to; rounded up, so that the last of them is refused as well."""
    if not unanswerable:
        return 0.0
    rank = -(-len(unanswerable) * PERCENTILE // 100)
    return min(1.0, math.ceil(sorted(unanswerable)[rank - 1] * _STEPS + 1e-6) / _STEPS)


def _bounds(count: int, of: int) -> tuple[float, float]:
    """Between which shares the true one lies, after Wilson: few questions say little."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, _Z * _Z
    middle = share + square / (2 * of)
    spread = _Z * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (middle - spread) / (1 + square / of), (middle + spread) / (1 + square / of)


def _below(scores: Sequence[float], gate: float) -> int:
    return sum(score < gate for score in scores)


def point(gate: float, answerable: Sequence[float], unanswerable: Sequence[float]) -> GatePoint:
    """What this gate does to questions of either kind."""
    wrongly, rightly = _below(answerable, gate), _below(unanswerable, gate)
    return GatePoint(
        gate=gate,
        recall=rightly / len(unanswerable) if unanswerable else 0.0,
        false_refusals=wrongly / len(answerable) if answerable else 0.0,
        precision=rightly / (rightly + wrongly) if rightly + wrongly else None,
    )


def curve(answerable: Sequence[float], unanswerable: Sequence[float], own: Sequence[float]) -> tuple[GatePoint, ...]:
    """Over all gates that are worth a look, `own` among them."""
    gates = sorted({*_POINTS, *own})
    return tuple(point(gate, answerable, unanswerable) for gate in gates)
