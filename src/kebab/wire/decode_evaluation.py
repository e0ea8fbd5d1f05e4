"""A stored run read back from the wire: what encodes to the same object again. Raises what Python does for others."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from kebab.core.evaluation import (
    EvalRun,
    JudgedHit,
    Measured,
    ModeSummary,
    QueryResult,
    Replied,
    SuiteProblem,
)
from kebab.core.query import SearchMode

Given: TypeAlias = Mapping[str, Any]

_SCHEMA = "eval_run.v1"


def decode_run(value: Given) -> EvalRun:
    """Raises ValueError for another kind of object."""
    if value["schema_version"] != _SCHEMA:
        raise ValueError(f"not {_SCHEMA}")
    mode = value["answer_mode"]
    return EvalRun(
        run_id=str(value["run_id"]),
        created_at=str(value["created_at"]),
        finished_at=str(value["finished_at"]),
        aborted=bool(value["aborted"]),
        suite_name=str(value["suite"]["name"]),
        suite_digest=str(value["suite"]["digest"]),
        suite_size=int(value["suite"]["queries"]),
        k=int(value["k"]),
        max_per_doc=int(value["max_per_doc"]),
        modes=tuple(map(SearchMode, value["modes"])),
        answer_mode=None if mode is None else SearchMode(mode),
        kebab_version=str(value["kebab_version"]),
        machine=str(value["machine"]),
        corpus={str(name): int(count) for name, count in value["corpus"].items()},
        versions={str(name): str(version) for name, version in value["versions"].items()},
        config=dict(value["config"]),
        summaries=tuple(map(_decode_summary, value["summaries"])),
        results=tuple(map(_decode_result, value["results"])),
        problems=tuple(SuiteProblem(each.get("line"), str(each["message"])) for each in value["problems"]),
        files={str(path): str(file) for path, file in value["files"].items()},
    )


def _decode_summary(value: Given) -> ModeSummary:
    return ModeSummary(
        mode=SearchMode(value["mode"]),
        queries=int(value["queries"]),
        failed=int(value["failed"]),
        metrics={str(name): Measured(float(each["value"]), int(each["of"])) for name, each in value["metrics"].items()},
        cpu_ms=_floats(value["cpu_ms"]),
        wall_ms=_floats(value["wall_ms"]),
        ranks={int(rank): int(count) for rank, count in value["ranks"].items()},
    )


def _decode_result(value: Given) -> QueryResult:
    reply, rank = value.get("answer"), value["rank"]
    return QueryResult(
        query_id=str(value["id"]),
        text=str(value["text"]),
        mode=SearchMode(value["mode"]),
        answerable=bool(value["answerable"]),
        lang=value.get("lang"),
        group=value.get("group"),
        rank=None if rank is None else int(rank),
        metrics=_floats(value["metrics"]),
        hits=tuple(JudgedHit(**{name: each[name] for name in JudgedHit._fields}) for each in value["hits"]),
        cpu_ms=float(value["cpu_ms"]),
        wall_ms=float(value["wall_ms"]),
        degraded=value.get("degraded"),
        error=value.get("error"),
        reply=None if reply is None else Replied(**{name: reply[name] for name in Replied._fields}),
    )


def _floats(value: Given) -> dict[str, float]:
    return {str(name): float(number) for name, number in value.items()}
