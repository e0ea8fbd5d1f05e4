"""How an export, an import or a backup is shown while it runs: as a bar, as lines, or not at all."""

import os
import sys
from collections.abc import Iterator

import click

from kebab.core.transfer import TransferEvent, TransferProgress, TransferReport
from kebab.ui.cli.session import Session


def follow(session: Session, events: Iterator[TransferEvent]) -> TransferReport:
    """Runs it to its end and gives its report. Ctrl-C leaves everything as it was."""
    plain = os.environ.get("KEBAB_PROGRESS") == "plain" or os.environ.get("TERM") == "dumb"
    if session.json or session.quiet:
        return _last(events)
    if plain or not sys.stderr.isatty():
        return _last(_lines(events))
    return _bar(events)


def _last(events: Iterator[TransferEvent]) -> TransferReport:
    for event in events:
        if isinstance(event, TransferReport):
            return event
    raise AssertionError("the last event is the report")


def _lines(events: Iterator[TransferEvent]) -> Iterator[TransferEvent]:
    """A line for each phase."""
    phase = None
    for event in events:
        if isinstance(event, TransferProgress) and event.phase != phase:
            phase = event.phase
            click.echo(phase, err=True)
        yield event


def _bar(events: Iterator[TransferEvent]) -> TransferReport:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:<10}", markup=False),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
    )
    # The first step before the first stroke: what fails at once needs no bar.
    first = next(events)
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=10) as bar:
        task, event = bar.add_task("", total=None), first
        while isinstance(event, TransferProgress):
            bar.update(task, description=event.phase, completed=event.done, total=event.total or None)
            event = next(events)
    return event
