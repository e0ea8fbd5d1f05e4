"""`kebab eval`: suites proposed and measured, runs compared, the gate fitted to the index. The door to all of it."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from kebab.app.eval_files import SUITE, StoredRuns, load_suite, write_files
from kebab.core.errors import InvalidInput, NotIndexed, ReadonlyMode
from kebab.core.evaluation import EvalEvent, EvalRun, Suite
from kebab.core.evaluation_findings import CalibrationEvent, Comparison, Stability

if TYPE_CHECKING:
    from kebab.app.calibrate import CalibrateRequest
    from kebab.app.eval_run import RunRequest
    from kebab.app.facade import App

MOST = 1000


class ProposeRequest(NamedTuple):
    """`out` is where the suite is written to, if anywhere."""

    queries: int = 50
    seed: int = 0
    out: Path | None = None
    force: bool = False


class Evaluation:
    """Everything `kebab eval` does, over one app."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._runs = StoredRuns(app.config.storage.runs_dir)

    @property
    def suite_path(self) -> Path:
        """The suite that is meant when none is named."""
        return self._app.config.storage.runs_dir / SUITE

    def run(self, request: "RunRequest", cancel: threading.Event) -> Iterator[EvalEvent]:
        from kebab.app.eval_run import run_suite

        if not 1 <= request.k <= MOST:
            raise InvalidInput(f"--k must be from 1 to {MOST}, not {request.k}", k=request.k)
        if request.max_per_doc < 0:
            raise InvalidInput(f"--max-per-doc must not be negative, not {request.max_per_doc}")
        if request.out is not None:
            self._may_write("eval run --out")
        suite = load_suite(request.suite or self.suite_path)
        return run_suite(self._app, suite, request, cancel)

    def aggregate(self, references: Sequence[str]) -> tuple[list[EvalRun], list[str]]:
        """The named runs, or all of them, oldest first; and what could not be read."""
        if references:
            return [self._runs.find(each) for each in references], []
        return self._runs.readable(self._runs.names())

    def compare(self, before: str, after: str, tolerance: float, out: Path | None = None) -> tuple[Comparison, int]:
        """The comparison and the k of both. It is written as pages into `out`, if that is given."""
        from kebab.eval.comparing import compare

        if not 0 <= tolerance <= 1:
            raise InvalidInput(f"--tolerance must be from 0 to 1, not {tolerance}", tolerance=tolerance)
        if out is not None:
            self._may_write("eval compare --out")
        old, new = self._runs.find(before), self._runs.find(after)
        found = compare(old, new, tolerance)
        if out is not None:
            from kebab.eval.report_html import comparison_page
            from kebab.eval.report_md import comparison_report

            page = comparison_page(found, new.k, {**old.files, **new.files})
            write_files(out, {"compare.md": comparison_report(found, new.k), "compare.html": page})
        return found, new.k

    def variants(self, reference: str) -> Stability:
        from kebab.eval.stability import stability

        return stability(self._runs.find(reference))

    def propose(self, request: ProposeRequest) -> tuple[Suite, str]:
        """A suite and its text."""
        from kebab.app.proposing import excerpts
        from kebab.eval.proposal import propose, suite_text

        if not 1 <= request.queries <= MOST:
            raise InvalidInput(f"--n must be from 1 to {MOST}, not {request.queries}", n=request.queries)
        if request.out is not None:
            self._may_write("eval make")
            if request.out.exists() and not request.force:
                raise InvalidInput(f"{request.out} is there already", hint="name another with --out, or use --force")
        if not self._app.asker()[1].weights.chunks():
            raise NotIndexed("the index is empty", hint="`kebab ingest FOLDER` fills it")
        random = Random(request.seed)  # noqa: S311 - a sample, not a secret
        suite = propose(excerpts(self._app, request.queries * 2, random), request.queries, random, "proposed")
        text = suite_text(suite)
        if request.out is not None:
            path = request.out.absolute()
            write_files(path.parent, {path.name: text})
            suite = suite._replace(path=str(path))
        return suite, text

    def calibrate(self, request: "CalibrateRequest", cancel: threading.Event) -> Iterator[CalibrationEvent]:
        from kebab.app.calibrate import calibrate

        if request.write or request.out is not None:
            self._may_write("eval calibrate --write")
        return calibrate(self._app, request, cancel)

    def _may_write(self, command: str) -> None:
        if self._app.readonly:
            raise ReadonlyMode(f"{command} writes, and --readonly was given", hint="run it without --readonly")
