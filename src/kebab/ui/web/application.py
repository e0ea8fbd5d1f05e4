"""The ASGI application: the page, the API's paths, the MCP endpoint and a sign of life, all behind the guard.

Imported only where the server runs: it loads starlette.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kebab.core.errors import InvalidInput, ReadonlyMode
from kebab.ui.serving.arguments import checked
from kebab.ui.serving.calls import Call, performed
from kebab.ui.serving.guard import Asgi, Guard, Policy
from kebab.ui.serving.lanes import Lane
from kebab.ui.serving.replies import as_bytes, failure
from kebab.ui.serving.sessions import Sessions
from kebab.ui.serving.state import Pace, ServerState
from kebab.ui.web import entering, page
from kebab.ui.web.asking import answer_of, asked, ingested, streamed
from kebab.ui.web.live import Live
from kebab.ui.web.media import PICTURES, shown
from kebab.ui.web.openapi import document
from kebab.ui.web.requests import from_body, from_words
from kebab.ui.web.routes import JSON, Way, ways
from kebab.ui.web.streams import Stream, begun, unless_gone, wants_stream
from kebab.ui.web.switching import switches
from kebab.ui.web.viewing import LOOKS
from kebab.ui.web.watching import Watch
from kebab.wire.error import encode_error
from kebab.wire.value import Json

Endpoint = Callable[[Request], Awaitable[Response]]
_STREAMED = {"ask": asked, "ingest": ingested}


class Agents(Protocol):
    """An endpoint for agents, which answers while it is running."""

    def running(self) -> AbstractAsyncContextManager[None]: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


def make_app(state: ServerState, policy: Policy, agents: Agents, watch: Watch | None = None) -> Asgi:
    """Whoever runs it closes the state afterwards. The watch ends with it."""
    watch = watch or Watch(state, Live())
    sessions = policy.sessions or Sessions()
    every = (*ways(), *LOOKS, *PICTURES, *switches(watch))
    routes = [
        Route("/healthz", _alive, methods=["GET"]),
        Route("/openapi.json", _described(every), methods=["GET"]),
        *(Route(way.path, _endpoint(state, way, watch.live), methods=[way.method]) for way in every),
        Route("/v1/live", _lively(state, watch.live), methods=["GET"]),
        Route("/mcp", agents),
        *entering.routes(sessions, policy.token),
        *page.routes(),
    ]
    app = Starlette(routes=routes, lifespan=_life(agents, watch), exception_handlers={HTTPException: _no_such})
    # What is nearly an address is none.
    app.router.redirect_slashes = False
    return Guard(app, policy._replace(sessions=sessions))


def _life(agents: Agents, watch: Watch) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        async with agents.running():
            try:
                yield
            finally:
                await asyncio.to_thread(watch.close)

    return life


def reply(value: Json, status: int = 200) -> Response:
    return Response(as_bytes(value), status, media_type="application/json")


async def _alive(_request: Request) -> Response:
    return reply({"ok": True})


def _described(every: Sequence[Way]) -> Endpoint:
    @cache
    def described() -> Json:
        return document(every)

    async def endpoint(_request: Request) -> Response:
        return reply(described())

    return endpoint


def _lively(state: ServerState, live: Live) -> Endpoint:
    async def endpoint(_request: Request) -> Response:
        return Stream(live.events(state.lane(Pace.QUICK)))

    return endpoint


async def _no_such(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    why = f"{request.method} is not for this path" if status == 405 else "there is nothing at this path"
    return reply(encode_error(InvalidInput(why, hint="/openapi.json describes what there is")), status)


def _endpoint(state: ServerState, way: Way, live: Live) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            return await _answered(state, way, request, live)
        except Exception as error:  # noqa: BLE001 - the last door: every failure is an object
            status, value = failure(error)
            return reply(value, status)

    return endpoint


async def _answered(state: ServerState, way: Way, request: Request, live: Live) -> Response:
    tool = way.tool
    if tool.writes and not state.allow_ingest:
        raise ReadonlyMode(f"{tool.name} writes, and this server only reads", hint="start it with --allow-ingest")
    given = from_words(request.query_params.multi_items(), way.options)
    if way.method == "POST":
        given = from_body(await request.body())
    values = checked(way.options, given)
    lane = state.lane(tool.pace)
    if way.media != JSON:
        return await shown(request, lane, way, values)
    if tool.name in _STREAMED and wants_stream(request):
        return Stream(await begun(streamed(lane, _STREAMED[tool.name], values)))
    found = await unless_gone(request, _performed(lane, way, values))
    if tool.name == "facets":
        found.update(allow_ingest=state.allow_ingest, watching=live.watching)
    return reply(found)


async def _performed(lane: Lane, way: Way, values: Mapping[str, Any]) -> Json:
    tool = way.tool
    if tool.name == "ask":
        return await performed(lane, lambda app, cancel, _tell: answer_of(app, values, cancel))
    return await performed(lane, lambda app, cancel, tell: tool.run(Call(app, values, cancel, tell)))
