"""Evaluation on the wire: suites, runs with every result, tables of runs, comparisons, stability and calibrations."""

from collections.abc import Iterable, Mapping

from kebab.core.evaluation import EvalRun, Expectation, GoldenQuery, ModeSummary, QueryResult, Suite, SuiteProblem
from kebab.core.evaluation_findings import Calibration, Comparison, GatePoint, QueryChange, Stability
from kebab.wire.value import Json, optional, plain, plain_text, plain_texts


def encode_suite(suite: Suite) -> Json:
    return {
        "schema_version": "eval_suite.v1",
        "name": plain_text(suite.name),
        "digest": suite.digest,
        "queries": [_encode_query(query) for query in suite.queries],
        "problems": _encode_problems(suite.problems),
        **optional(path=None if suite.path is None else plain_text(suite.path)),
    }


def _encode_query(query: GoldenQuery) -> Json:
    return {
        "id": plain_text(query.query_id),
        "text": plain_text(query.text),
        "answerable": query.answerable,
        "expected": [_encode_expectation(wanted) for wanted in query.expected],
        "must_contain": plain_texts(query.must_contain),
        "forbidden": plain_texts(query.forbidden),
        **optional(lang=query.lang, group=query.group, comment=query.comment and plain_text(query.comment)),
    }


def _encode_expectation(wanted: Expectation) -> Json:
    given = {"doc": wanted.doc, "heading": wanted.heading, "quote": wanted.quote}
    return {
        **{name: plain_text(value) for name, value in given.items() if value is not None},
        **optional(chunk=wanted.chunk_id, doc_id=wanted.doc_id),
        "grade": wanted.grade,
    }


def _encode_problems(problems: Iterable[SuiteProblem]) -> list[Json]:
    return [{"message": plain_text(each.message), **optional(line=each.line)} for each in problems]


def encode_run(run: EvalRun, written: Iterable[str] = ()) -> Json:
    """`written` are the files of a run that was made just now; a stored run does not name them."""
    return {
        "schema_version": "eval_run.v1",
        **_encode_head(run),
        "finished_at": run.finished_at,
        "machine": run.machine,
        "corpus": dict(run.corpus),
        "versions": dict(run.versions),
        "config": plain(run.config),
        "results": [_encode_result(result) for result in run.results],
        "problems": _encode_problems(run.problems),
        "files": {plain_text(path): plain_text(file) for path, file in run.files.items()},
        **optional(written=plain_texts(written) or None),
    }


def _encode_head(run: EvalRun) -> Json:
    """What a table of runs shows of it."""
    suite = {"name": plain_text(run.suite_name), "digest": run.suite_digest, "queries": run.suite_size}
    return {
        "run_id": run.run_id,
        "created_at": run.created_at,
        "aborted": run.aborted,
        "suite": suite,
        "k": run.k,
        "max_per_doc": run.max_per_doc,
        "modes": [str(mode) for mode in run.modes],
        "answer_mode": None if run.answer_mode is None else str(run.answer_mode),
        "kebab_version": run.kebab_version,
        "summaries": [_encode_summary(summary) for summary in run.summaries],
    }


def _encode_summary(summary: ModeSummary) -> Json:
    return {
        "mode": str(summary.mode),
        "queries": summary.queries,
        "failed": summary.failed,
        "metrics": {name: {"value": each.value, "of": each.of} for name, each in summary.metrics.items()},
        "cpu_ms": dict(summary.cpu_ms),
        "wall_ms": dict(summary.wall_ms),
        "ranks": {str(rank): count for rank, count in summary.ranks.items()},
    }


def _encode_result(result: QueryResult) -> Json:
    reply = result.reply
    return {
        "id": plain_text(result.query_id),
        "text": plain_text(result.text),
        "mode": str(result.mode),
        "answerable": result.answerable,
        "rank": result.rank,
        "metrics": dict(result.metrics),
        "hits": [plain(hit._asdict()) for hit in result.hits],
        "cpu_ms": result.cpu_ms,
        "wall_ms": result.wall_ms,
        **optional(
            lang=result.lang,
            group=result.group,
            degraded=result.degraded,
            error=result.error and plain_text(result.error),
            answer=None if reply is None else plain(reply._asdict()),
        ),
    }


def encode_runs(runs: Iterable[EvalRun], problems: Iterable[str]) -> Json:
    return {
        "schema_version": "eval_aggregate.v1",
        "runs": [_encode_head(run) for run in runs],
        "problems": plain_texts(problems),
    }


def encode_comparison(found: Comparison, *, ok: bool) -> Json:
    return {
        "schema_version": "eval_compare.v1",
        "before": found.before,
        "after": found.after,
        "ok": ok,
        "tolerance": found.tolerance,
        "common": found.common,
        "notes": plain_texts(found.notes),
        "metrics": [_named(each._asdict()) for each in found.metrics],
        "queries": [_encode_change(change) for change in found.queries],
        "latency": [_named(each._asdict()) for each in found.latency],
    }


def _encode_change(change: QueryChange) -> Json:
    return {
        "mode": str(change.mode),
        "id": plain_text(change.query_id),
        "text": plain_text(change.text),
        "regressed": change.regressed,
        "rank_before": change.rank_before,
        "rank_after": change.rank_after,
        "metrics": {name: {"before": before, "after": after} for name, before, after in change.metrics},
        **optional(
            error=change.error and plain_text(change.error),
            first_before=change.first_before and plain_text(change.first_before),
            first_after=change.first_after and plain_text(change.first_after),
        ),
    }


def encode_stability(found: Stability) -> Json:
    return {
        "schema_version": "eval_variants.v1",
        "run_id": found.run_id,
        "k": found.k,
        "summaries": [_named(each._asdict()) for each in found.summaries],
        "groups": [_named(each._asdict()) for each in found.groups],
    }


def encode_calibration(found: Calibration) -> Json:
    return {
        "schema_version": "eval_calibration.v1",
        "gate": found.gate,
        "default": found.default,
        "configured": found.configured,
        "percentile": found.percentile,
        "foreign": found.foreign,
        "foreign_score": found.foreign_score,
        "answerable": {"source": plain_text(found.answerable), "queries": found.answerable_count},
        "unanswerable": found.unanswerable_count,
        "by_meaning": found.by_meaning,
        "chunks": found.chunks,
        "provenance": found.provenance,
        "verdict": found.verdict,
        "false_refusal_target": found.false_refusal_target,
        "at_gate": _encode_point(found.at_gate),
        "at_configured": _encode_point(found.at_configured),
        "curve": [_encode_point(each) for each in found.curve],
        "files": plain_texts(found.files),
        **optional(written=None if found.written is None else plain_text(found.written)),
    }


def _encode_point(point: GatePoint) -> Json:
    return dict(point._asdict())


def _named(fields: Mapping[str, object]) -> Json:
    """Fields as they are called, with enums and texts as JSON has them."""
    return {name: plain(value) for name, value in fields.items()}
