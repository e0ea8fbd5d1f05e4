"""What a long answer needs: events as lines of a stream that ends with its client, and work that stops when it leaves.

Imported only where the server runs: it loads starlette.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from kebab.core.errors import Canceled
from kebab.ui.serving.replies import failure
from kebab.wire.value import Json

Result = TypeVar("Result")
STREAM = "text/event-stream"
# Told to whoever waits, so that a browser knows that it is connected. Readers of events pass over it.
WAITING = ": waiting\n\n"
# What comes before any event of work whose turn has come.
BEGUN = ""
_TURN_SECONDS = 1.0
_QUIET_SECONDS = 5.0


def line(kind: str, value: Json) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n"


def wants_stream(request: Request) -> bool:
    return STREAM in request.headers.get("accept", "")


class Stream(StreamingResponse):
    """Whose source ends with it, also when the client has left while something was on its way to it."""

    def __init__(self, lines: AsyncGenerator[str, None]) -> None:
        super().__init__(lines, media_type=STREAM)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._lines):
            if scope["method"] == "HEAD":
                # What follows the head is of no use to anybody, and may never end.
                await Response(headers=self.headers)(scope, receive, send)
                return
            await super().__call__(scope, receive, send)


async def begun(lines: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """The same lines, once the first is there or it is clear that it takes a while. Raises what comes before that.

    A client that has to wait hears so at once, and again and again. A failure later on is the last event, `error`.
    """
    upcoming = asyncio.ensure_future(anext(lines, None))
    await asyncio.wait({upcoming}, timeout=_TURN_SECONDS)
    if upcoming.done() and upcoming.result() == BEGUN:
        upcoming = asyncio.ensure_future(anext(lines, None))
        await asyncio.wait({upcoming}, timeout=_TURN_SECONDS)
    if upcoming.done():
        upcoming.result()
    return _kept_alive(upcoming, lines)


async def _kept_alive(
    upcoming: "asyncio.Future[str | None]", lines: AsyncGenerator[str, None]
) -> AsyncGenerator[str, None]:
    try:
        if not upcoming.done():
            yield WAITING
        while True:
            await asyncio.wait({upcoming}, timeout=_QUIET_SECONDS)
            if not upcoming.done():
                yield WAITING
                continue
            try:
                told = upcoming.result()
            except Exception as error:  # noqa: BLE001 - the answer has begun; this is the only way left to say it
                yield line("error", failure(error)[1])
                return
            if told is None:
                return
            if told != BEGUN:
                yield told
            upcoming = asyncio.ensure_future(anext(lines, None))
    finally:
        upcoming.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await upcoming
        await lines.aclose()


async def unless_gone(request: Request, work: Awaitable[Result]) -> Result:
    """What the work gives; it is asked to stop when the client hangs up."""
    call: asyncio.Future[Any] = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({call, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not call.done():
            raise Canceled("the client no longer waits")
        result: Result = call.result()
        return result
    finally:
        for task in (call, gone):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
