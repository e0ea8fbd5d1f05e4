"""The steps of an evaluation for the eye: a bar on a terminal, plain lines on request, or nothing."""

import os
import sys
from collections.abc import Iterator
from typing import TypeVar

import click

from kebab.core.evaluation import EvalStep
from kebab.ui.cli.session import Session
from kebab.ui.terminal import printable

Event = TypeVar("Event")
_WIDTH = 40


def last_of(session: Session, events: Iterator[Event], verb: str) -> Event | None:
    """Runs to the end and gives the last event."""
    if session.json or session.quiet:
        return _silent(events)
    if os.environ.get("KEBAB_PROGRESS") == "plain":
        return _lines(events)
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return _bar(events, verb)
    return _silent(events)


def _silent(events: Iterator[Event]) -> Event | None:
    last = None
    for last in events:  # noqa: B007 - only the last one is wanted
        pass
    return last


def _lines(events: Iterator[Event]) -> Event | None:
    last = None
    for last in events:
        if isinstance(last, EvalStep):
            click.echo(printable(f"[{last.done}/{last.total}] {last.what}"), err=True)
    return last


def _bar(events: Iterator[Event], verb: str) -> Event | None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[what]}", markup=False),
    )
    # The first event before the first stroke: what fails at once needs no bar.
    last = next(events, None)
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=10) as bar:
        task = bar.add_task(verb, total=None, what="")
        while last is not None:
            if isinstance(last, EvalStep):
                bar.update(task, completed=last.done, total=last.total, what=printable(last.what)[:_WIDTH])
            following = next(events, None)
            if following is None:
                break
            last = following
    return last
