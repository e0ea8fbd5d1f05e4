"""`kebab eval make` and `kebab eval calibrate`: what is made of the documents themselves, a suite and a gate."""

from pathlib import Path

import click

from kebab.core.evaluation_findings import Calibration, CalibrationFinished
from kebab.ui.cli.eval_progress import last_of
from kebab.ui.cli.interrupt import cancel_on_interrupt
from kebab.ui.cli.session import Session, current, example, say, shared_options

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("make", epilog=example("kebab eval make", "kebab eval make --n 100 --seed 7 --out suite.yaml"))
@click.option("--n", "count", type=int, default=50, show_default=True, help="How many queries.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed proposes other queries.")
@click.option(
    "--out", metavar="FILE", help="Write the suite here, - for stdout; suite.yaml in storage.runs_dir unless given."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@shared_options
def make(*, count: int, seed: int, out: str | None, force: bool) -> int:
    """Propose a suite from your own documents, for you to edit.

    Its questions are headings and sentences with some of their words changed, and one in five has no answer in them.
    """
    from kebab.app.evaluate import ProposeRequest

    session = current()
    with session.app() as app:
        evaluation = app.evaluation()
        target = None if out == "-" else evaluation.suite_path if out is None else Path(out)
        suite, text = evaluation.propose(ProposeRequest(count, seed, target, force))
    if session.json:
        from kebab.wire.evaluation import encode_suite

        session.emit(encode_suite(suite))
    elif target is None:
        for line in text.removesuffix("\n").split("\n"):
            say(line)
    else:
        say(f"{len(suite.queries)} queries in {suite.path}")
    if len(suite.queries) < count:
        session.talk(f"the documents gave {len(suite.queries)} queries, not {count}")
    if target is not None:
        session.talk(
            "edit it, then run `kebab eval run`" if out is None else f"edit it, then run `kebab eval run {out}`"
        )
    return 0


@click.command("calibrate", epilog=example("kebab eval calibrate", "kebab eval calibrate suite.yaml --write"))
@click.argument("suite", type=_FILE, required=False)
@click.option("--write", is_flag=True, help="Write rag.score_gate into the config file, with how it came about.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the questions that are made without a SUITE.")
@click.option("--out", type=_FOLDER, metavar="DIR", help="Write the reports here instead of storage.runs_dir.")
@shared_options
def calibrate(suite: Path | None, *, write: bool, seed: int, out: Path | None) -> int:
    """Fit the gate, which refuses questions without evidence, to your documents.

    The default stays unless it refuses more than 5 % of the questions with an answer, or fewer than 90 % of those
    without, by more than chance. Then it moves as far as it has to and no target is given up for the other. Questions
    with an answer are those of the SUITE, or reworded sentences, which can lower the gate but not raise it: they are
    easier than what people ask. The table shows what other gates would refuse.
    """
    from kebab.app.calibrate import CalibrateRequest

    session = current()
    with session.app() as app, cancel_on_interrupt() as cancel:
        request = CalibrateRequest(suite, write, out, seed)
        finished = last_of(session, app.evaluation().calibrate(request, cancel), "asking")
    assert isinstance(finished, CalibrationFinished), "the last event of a calibration carries it"
    _show_calibration(session, finished.calibration)
    return 0


def _show_calibration(session: Session, found: Calibration) -> None:
    from kebab.ui.cli.eval_render import calibration_lines

    if session.json:
        from kebab.wire.evaluation import encode_calibration

        session.emit(encode_calibration(found))
        return
    for line in calibration_lines(found):
        say(line)
    for path in found.files:
        session.talk(f"wrote {path}")
    if found.written:
        session.talk(f"wrote rag.score_gate = {found.gate} into {found.written}")
    elif found.is_worth_writing:
        session.talk("hint: --write writes this gate into the config file")
    elif found.gate != found.configured:
        session.talk("the configured gate refuses as many rightly and no more wrongly: better leave it")
