"""What evaluation speaks of: a suite with what each query should find, and a run with what it found."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kebab.core.query import SearchMode

# Means over the queries that have them; all but the share of empty results are better when higher.
RETRIEVAL_METRICS = (
    "hit_at_1",
    "hit_at_k",
    "mrr",
    "ndcg_at_k",
    "recall_at_k_doc",
    "precision_at_k_chunk",
    "empty_rate",
)
ANSWER_METRICS = ("citation_coverage", "must_contain", "forbidden", "refusal_correctness")
# Of all answers together; a single query has no such figure.
REFUSAL_METRICS = ("refusal_precision", "refusal_recall")
METRICS = (*RETRIEVAL_METRICS, *ANSWER_METRICS, *REFUSAL_METRICS)
LOWER_IS_BETTER = frozenset({"empty_rate"})
PERCENTILES = ("p50", "p90", "p95", "p99", "max")

Metrics: TypeAlias = Mapping[str, float]


class Expectation(NamedTuple):
    """A chunk that should be found, by any of its marks; all that are given must fit.

    `doc` is a path or a pattern with `*`, and stands for any one document that fits. `quote` are words of the chunk.
    """

    doc: str | None = None
    heading: str | None = None
    quote: str | None = None
    chunk_id: str | None = None
    doc_id: str | None = None
    grade: int = 1

    @property
    def names_chunk(self) -> bool:
        """Whether it tells chunks of one document apart."""
        return bool(self.chunk_id or self.heading or self.quote)


class GoldenQuery(NamedTuple):
    """A query of a suite. Paraphrases share a `group`, the id of the query they are variants of; `line` is in its file.

    `comment` is what a proposal says about it to the person who edits the suite.
    """

    query_id: str
    text: str
    lang: str | None = None
    expected: tuple[Expectation, ...] = ()
    must_contain: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    answerable: bool = True
    group: str | None = None
    line: int | None = None
    comment: str | None = None


class SuiteProblem(NamedTuple):
    """What is wrong with a part of a suite, or with what a query expects; the rest is measured all the same."""

    line: int | None
    message: str


class Suite(NamedTuple):
    """`digest` is the same for suites that ask the same."""

    name: str
    path: str | None
    digest: str
    queries: tuple[GoldenQuery, ...]
    problems: tuple[SuiteProblem, ...] = ()


class FoundChunk(NamedTuple):
    """A hit as a suite judges it: with its whole text. `uri` is its citation, `file` where it lies."""

    rank: int
    chunk_id: str
    doc_id: str
    doc_path: str
    title: str
    heading_path: tuple[str, ...]
    text: str
    uri: str
    score: float
    file: str = ""


class JudgedHit(NamedTuple):
    """What a run keeps of a hit."""

    rank: int
    chunk_id: str
    doc_path: str
    uri: str
    heading: str
    score: float
    relevant: bool


class Replied(NamedTuple):
    """What a run keeps of an answer."""

    text: str
    grounded: bool
    refusal_reason: str | None
    evidence_score: float | None
    citations: int


class QueryResult(NamedTuple):
    """One query in one mode. `rank` is that of the first relevant hit; `error` says why there is no result."""

    query_id: str
    text: str
    mode: SearchMode
    answerable: bool = True
    lang: str | None = None
    group: str | None = None
    rank: int | None = None
    metrics: Metrics = MappingProxyType({})
    hits: tuple[JudgedHit, ...] = ()
    cpu_ms: float = 0.0
    wall_ms: float = 0.0
    degraded: str | None = None
    error: str | None = None
    reply: Replied | None = None


class Measured(NamedTuple):
    """A mean and of how many."""

    value: float
    of: int


class ModeSummary(NamedTuple):
    """`ranks` counts the queries by the rank of their first relevant hit, 0 for those without one."""

    mode: SearchMode
    queries: int
    failed: int
    metrics: Mapping[str, Measured]
    cpu_ms: Mapping[str, float]
    wall_ms: Mapping[str, float]
    ranks: Mapping[int, int]


class EvalRun(NamedTuple):
    """A suite measured once. `files` are the `file:` addresses of documents that results name, by workspace path."""

    run_id: str
    created_at: str
    finished_at: str
    aborted: bool
    suite_name: str
    suite_digest: str
    suite_size: int
    k: int
    max_per_doc: int
    modes: tuple[SearchMode, ...]
    answer_mode: SearchMode | None
    kebab_version: str
    machine: str
    corpus: Mapping[str, int]
    versions: Mapping[str, str]
    config: Mapping[str, object]
    summaries: tuple[ModeSummary, ...]
    results: tuple[QueryResult, ...]
    problems: tuple[SuiteProblem, ...] = ()
    files: Mapping[str, str] = MappingProxyType({})


class EvalStep(NamedTuple):
    """Progress: `done` of `total` queries, counting each mode."""

    done: int
    total: int
    what: str


class EvalFinished(NamedTuple):
    """The last step of a run. `written` are its files, none when nothing may be written."""

    run: EvalRun
    written: tuple[str, ...] = ()


EvalEvent: TypeAlias = EvalStep | EvalFinished
