"""The ingest stream for the eye: a bar on a terminal, plain lines on request, JSON lines for programs, or nothing."""

import os
import sys
import time
from collections.abc import Iterator
from itertools import chain
from typing import Protocol

import click

from kebab.core.events import (
    AssetFinished,
    AssetPhase,
    AssetStarted,
    EmbedBatchFinished,
    IngestEvent,
    IngestFinished,
    IngestReport,
    PdfOcrStarted,
    ScanCompleted,
    ScanStarted,
    TuningStarted,
)
from kebab.ui.cli.session import Session
from kebab.ui.terminal import printable

# What a person is told while the slow parts of reading a file go on.
_PHASES = {
    "ocr": "reading text in",
    "caption": "describing",
    "transcribe": "listening to",
    "embed": "embedding",
}


class Renderer(Protocol):
    def show(self, events: Iterator[IngestEvent]) -> IngestReport: ...


def renderer(session: Session) -> Renderer:
    if session.json:
        return JsonLines(session)
    if session.quiet:
        return Silent()
    if os.environ.get("KEBAB_PROGRESS") == "plain":
        return PlainLines()
    return Bar() if sys.stderr.isatty() and os.environ.get("TERM") != "dumb" else Silent()


def _report(event: IngestEvent | None) -> IngestReport:
    assert isinstance(event, IngestFinished), "the last event of a run carries its report"
    return event.report


class Silent:
    def show(self, events: Iterator[IngestEvent]) -> IngestReport:
        last = None
        for last in events:  # noqa: B007 - only the last one is wanted
            pass
        return _report(last)


class JsonLines:
    def __init__(self, session: Session) -> None:
        self._session = session

    def show(self, events: Iterator[IngestEvent]) -> IngestReport:
        from kebab.wire.ingest import encode_event

        last = None
        for last in events:
            self._session.emit(encode_event(last))
        return _report(last)


class PlainLines:
    def show(self, events: Iterator[IngestEvent]) -> IngestReport:
        last = None
        for last in events:
            if (line := _line(last)) is not None:
                click.echo(printable(line), err=True)
        return _report(last)


def _line(event: IngestEvent) -> str | None:
    if isinstance(event, ScanStarted):
        return f"scanning {event.root}"
    if isinstance(event, ScanCompleted):
        return f"found {event.total} files"
    if isinstance(event, AssetPhase | PdfOcrStarted):
        return f"[{event.idx}/{event.total}] {_doing(event)} {event.path}"
    if isinstance(event, AssetFinished) and event.result != "unchanged":
        detail = event.error or f"{event.chunks} chunks"
        return f"[{event.idx}/{event.total}] {event.result} {event.path} ({detail})"
    if isinstance(event, EmbedBatchFinished):
        return f"[{event.done}/{event.total}] chunks embedded"
    if isinstance(event, TuningStarted):
        return f"preparing fast searches of {event.total} chunks"
    return None


def _doing(event: AssetPhase | PdfOcrStarted) -> str:
    return f"reading page {event.page} of" if isinstance(event, PdfOcrStarted) else _PHASES[event.phase]


class Bar:
    """Current file, rate and time left. Drawn ten times a second whatever the number of files."""

    def show(self, events: Iterator[IngestEvent]) -> IngestReport:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[path]}", markup=False),
        )
        # The first event before the first stroke: what fails at once needs no bar.
        started_with = next(events)
        last = None
        with Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=10) as bar:
            task = bar.add_task("scanning", total=None, path="", rate="")
            started = time.monotonic()
            for last in chain([started_with], events):
                if isinstance(last, ScanCompleted):
                    bar.update(task, description="indexing", total=last.total)
                elif isinstance(last, AssetStarted):
                    bar.update(task, path=_short(last.path))
                elif isinstance(last, AssetPhase | PdfOcrStarted):
                    bar.update(task, path=f"{_doing(last)} {_short(last.path)}")
                elif isinstance(last, AssetFinished):
                    rate = last.idx / max(time.monotonic() - started, 1e-3)
                    bar.update(task, completed=last.idx, rate=f"{rate:.0f}/s")
                elif isinstance(last, EmbedBatchFinished):
                    bar.update(
                        task, description="embedding", total=last.total, completed=last.done, rate="", path="chunks"
                    )
                elif isinstance(last, TuningStarted):
                    bar.update(task, description="preparing fast searches", total=None, rate="", path="")
        return _report(last)


def _short(path: str, width: int = 40) -> str:
    clean = printable(path)
    return clean if len(clean) <= width else "…" + clean[-width + 1 :]
