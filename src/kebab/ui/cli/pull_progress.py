"""How a pull is shown while it runs: as a bar, as lines, or not at all. Ctrl-C ends it and keeps what has come."""

import os
import sys
from collections.abc import Generator
from contextlib import closing
from itertools import chain
from typing import TypeAlias

import click

from kebab.core.errors import Canceled
from kebab.core.inspection import PullProgress
from kebab.ui.cli.session import Session

Steps: TypeAlias = Generator[PullProgress, None, None]

# Of a file whose length nobody said.
_LINE_BYTES = 50_000_000


def follow(session: Session, name: str, steps: Steps) -> None:
    """Fetches the files. Ctrl-C leaves at once: what has come is kept, and only a whole model counts as one."""
    plain = os.environ.get("KEBAB_PROGRESS") == "plain" or os.environ.get("TERM") == "dumb"
    try:
        with closing(steps):
            if session.json or session.quiet:
                for _ in steps:
                    pass
            elif plain or not sys.stderr.isatty():
                _lines(steps)
            else:
                _bar(steps)
    except KeyboardInterrupt:
        raise Canceled("the pull was stopped", hint=f"`kebab models pull {name}` goes on where it stopped") from None


def _lines(steps: Steps) -> None:
    """A line for each file, and one for each tenth of it."""
    last: tuple[str, int] | None = None
    for file, done, total in steps:
        mark = (file, done * 10 // total if total else done // _LINE_BYTES)
        if mark != last:
            last = mark
            click.echo(f"{file}: {in_bytes(done)}{f' of {in_bytes(total)}' if total else ''}", err=True)


def _bar(steps: Steps) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(compact=True),
    )
    # The first step before the first stroke: what fails at once needs no bar.
    first = next(steps)
    with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=10) as bar:
        tasks = {}
        for file, done, total in chain([first], steps):
            if file not in tasks:
                tasks[file] = bar.add_task(file, total=total)
            bar.update(tasks[file], completed=done, total=total)


def in_bytes(size: int) -> str:
    """Three digits or so, in the units disks are sold in."""
    amount, unit = float(size), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.1f} {unit}" if amount < 10 and unit != "B" else f"{amount:.0f} {unit}"
