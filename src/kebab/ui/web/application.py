"""The ASGI application: the API's paths, the MCP endpoint and a sign of life, all behind the guard.

Imported only where the server runs: it loads starlette.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kebab.core.errors import Canceled, InvalidInput, ReadonlyMode
from kebab.ui.mcp.arguments import checked
from kebab.ui.mcp.calls import Call, performed
from kebab.ui.mcp.http import mcp_asgi
from kebab.ui.mcp.state import ServerState
from kebab.ui.web.asking import answer_of, streamed, to_the_end
from kebab.ui.web.guard import Asgi, Guard, Policy
from kebab.ui.web.openapi import document
from kebab.ui.web.replies import as_bytes, failure
from kebab.ui.web.requests import from_body, from_words
from kebab.ui.web.routes import Way, ways
from kebab.wire.error import encode_error
from kebab.wire.value import Json

Result = TypeVar("Result")
Endpoint = Callable[[Request], Awaitable[Response]]
_STREAM = "text/event-stream"


def make_app(state: ServerState, policy: Policy) -> Asgi:
    """Whoever runs it closes the state afterwards."""
    endpoint = mcp_asgi(state, None)

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        async with endpoint.running():
            yield

    routes = [
        Route("/healthz", _alive, methods=["GET"]),
        Route("/openapi.json", _described, methods=["GET"]),
        *(Route(way.path, _endpoint(state, way), methods=[way.method]) for way in ways()),
        Route("/mcp", endpoint),
    ]
    app = Starlette(routes=routes, lifespan=life, exception_handlers={HTTPException: _no_such})
    return Guard(app, policy)


def reply(value: Json, status: int = 200) -> Response:
    return Response(as_bytes(value), status, media_type="application/json")


async def _alive(_request: Request) -> Response:
    return reply({"ok": True})


async def _described(_request: Request) -> Response:
    return reply(document())


async def _no_such(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    why = f"{request.method} is not for this path" if status == 405 else "there is nothing at this path"
    return reply(encode_error(InvalidInput(why, hint="/openapi.json describes what there is")), status)


def _endpoint(state: ServerState, way: Way) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            return await _answered(state, way, request)
        except Exception as error:  # noqa: BLE001 - the last door: every failure is an object
            status, value = failure(error)
            return reply(value, status)

    return endpoint


async def _answered(state: ServerState, way: Way, request: Request) -> Response:
    tool = way.tool
    if tool.writes and not state.allow_ingest:
        raise ReadonlyMode(f"{tool.name} writes, and this server only reads", hint="start it with --allow-ingest")
    given = from_words(request.query_params.multi_items(), way.options)
    if way.method == "POST":
        given = from_body(await request.body())
    values = checked(way.options, given)
    lane = state.lane(tool.pace)
    if tool.name != "ask":
        work = performed(lane, lambda app, cancel, tell: tool.run(Call(app, values, cancel, tell)))
        return reply(await _unless_gone(request, work))
    if _STREAM not in request.headers.get("accept", ""):
        work = performed(lane, lambda app, cancel, _tell: answer_of(app, values, cancel))
        return reply(await _unless_gone(request, work))
    events = streamed(lane, values)
    # What fails before the first event still has a status of its own.
    first = await anext(events)
    return _Stream(to_the_end(first, events))


class _Stream(StreamingResponse):
    """Whose source ends with it, also when the client has left while something was on its way to it."""

    def __init__(self, lines: AsyncGenerator[str, None]) -> None:
        super().__init__(lines, media_type=_STREAM)
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._lines):
            await super().__call__(scope, receive, send)


async def _unless_gone(request: Request, work: Awaitable[Result]) -> Result:
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
