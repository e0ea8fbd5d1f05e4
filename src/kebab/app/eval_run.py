"""`kebab eval run`: a suite measured over the index, and what was measured kept with all that it depends on."""

import json
import os
import platform
import re
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kebab import __version__
from kebab.app.eval_files import RUN, StoredRuns, write_files
from kebab.app.expectations import stale_expectations
from kebab.app.measuring import Manner, Measurement
from kebab.config import describe
from kebab.core.clock import now
from kebab.core.errors import InvalidInput
from kebab.core.evaluation import EvalEvent, EvalFinished, EvalRun, Suite, SuiteProblem
from kebab.core.query import SearchMode
from kebab.core.versions import INDEX_VERSION
from kebab.eval.comparing import compare, have_common
from kebab.eval.report_html import run_page
from kebab.eval.report_md import run_report
from kebab.eval.summary import summarise
from kebab.wire.evaluation import encode_run
from kebab.wire.value import plain

if TYPE_CHECKING:
    from kebab.app.facade import App

MODES = (SearchMode.LEXICAL, SearchMode.VECTOR, SearchMode.HYBRID)
# For what a report says about the run before it.
_TOLERANCE = 0.01
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ACCOUNT = re.compile(r"(?<=//)[^/@]*@|[?#].*")


class RunRequest(NamedTuple):
    """No modes are all that can run. Without `out` the run is kept where runs are kept."""

    suite: Path | None = None
    modes: tuple[SearchMode, ...] = ()
    k: int = 10
    max_per_doc: int = 0
    ask: bool = False
    out: Path | None = None


def run_suite(app: "App", suite: Suite, request: RunRequest, cancel: threading.Event) -> Iterator[EvalEvent]:
    """The last event carries the run; one that was stopped is kept as far as it came."""
    _, store = app.asker()
    measurement = Measurement(app, cancel)
    modes, notes = _runnable(measurement, request.modes)
    answers = (SearchMode.HYBRID if SearchMode.HYBRID in modes else modes[0]) if request.ask else None
    manner = Manner(request.k, request.max_per_doc, modes, answers)
    suite = suite._replace(problems=(*suite.problems, *notes, *stale_expectations(suite, store)))
    started = now()
    yield from measurement.steps(suite.queries, manner)
    run = _made(app, suite, measurement, manner, started)
    yield EvalFinished(run, _kept(app, request, run))


def _runnable(
    measurement: Measurement, asked: tuple[SearchMode, ...]
) -> tuple[tuple[SearchMode, ...], list[SuiteProblem]]:
    """The modes that can run, and a word about those that cannot. One that was asked for has to."""
    reasons = {mode: measurement.runnable(mode) for mode in asked or MODES}
    refused = {mode: reason for mode, reason in reasons.items() if reason is not None}
    if asked and refused:
        mode, reason = next(iter(refused.items()))
        raise InvalidInput(f"mode {mode} cannot be measured: {reason}", hint="leave it out of --modes", mode=str(mode))
    notes = [SuiteProblem(None, f"mode {mode} was left out: {reason}") for mode, reason in refused.items()]
    return tuple(mode for mode in reasons if mode not in refused), notes


def _made(app: "App", suite: Suite, measurement: Measurement, manner: Manner, started: str) -> EvalRun:
    _, store = app.asker()
    results = tuple(measurement.results)
    return EvalRun(
        # To the millisecond, so that names sort by time.
        run_id=f"{re.sub('[-:Z]', '', started)}-{secrets.token_hex(2)}",
        created_at=started,
        finished_at=now(),
        aborted=len(results) < len(suite.queries) * len(manner.modes),
        suite_name=suite.name,
        suite_digest=suite.digest,
        suite_size=len(suite.queries),
        k=manner.k,
        max_per_doc=manner.max_per_doc,
        modes=manner.modes,
        answer_mode=manner.answer_mode,
        kebab_version=__version__,
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        corpus={"revision": store.runs.corpus_revision(), **store.runs.counts()},
        versions=_versions(app),
        config={each.key: _without_secrets(each.key, plain(each.value)) for each in describe(app.config)},
        summaries=summarise(results, manner.modes),
        results=results,
        problems=suite.problems,
        files={path: file for path, file in sorted(measurement.files.items()) if file},
    )


def _versions(app: "App") -> dict[str, str]:
    _, store = app.asker()
    config = app.config
    active = store.embeddings.active() if store.has_vectors and app.vectors.configured else None
    return {
        "index": INDEX_VERSION,
        "chunker": config.chunker_version,
        "analyser": store.fulltext.analyser.version,
        "embedding": f"{active.identity.model}@{active.identity.version}" if active else "none",
        "llm": f"{config.llm.provider}/{config.llm.model}",
        "prompt": config.rag.prompt_template_version,
    }


def _without_secrets(key: str, value: object) -> object:
    if key.endswith(".endpoint") and isinstance(value, str):
        return _ACCOUNT.sub("", value)
    if key.endswith(".api_key_env") and isinstance(value, str) and value and not _VARIABLE.fullmatch(value):
        # Whoever puts the key itself here has it kept out of reports at least.
        return "***"
    return value


def _kept(app: "App", request: RunRequest, run: EvalRun) -> tuple[str, ...]:
    """Its files; none where nothing may be written or nothing was measured."""
    if app.readonly or not run.results:
        return ()
    runs_dir = app.config.storage.runs_dir
    before = StoredRuns(runs_dir).latest_like(run)
    change = compare(before, run, _TOLERANCE) if before is not None and have_common(before, run) else None
    files = {
        RUN: json.dumps(encode_run(run), ensure_ascii=False, indent=1) + "\n",
        "report.md": run_report(run, change),
        "report.html": run_page(run, change),
    }
    return write_files(request.out or runs_dir / run.run_id, files)
