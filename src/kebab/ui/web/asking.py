"""Work whose events go out as they come: a question on its way to an answer, an ingest to its report. Async on top.

Nobody listening stops the work.
"""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kebab.core.versions import INDEX_VERSION
from kebab.ui.serving.arguments import question_of
from kebab.ui.serving.calls import Progress, performed
from kebab.ui.serving.writing import ingest_events
from kebab.ui.web.streams import BEGUN, line
from kebab.wire.answer import encode_answer_events
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.ui.serving.lanes import Lane

# What an index gives for these values: the names and the objects of events, one by one.
Events = Callable[["App", Mapping[str, Any], threading.Event], Iterator[tuple[str, Json]]]
_PAUSE_SECONDS = 0.1


def _answer_events(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Iterator[Json]:
    question = question_of(values, app.config.search)
    yield from encode_answer_events(app.ask(question, cancel), INDEX_VERSION, evidence=values["evidence"])


def answer_of(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Json:
    *_, last = _answer_events(app, values, cancel)
    answer = last["answer"]
    assert isinstance(answer, dict), "the last event of a question carries the answer"
    return answer


def asked(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Iterator[tuple[str, Json]]:
    """Events of a question, named by their kind."""
    for event in _answer_events(app, values, cancel):
        yield str(event["kind"]), event


def ingested(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Iterator[tuple[str, Json]]:
    """`progress`, ten a second at the most, then `done` with the report."""
    from kebab.core.events import IngestFinished
    from kebab.wire.ingest import encode_event, encode_report

    told = 0.0
    for event in ingest_events(app, values, cancel):
        if isinstance(event, IngestFinished):
            yield "progress", encode_event(event)
            yield "done", encode_report(event.report, summary_only=values["summary_only"])
        elif time.monotonic() - told >= _PAUSE_SECONDS:
            told = time.monotonic()
            yield "progress", encode_event(event)


async def streamed(lane: "Lane", events: Events, values: Mapping[str, Any]) -> AsyncGenerator[str, None]:
    """BEGUN when the turn of the work has come, then server-sent events. Raises what the work raises."""
    arrived: asyncio.Queue[str | None] = asyncio.Queue()

    def work(app: "App", cancel: threading.Event, tell: Callable[[Progress], None]) -> Json:
        tell(Progress(0, message=BEGUN))
        for number, (kind, value) in enumerate(events(app, values, cancel), start=1):
            tell(Progress(number, message=line(kind, value)))
        return {}

    async def report(progress: Progress) -> None:
        arrived.put_nowait(progress.message or BEGUN)

    done = asyncio.ensure_future(performed(lane, work, report))
    done.add_done_callback(lambda _: arrived.put_nowait(None))
    try:
        while (told := await arrived.get()) is not None:
            yield told
        done.result()
    finally:
        done.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await done
