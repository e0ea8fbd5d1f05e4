"""The tools that write, offered under `--allow-ingest` alone: an ingest with its progress, its report at the end."""

import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kebab.core.errors import Canceled, InvalidInput
from kebab.core.events import AssetFinished, EmbedBatchFinished, IngestEvent, IngestFinished
from kebab.ui.serving.calls import Call, Progress
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App

# A client draws a bar from these; a thousand a second would only be in the way of the answer.
_PAUSE_SECONDS = 0.1


def ingest(call: Call) -> Json:
    events = ingest_events(call.app, call.values, call.cancel)
    return _report(call, events, summary_only=call.values["summary_only"])


def ingest_events(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Iterator[IngestEvent]:
    from kebab.app.scope import ScopeRequest

    return app.ingest(
        ScopeRequest(_path(values["path"]), values["include"], values["exclude"]),
        force=values["force_reingest"],
        checksum=values["checksum"],
        dry_run=values["dry_run"],
        keep_old=values["keep_old"],
        cancel=cancel,
    )


def ingest_file(call: Call) -> Json:
    path = _path(call.values["path"])
    assert path is not None, "the argument is required"
    return _report(call, call.app.ingest_file(path), summary_only=False)


def ingest_stdin(call: Call) -> Json:
    values = call.values
    events = call.app.ingest_text(values["text"], values["title"], values["source_uri"])
    return _report(call, events, summary_only=False)


def _path(text: str | None) -> Path | None:
    if text is None:
        return None
    if not text or "\0" in text:
        raise InvalidInput("path is not the name of a file or folder", field="path")
    return Path(text)


def _report(call: Call, events: Iterator[IngestEvent], *, summary_only: bool) -> Json:
    from kebab.wire.ingest import encode_report

    told = 0.0
    for event in events:
        if isinstance(event, IngestFinished):
            return encode_report(event.report, summary_only=summary_only)
        if (progress := _progress(event)) is not None and time.monotonic() - told >= _PAUSE_SECONDS:
            told = time.monotonic()
            call.tell(progress)
    raise Canceled("the ingest ended without a report")


def _progress(event: IngestEvent) -> Progress | None:
    if isinstance(event, AssetFinished):
        return Progress(event.idx, event.total, f"{event.result}: {event.path}")
    if isinstance(event, EmbedBatchFinished):
        return Progress(event.done, event.total, "vectors")
    return None
