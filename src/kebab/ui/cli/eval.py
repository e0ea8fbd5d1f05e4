"""`kebab eval run|aggregate|compare|variants`, and the group that `make` and `calibrate` belong to."""

from pathlib import Path

import click

from kebab.core.errors import InvalidInput
from kebab.core.evaluation_findings import Comparison
from kebab.core.query import SearchMode
from kebab.ui.cli.eval_make import calibrate, make
from kebab.ui.cli.eval_progress import last_of
from kebab.ui.cli.interrupt import INTERRUPTED, cancel_on_interrupt
from kebab.ui.cli.session import current, example, many, say, shared_options

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group(
    "eval",
    short_help="Measure search and answers, compare runs, fit the gate.",
    epilog=example("kebab eval make", "kebab eval run", "kebab eval compare last~1 last"),
)
@shared_options
def eval_group() -> None:
    """Measure search and answers, compare runs, fit the gate.

    A suite is a YAML file of queries with what they should find. `kebab eval make` proposes one from your documents.
    """


@eval_group.command(
    "run",
    epilog=example("kebab eval run", "kebab eval run suite.yaml --modes hybrid --ask", "kebab eval run --k 5 --json"),
)
@click.argument("suite", type=_FILE, required=False)
@click.option("--modes", multiple=True, metavar="MODE", help="lexical, vector, hybrid; all that can run unless given.")
@click.option("--k", type=int, default=10, show_default=True, help="How many hits of each query are judged.")
@click.option("--max-per-doc", type=int, default=0, metavar="N", help="At most N hits of one document; 0 for no limit.")
@click.option("--ask", is_flag=True, help="Answer the queries too, in hybrid mode if it is among the modes.")
@click.option("--out", type=_FOLDER, metavar="DIR", help="Write run and reports here instead of storage.runs_dir.")
@shared_options
def run(suite: Path | None, *, modes: tuple[str, ...], k: int, max_per_doc: int, ask: bool, out: Path | None) -> int:
    """Measure a suite: every query in every mode, judged and timed.

    The run is kept as JSON with the settings it was made under, and with reports in Markdown and HTML. Ctrl-C ends it
    and keeps what was measured. A query that cannot be asked is reported and stops no other.
    """
    from kebab.app.eval_run import RunRequest
    from kebab.core.evaluation import EvalFinished
    from kebab.ui.cli.eval_render import run_lines

    session = current()
    request = RunRequest(suite, _modes(modes), k, max_per_doc, ask, out)
    with session.app() as app, cancel_on_interrupt() as cancel:
        finished = last_of(session, app.evaluation().run(request, cancel), "measuring")
    assert isinstance(finished, EvalFinished), "the last event of a run carries it"
    made = finished.run
    if session.json:
        from kebab.wire.evaluation import encode_run

        session.emit(encode_run(made, finished.written))
    else:
        for line in run_lines(made):
            say(line)
    for problem in made.problems:
        session.talk(f"suite: line {problem.line}: {problem.message}" if problem.line else f"note: {problem.message}")
    if made.aborted:
        session.talk("stopped before its end; the figures are of what was measured until then")
    for path in finished.written:
        session.talk(f"wrote {path}")
    return INTERRUPTED if made.aborted else 0


def _modes(given: tuple[str, ...]) -> tuple[SearchMode, ...]:
    names = many(given)
    for name in names:
        if name not in list(SearchMode):
            raise InvalidInput(f"--modes: {name!r} is none of {', '.join(SearchMode)}")
    return tuple(map(SearchMode, names))


@eval_group.command("aggregate", epilog=example("kebab eval aggregate", "kebab eval aggregate last~1 last --json"))
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@shared_options
def aggregate(runs: tuple[str, ...]) -> int:
    """Show stored runs side by side, oldest first: all of them unless some are named."""
    from kebab.ui.cli.eval_render import table_lines

    session = current()
    with session.app() as app:
        found, problems = app.evaluation().aggregate(runs)
    if session.json:
        from kebab.wire.evaluation import encode_runs

        session.emit(encode_runs(found, problems))
    else:
        for line in table_lines(found):
            say(line)
        if not found:
            session.talk("no runs; `kebab eval run` makes one")
    for problem in problems:
        session.talk(f"warning: {problem}")
    return 0 if found else 1


@eval_group.command(
    "compare",
    epilog=example("kebab eval compare last~1 last", "kebab eval compare baseline/ last --tolerance 0.02 --json"),
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--tolerance", type=float, default=0.01, show_default=True, help="How much worse is still the same.")
@click.option("--averages", is_flag=True, help="Judge by the averages alone: single queries are told, not judged.")
@click.option("--out", type=_FOLDER, metavar="DIR", help="Write the comparison as Markdown and HTML into this folder.")
@shared_options
def compare(before: str, after: str, *, tolerance: float, averages: bool, out: Path | None) -> int:
    """Compare run B with run A. Exits 1 when a metric or a query became worse by more than the tolerance.

    A run is named by its id or the beginning of it, by its folder, or as last, last~1 and so on. Only what both runs
    asked is compared. Times are told and not judged.
    """
    from kebab.ui.cli.eval_render import comparison_lines

    session = current()
    with session.app() as app:
        found, k = app.evaluation().compare(before, after, tolerance, out)
    ok = _is_ok(found, averages=averages)
    if session.json:
        from kebab.wire.evaluation import encode_comparison

        session.emit(encode_comparison(found, ok=ok))
    else:
        for line in comparison_lines(found, k):
            say(line)
    return 0 if ok else 1


def _is_ok(found: Comparison, *, averages: bool) -> bool:
    return not found.regressed_metrics and (averages or not found.regressed_queries)


@eval_group.command("variants", epilog=example("kebab eval variants last", "kebab eval variants last --json"))
@click.argument("run", metavar="RUN")
@shared_options
def variants(run: str) -> int:
    """Show how steady a run is over paraphrases: queries with `variants` in their suite."""
    from kebab.ui.cli.eval_render import stability_lines

    session = current()
    with session.app() as app:
        found = app.evaluation().variants(run)
    if session.json:
        from kebab.wire.evaluation import encode_stability

        session.emit(encode_stability(found))
    else:
        for line in stability_lines(found):
            say(line)
    return 0


eval_group.add_command(make)
eval_group.add_command(calibrate)
