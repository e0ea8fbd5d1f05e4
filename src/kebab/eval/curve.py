"""Where a gate should lie: fitted on questions that have no answer, and judged on others of either kind.

Scores are those the gate compares, from 0 to 1, so nothing here knows what they are made of.
"""

import math
from collections.abc import Sequence

from kebab.core.evaluation_findings import GatePoint
from kebab.eval.summary import percentile

PERCENTILE = 90
_DIGITS = 4
_POINTS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def fitted(foreign: Sequence[float], default: float) -> tuple[float, float]:
    """The gate that refuses nine in ten of the foreign questions, or the default if that is lower; and their score.

    The score is rounded up, so that the question it belongs to is refused as well.
    """
    score = percentile(sorted(foreign), PERCENTILE)
    raised = math.ceil(score * 10**_DIGITS + 1e-6) / 10**_DIGITS
    return min(default, raised), score


def point(gate: float, answerable: Sequence[float], unanswerable: Sequence[float]) -> GatePoint:
    """What this gate does to questions of either kind."""
    wrongly, rightly = (sum(score < gate for score in scores) for scores in (answerable, unanswerable))
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
