"""Runs, comparisons and calibrations as an evaluation makes them, and what the wire makes of them."""

from typing import Any

from kebab.core.evaluation import (
    EvalRun,
    Expectation,
    GoldenQuery,
    JudgedHit,
    QueryResult,
    Replied,
    Suite,
    SuiteProblem,
)
from kebab.core.evaluation_findings import Calibration, Comparison, GatePoint
from kebab.core.query import SearchMode
from kebab.eval.comparing import compare
from kebab.eval.curve import curve, point
from kebab.eval.stability import stability
from kebab.eval.summary import summarise
from kebab.wire import evaluation
from kebab.wire.value import Json

CHUNK = "9b4a8c1e7d3f2a059b4a8c1e7d3f2a05"
DIGEST = "3f9a2c10ee4d6b783f9a2c10ee4d6b78"
TIME = "2026-04-27T15:42:11Z"
HYBRID, LEXICAL = SearchMode.HYBRID, SearchMode.LEXICAL
REPLY = Replied("물 1.2컵 [#1].", grounded=True, refusal_reason=None, evidence_score=0.9, citations=1)
REFUSED = Replied("근거 부족", grounded=False, refusal_reason="score_gate", evidence_score=None, citations=0)


def hit(rank: int = 1, path: str = "쌀/현미 밥.md", *, relevant: bool = False) -> JudgedHit:
    return JudgedHit(rank, CHUNK, path, f"{path.replace(' ', '%20')}#L{rank}", "현미밥 > 물", 1.5 - rank, relevant)


def result(query_id: str = "a", rank: int | None = 1, mode: SearchMode = HYBRID, **changes: Any) -> QueryResult:
    """A query that expects one chunk, found at `rank` of ten."""
    found = float(rank is not None)
    metrics = {"empty_rate": 0.0, "hit_at_1": float(rank == 1), "hit_at_k": found, "mrr": 1 / rank if rank else 0.0}
    hits = tuple(hit(at, relevant=at == rank) for at in range(1, 4))
    made = QueryResult(query_id, f"what is {query_id}?", mode, rank=rank, metrics=metrics, hits=hits, cpu_ms=5.0)
    return made._replace(wall_ms=7.5, **changes)


def run(*results: QueryResult, **changes: Any) -> EvalRun:
    modes = tuple(dict.fromkeys(each.mode for each in results))
    made = EvalRun(
        run_id="20260427T154211-3f9a",
        created_at=TIME,
        finished_at=TIME,
        aborted=False,
        suite_name="notes",
        suite_digest=DIGEST,
        suite_size=len({each.query_id for each in results}),
        k=10,
        max_per_doc=0,
        modes=modes,
        answer_mode=None,
        kebab_version="0.1.0",
        machine="Linux aarch64, 2 cores",
        corpus={"revision": 42, "documents": 3, "chunks": 9, "assets": 3},
        versions={"index": "v1.0", "embedding": "none"},
        config={"search.default_k": 10, "workspace.include": ["**/*"], "logging.dir": None},
        summaries=summarise(results, modes),
        results=results,
        problems=(
            SuiteProblem(7, "`b` expects what is not in the index"),
            SuiteProblem(None, "mode vector was left out"),
        ),
        files={"쌀/현미 밥.md": "file:///home/kim/%EC%8C%80/%ED%98%84%EB%AF%B8%20%EB%B0%A5.md"},
    )
    return made._replace(**changes)


def full_run() -> EvalRun:
    """Everything a run can hold: paraphrases, answers, a refusal, a failure, two modes."""
    replied = {"refusal_correctness": 1.0, "citation_coverage": 1.0, "must_contain": 1.0, "forbidden": 1.0}
    first = result("a", 1, group="a", lang="ko")
    return run(
        first._replace(metrics={**first.metrics, **replied}, reply=REPLY),
        result("a~1", None, group="a", degraded="no vectors; searched by words only"),
        result("b", 3),
        result("none", None, answerable=False, metrics={"refusal_correctness": 1.0}, reply=REFUSED, hits=()),
        result("c", None, error="the index cannot be searched", metrics={}, hits=()),
        result("a", 2, LEXICAL, group="a"),
        result("a~1", 1, LEXICAL, group="a"),
        answer_mode=HYBRID,
        aborted=True,
    )


def comparison() -> Comparison:
    later = full_run()._replace(run_id="20260428T000000-0000")
    worse = (result("a", None, group="a"), result("b", 1), result("a", 1, LEXICAL, error="gone", metrics={}, hits=()))
    return compare(full_run(), later._replace(results=worse, suite_digest="0" * 32), 0.01)


def calibration(**changes: Any) -> Calibration:
    good, bad = (0.9, 0.8, 0.2), (0.01, 0.05, 0.1, 0.4)
    made = Calibration(
        gate=0.1001,
        default=0.3,
        configured=0.3,
        percentile=90,
        foreign=150,
        foreign_score=0.1,
        answerable="suite notes",
        answerable_count=3,
        unanswerable_count=4,
        by_meaning=True,
        chunks=9,
        provenance="calibrated: 0.1001 lowered by 3 answerable and 4 unanswerable questions",
        verdict="lowered",
        false_refusal_target=0.05,
        at_gate=point(0.1001, good, bad),
        at_configured=GatePoint(0.3, 0.0, 0.0, None),
        curve=curve(good, bad, (0.1001, 0.3)),
        files=("runs/report.md",),
    )
    return made._replace(**changes)


SUITE = Suite(
    "notes",
    None,
    DIGEST,
    (
        GoldenQuery(
            "a", "물 비율은?", "ko", (Expectation("쌀/*.md", "물", "1.2컵"),), ("1.2컵",), ("백미",), group="a"
        ),
        GoldenQuery("b", "by id", expected=(Expectation(chunk_id=CHUNK, grade=2), Expectation(doc_id=DIGEST[:8]))),
        GoldenQuery("c", "Mongolia?", answerable=False, line=12, comment="line 3: a sentence"),
    ),
    (SuiteProblem(3, "`txt` is no key here"),),
)


def evaluations() -> list[Json]:
    """Wire objects of every kind."""
    return [
        evaluation.encode_suite(SUITE),
        evaluation.encode_suite(SUITE._replace(path="bad\udcff/suite.yaml", problems=())),
        evaluation.encode_run(full_run()),
        evaluation.encode_run(run(result()), ["runs/a/run.json"]),
        evaluation.encode_runs([full_run(), run(result())], ["runs/b/run.json is not a run that this kebab can read"]),
        evaluation.encode_comparison(comparison(), ok=False),
        evaluation.encode_stability(stability(full_run())),
        evaluation.encode_calibration(calibration()),
        evaluation.encode_calibration(calibration(written="config.toml", by_meaning=False)),
    ]
