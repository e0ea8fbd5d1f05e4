"""`kebab watch`."""

from typing import TYPE_CHECKING

import click

from kebab.ui.cli.interrupt import stop_on_signals
from kebab.ui.cli.session import Session, current, example, shared_options
from kebab.ui.serving.watch_words import is_worth_telling, lines

if TYPE_CHECKING:
    from kebab.app.watch import WatchEvent


@click.command(
    short_help="Keep the index current while files change.",
    epilog=example("kebab watch", "kebab watch --poll", "kebab watch --json"),
)
@click.option("--poll", is_flag=True, help="Look every few seconds, where the system does not tell of changes.")
@shared_options
def watch(*, poll: bool) -> int:
    """Keep the index current while files change, until Ctrl-C.

    Every folder that `kebab ingest` covers is watched. On network file systems it looks every few seconds instead of
    being told. Under --json each run is one line: its report.
    """
    session = current()
    with session.app() as app, stop_on_signals() as stop:
        for event in app.watch(stop, poll=poll):
            show(session, event)
    return 0


def show(session: Session, event: "WatchEvent") -> None:
    """A line per run that changed something; under --json its report."""
    from kebab.app.watch import Noted, Working

    if isinstance(event, Working):
        return
    if isinstance(event, Noted):
        session.talk(event.text)
    elif session.json:
        from kebab.wire.ingest import encode_report

        if is_worth_telling(event):
            session.emit(encode_report(event.report, summary_only=False))
    elif is_worth_telling(event):
        for line in lines(event):
            session.talk(line)
