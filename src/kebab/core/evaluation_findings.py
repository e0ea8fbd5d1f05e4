"""What evaluation finds out: one run against another, how steady paraphrases are, and where the gate should lie."""

from typing import NamedTuple, TypeAlias

from kebab.core.evaluation import EvalStep
from kebab.core.query import SearchMode


class MetricChange(NamedTuple):
    """A metric of one mode over the queries both runs have; `regressed` is worse by more than the tolerance."""

    mode: SearchMode
    metric: str
    before: float
    after: float
    of: int
    regressed: bool


class QueryChange(NamedTuple):
    """A query whose result became worse or better. `metrics` are those that moved, with both values."""

    mode: SearchMode
    query_id: str
    text: str
    rank_before: int | None
    rank_after: int | None
    metrics: tuple[tuple[str, float, float], ...]
    regressed: bool
    error: str | None = None
    first_before: str | None = None
    first_after: str | None = None


class LatencyChange(NamedTuple):
    """Medians in milliseconds. Told and never judged: machines differ, and so do their loads."""

    mode: SearchMode
    cpu_before: float
    cpu_after: float
    wall_before: float
    wall_after: float


class Comparison(NamedTuple):
    """`before` and `after` are run ids; `notes` say what makes them less than comparable."""

    before: str
    after: str
    tolerance: float
    common: int
    notes: tuple[str, ...]
    metrics: tuple[MetricChange, ...]
    queries: tuple[QueryChange, ...]
    latency: tuple[LatencyChange, ...] = ()

    @property
    def regressed_metrics(self) -> tuple[MetricChange, ...]:
        return tuple(change for change in self.metrics if change.regressed)

    @property
    def regressed_queries(self) -> tuple[QueryChange, ...]:
        return tuple(change for change in self.queries if change.regressed)


class GroupStability(NamedTuple):
    """A query and its paraphrases in one mode. `overlap` is the mean share of documents two of them have in common."""

    mode: SearchMode
    group: str
    texts: tuple[str, ...]
    ranks: tuple[int | None, ...]
    hit_share: float
    spread: float
    overlap: float


class StabilitySummary(NamedTuple):
    """`all_hit` is the share of groups in which every wording finds what is expected."""

    mode: SearchMode
    groups: int
    all_hit: float
    spread: float
    overlap: float


class Stability(NamedTuple):
    run_id: str
    k: int
    summaries: tuple[StabilitySummary, ...]
    groups: tuple[GroupStability, ...]


class GatePoint(NamedTuple):
    """What a gate would do: `recall` of the unanswerable are refused, `precision` of the refused are unanswerable."""

    gate: float
    recall: float
    false_refusals: float
    precision: float | None


class Calibration(NamedTuple):
    """`gate` is what was fitted, `default` what kebab comes with, `configured` what holds now.

    `verdict` says why: `kept`, `lowered`, `raised`, `overlapping` (no gate meets both targets) or `unproven` (it lets
    too many through, and made-up questions cannot show how far it may be raised). `answerable` says where the questions
    with an answer came from, `written` where the gate was written to.
    """

    gate: float
    default: float
    configured: float
    percentile: int
    foreign: int
    foreign_score: float
    answerable: str
    answerable_count: int
    unanswerable_count: int
    by_meaning: bool
    chunks: int
    provenance: str
    verdict: str
    false_refusal_target: float
    at_gate: GatePoint
    at_configured: GatePoint
    curve: tuple[GatePoint, ...]
    written: str | None = None
    files: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The verdict as a sentence."""
        if not self.answerable_count:
            return "the default stays: there was no question with an answer to measure it on"
        most = f"{100 * self.false_refusal_target:.0f} % of the answerable"
        least = f"{self.percentile} % of the unanswerable"
        return {
            "kept": f"the default stays: it refuses {least} and no more than {most}, give or take chance",
            "lowered": f"lowered: the default refuses more than {most}",
            "raised": f"raised: the default refuses fewer than {least}",
            "overlapping": f"the default stays: no gate that refuses {least} spares all but {most}",
            "unproven": f"the default stays: it refuses fewer than {least}, but how high it may be only a SUITE of at"
            " least 19 answerable questions can show",
        }[self.verdict]

    @property
    def is_worth_writing(self) -> bool:
        """Whether it does anything better than the gate that holds."""
        new, old = self.at_gate, self.at_configured
        return self.gate != self.configured and (new.false_refusals < old.false_refusals or new.recall > old.recall)


class CalibrationFinished(NamedTuple):
    """The last step of a calibration."""

    calibration: Calibration


CalibrationEvent: TypeAlias = EvalStep | CalibrationFinished
