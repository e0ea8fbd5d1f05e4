"""`kebab eval calibrate`: the gate fitted on this index, with what it refuses rightly and wrongly at every height."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from kebab import __version__
from kebab.app.eval_files import load_suite, write_files
from kebab.core.answer import Question
from kebab.core.clock import now
from kebab.core.errors import Canceled, InvalidInput, NotIndexed
from kebab.core.evaluation import EvalStep
from kebab.core.evaluation_findings import Calibration, CalibrationEvent, CalibrationFinished
from kebab.eval.curve import FALSE_REFUSALS, PERCENTILE, Fit, curve, fitted, point
from kebab.eval.shipped import foreign_questions
from kebab.eval.summary import percentile
from kebab.rag.gate import GATE, judge

if TYPE_CHECKING:
    from kebab.app.facade import App

KEY = "rag.score_gate"
_OWN = 60


class CalibrateRequest(NamedTuple):
    """`suite` gives questions of either kind; without one, those with an answer are made of documents' sentences."""

    suite: Path | None = None
    write: bool = False
    out: Path | None = None
    seed: int = 0


def calibrate(app: "App", request: CalibrateRequest, cancel: threading.Event) -> Iterator[CalibrationEvent]:
    """Raises Canceled: half of the questions are no measure."""
    if request.write and app.config.file is None:
        raise InvalidInput("there is no config file to write to", hint="name one with --config")
    asker, store = app.asker()
    if not store.weights.chunks():
        raise NotIndexed("the index is empty", hint="`kebab ingest FOLDER` fills it")
    questions, source = _questions(app, request)
    scores: dict[str, tuple[float, bool]] = {}
    for done, text in enumerate(questions, start=1):
        if cancel.is_set():
            raise Canceled("the calibration was stopped", hint="nothing was written")
        features = asker.features(Question(text))
        scores[text] = (judge(features).score, features.cosine is not None)
        yield EvalStep(done, len(questions), text)
    kinds = {
        wanted: [scores[text][0] for text, known in questions.items() if known is wanted] for wanted in (True, False)
    }
    foreign = sorted(scores[text][0] for text in foreign_questions())
    fit = fitted(kinds[True], kinds[False], GATE, natural=request.suite is not None)
    gate, configured = fit.gate, app.config.rag.score_gate
    found = Calibration(
        gate=gate,
        default=GATE,
        configured=configured,
        percentile=PERCENTILE,
        foreign=len(foreign),
        foreign_score=percentile(foreign, PERCENTILE),
        answerable=source,
        answerable_count=len(kinds[True]),
        unanswerable_count=len(kinds[False]),
        by_meaning=any(meant for _, meant in scores.values()),
        chunks=store.weights.chunks(),
        provenance=_provenance(app, fit, len(kinds[True]), len(kinds[False])),
        verdict=fit.verdict,
        false_refusal_target=FALSE_REFUSALS / 100,
        at_gate=point(gate, kinds[True], kinds[False]),
        at_configured=point(configured, kinds[True], kinds[False]),
        curve=curve(kinds[True], kinds[False], (gate, configured, GATE)),
    )
    yield CalibrationFinished(_kept(app, request, found))


def _questions(app: "App", request: CalibrateRequest) -> tuple[dict[str, bool], str]:
    """Every question once, with whether it has an answer; and where those with one come from."""
    questions = dict.fromkeys(foreign_questions(), False)
    if request.suite is not None:
        suite = load_suite(request.suite)
        asked = {query.text: query.answerable for query in suite.queries}
        source = f"suite {suite.name}"
    else:
        from kebab.app.proposing import excerpts
        from kebab.eval.proposal import propose

        random = Random(request.seed)  # noqa: S311 - a sample, not a secret
        found = propose(excerpts(app, _OWN * 2, random), _OWN * 5 // 4, random, "own")
        asked = {query.text: True for query in found.queries if query.answerable}
        source = "reworded sentences and headings of the documents"
    # A question that the suite says has an answer is not foreign here.
    return {**questions, **asked}, source


def _provenance(app: "App", fit: Fit, answerable: int, unanswerable: int) -> str:
    """Names the gate too: a comment stays when someone changes the value before it."""
    _, store = app.asker()
    active = store.embeddings.active() if store.has_vectors and app.vectors.configured else None
    model = f"{active.identity.model}@{active.identity.version}" if active else "words only"
    index = f"{store.weights.chunks()} chunks, revision {store.runs.corpus_revision()}"
    made = f"kebab {__version__}, {now().partition('T')[0]}"
    asked = f"{answerable} answerable and {unanswerable} unanswerable questions"
    return f"calibrated: {fit.gate} {fit.verdict} by {asked}, {index}, {model}, {made}"


def _kept(app: "App", request: CalibrateRequest, found: Calibration) -> Calibration:
    from kebab.eval.report_html import calibration_page
    from kebab.eval.report_md import calibration_report

    if not app.readonly:
        name = f"calibration-{now()[:19].replace('-', '').replace(':', '')}"
        folder = request.out or app.config.storage.runs_dir / name
        pages = {"report.md": calibration_report(found), "report.html": calibration_page(found)}
        found = found._replace(files=write_files(folder, pages))
    if request.write:
        from kebab.config import set_value

        assert app.config.file is not None, "checked before anything was measured"
        change = set_value(app.config.file, KEY, repr(found.gate), env=os.environ, note=found.provenance)
        found = found._replace(written=str(change.path))
    return found
