"""IngestScreen: folders into the index with progress, stopped by Esc in good order. Draws the events of an ingest."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from kebab.core.errors import KebabError
from kebab.core.events import (
    AssetFinished,
    AssetStarted,
    EmbedBatchFinished,
    IngestEvent,
    IngestFinished,
    IngestReport,
    ScanStarted,
)
from kebab.ui.tui.inking import ink, trouble
from kebab.ui.tui.pane import Line, Tools
from kebab.ui.tui.workers import Pace

if TYPE_CHECKING:
    from kebab.app.facade import App

_BAR = 24
_NOTES = 5


class IngestScreen(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, tools: Tools) -> None:
        super().__init__()
        self._tools = tools
        self._folder = Line(tools.words["folder"], tools.words["folder_for"], "folder")
        self._cancel: threading.Event | None = None
        self.report: IngestReport | None = None

    def compose(self) -> ComposeResult:
        words = self._tools.words
        with Vertical(classes="dialog"):
            yield Static(ink(f"── {words['ingest']} ──", "bold"), classes="bar")
            yield self._folder
            yield Static(ink(""), id="progress", classes="bar")
            yield Static(ink(""), id="notes")
            yield Static(ink(words["ingest_start"], "dim"), id="ingest-keys", classes="bar")

    def on_mount(self) -> None:
        self._folder.input.focus()

    @property
    def running(self) -> bool:
        return self._cancel is not None

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.running:
            return
        cancel, given = self._tools.desk.cancellation(), event.value.strip()
        self._cancel = cancel
        self._say("ingest-keys", ink(self._tools.words["ingest_running"], "dim"))
        self._say("notes", ink(""))
        folder = Path(given) if given else None
        self._tools.desk.follow(
            Pace.WRITE, lambda app: _events(app, folder, cancel), self._event, self._failed, _is_fleeting
        )

    def action_leave(self) -> None:
        """Once to stop, and once more to close."""
        if not self.cancel():
            self.dismiss(None)

    def cancel(self) -> bool:
        """Whether there was something to stop."""
        if self._cancel is None:
            return False
        self._cancel.set()
        self._say("ingest-keys", ink(self._tools.words["ingest_closing"], "yellow"))
        return True

    def _event(self, event: IngestEvent) -> None:
        words = self._tools.words
        if isinstance(event, ScanStarted):
            self._say("progress", ink(words["scanning"].format(path=event.root)))
        elif isinstance(event, AssetStarted | AssetFinished):
            self._say("progress", _bar(event.idx, event.total, event.path))
        elif isinstance(event, EmbedBatchFinished):
            self._say("progress", _bar(event.done, event.total, words["embedding"]))
        elif isinstance(event, IngestFinished):
            self._finished(event.report)

    def _finished(self, report: IngestReport) -> None:
        words, counts = self._tools.words, report.counts
        self._cancel, self.report = None, report
        counted = words["ingest_counts"].format(
            new=counts.new,
            updated=counts.updated,
            unchanged=counts.unchanged,
            removed=report.purged_deleted_files,
            skipped=counts.skipped,
            errors=counts.errors,
        )
        told = words["ingest_stopped" if report.aborted else "ingest_done"].format(counts=counted)
        self._say("progress", ink(told, "bold"))
        notes = [
            f"{item.doc_path}: {note}" for item in report.notable() for note in (item.error, *item.warnings) if note
        ]
        self._say("notes", Text("\n").join(ink(note) for note in (*notes[:_NOTES], *report.warnings[:_NOTES])))
        self._say("ingest-keys", ink(words["ingest_start"], "dim"))

    def _failed(self, error: KebabError) -> None:
        self._cancel = None
        self._say("progress", ink(trouble(error, self._tools.words["hint"]), "yellow"))
        self._say("ingest-keys", ink(self._tools.words["ingest_start"], "dim"))

    def _say(self, name: str, text: Text) -> None:
        if self.is_mounted:
            self.query_one(f"#{name}", Static).update(text)


def _events(app: "App", folder: Path | None, cancel: threading.Event) -> Iterator[IngestEvent]:
    from kebab.app.scope import ScopeRequest

    return app.ingest(ScopeRequest(folder), cancel=cancel)


def _is_fleeting(event: IngestEvent) -> bool:
    return not isinstance(event, ScanStarted | IngestFinished)


def _bar(done: int, total: int, path: str) -> Text:
    filled = _BAR * done // total if total else 0
    return ink(f"[{'#' * filled}{'.' * (_BAR - filled)}] {done}/{total} {path}")
