"""A question over HTTP: its events as they come, or its answer at the end. Nobody listening stops the work."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from kebab.core.versions import INDEX_VERSION
from kebab.ui.mcp.arguments import question_of
from kebab.ui.mcp.calls import Progress, performed
from kebab.ui.web.replies import failure
from kebab.wire.answer import encode_answer_events
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.ui.mcp.lanes import Lane


def _events(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Iterator[Json]:
    question = question_of(values, app.config.search)
    yield from encode_answer_events(app.ask(question, cancel), INDEX_VERSION, evidence=values["evidence"])


def answer_of(app: "App", values: Mapping[str, Any], cancel: threading.Event) -> Json:
    *_, last = _events(app, values, cancel)
    answer = last["answer"]
    assert isinstance(answer, dict), "the last event of a question carries the answer"
    return answer


async def streamed(lane: "Lane", values: Mapping[str, Any]) -> AsyncGenerator[str, None]:
    """Server-sent events, named by their kind. Raises what the question raises."""
    arrived: asyncio.Queue[str | None] = asyncio.Queue()

    def work(app: "App", cancel: threading.Event, tell: Callable[[Progress], None]) -> Json:
        for number, event in enumerate(_events(app, values, cancel), start=1):
            tell(Progress(number, message=_line(str(event["kind"]), event)))
        return {}

    async def report(progress: Progress) -> None:
        arrived.put_nowait(progress.message or "")

    asked = asyncio.ensure_future(performed(lane, work, report))
    asked.add_done_callback(lambda _: arrived.put_nowait(None))
    try:
        while (line := await arrived.get()) is not None:
            yield line
        asked.result()
    finally:
        asked.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await asked


async def to_the_end(first: str, rest: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """A failure on the way is the last event, named `error`."""
    async with aclosing(rest):
        yield first
        try:
            async for line in rest:
                yield line
        except Exception as error:  # noqa: BLE001 - the answer has begun; this is the only way left to say it
            yield _line("error", failure(error)[1])


def _line(kind: str, value: Json) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"
