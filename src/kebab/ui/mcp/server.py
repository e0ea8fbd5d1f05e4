"""The protocol's requests, answered: what the SDK hands over becomes a call in a lane, and its outcome a result."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kebab import __version__
from kebab.core.errors import DocNotFound, KebabError
from kebab.ui.mcp.greeting import DESCRIPTION, INSTRUCTIONS, NAME, TITLE, VERSIONS
from kebab.ui.mcp.resources import TEMPLATES, UNTRUSTED, links, page_of_documents, read_document
from kebab.ui.serving.arguments import checked
from kebab.ui.serving.calls import Call, Progress, Report, Work, performed
from kebab.ui.serving.state import Pace, ServerState
from kebab.ui.serving.tools import Tool, described, tool_named
from kebab.wire.error import encode_error, encode_unexpected
from kebab.wire.value import Json

if TYPE_CHECKING:
    from mcp.server import Server, ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams, ReadResourceRequestParams

    Context = ServerRequestContext[Any, Any]

# In the versions with a handshake, a missing resource has a code of its own.
_RESOURCE_NOT_FOUND = -32002
ERROR = "kebab/error"
_FIRST_WITH_LINKS = "2025-06-18"
_AN_HOUR_MS = 3_600_000
# The versions without a handshake want it; the SDK leaves it out for the others.
_COMPLETE: Json = {"resultType": "complete"}


def make_server(state: ServerState) -> "Server[Any]":
    """The SDK's server with kebab's answers. It serves any number of clients, over any of the SDK's transports."""
    from mcp.server import CacheHint, Server
    from mcp_types import CallToolRequestParams, PaginatedRequestParams, ReadResourceRequestParams

    fixed, changing = CacheHint(_AN_HOUR_MS), CacheHint(0)
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        title=TITLE,
        description=DESCRIPTION,
        instructions=INSTRUCTIONS,
        cache_hints={
            "tools/list": fixed,
            "prompts/list": fixed,
            "resources/templates/list": fixed,
            "resources/list": changing,
            "resources/read": changing,
            "server/discover": fixed,
        },
    )
    answers = Answers(state)
    server.add_request_handler("tools/list", PaginatedRequestParams, answers.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, answers.call_tool)
    server.add_request_handler("prompts/list", PaginatedRequestParams, answers.list_prompts)
    server.add_request_handler("resources/list", PaginatedRequestParams, answers.list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, answers.list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, answers.read_resource)
    return server


class Answers:
    """One method per request of the protocol."""

    def __init__(self, state: ServerState) -> None:
        self._state = state

    async def list_tools(self, _context: "Context", _params: "PaginatedRequestParams") -> Json:
        return {**_COMPLETE, "tools": described(allow_ingest=self._state.allow_ingest)}

    async def list_prompts(self, _context: "Context", _params: "PaginatedRequestParams") -> Json:
        return {**_COMPLETE, "prompts": []}

    async def list_templates(self, _context: "Context", _params: "PaginatedRequestParams") -> Json:
        return {**_COMPLETE, "resourceTemplates": TEMPLATES}

    async def call_tool(self, context: "Context", params: "CallToolRequestParams") -> Json:
        """A failure is a result too, so that whoever called can read it; only an unknown name is the protocol's."""
        try:
            tool = tool_named(params.name, allow_ingest=self._state.allow_ingest)
            if tool is None:
                raise _refused(f"Unknown tool: {params.name[:80]}", {"name": params.name[:80]})
            value = await self._run(tool, params.arguments or {}, _reporter(context))
        except KebabError as error:
            return _failure(encode_error(error))
        except Exception as error:
            if _is_protocol_error(error):
                raise
            message = f"{type(error).__name__}: {error}"
            return _failure(encode_unexpected(message, [message]))
        return _success(value, with_links=context.protocol_version >= _FIRST_WITH_LINKS)

    async def _run(self, tool: Tool, arguments: Mapping[str, Any], report: Report | None) -> Json:
        values = checked(tool.options, arguments)
        return await performed(
            self._state.lane(tool.pace), lambda app, cancel, tell: tool.run(Call(app, values, cancel, tell)), report
        )

    async def list_resources(self, _context: "Context", params: "PaginatedRequestParams") -> Json:
        return await self._resource(lambda app, _cancel, _tell: page_of_documents(app, params.cursor), {})

    async def read_resource(self, context: "Context", params: "ReadResourceRequestParams") -> Json:
        uri = str(params.uri)
        code = _RESOURCE_NOT_FOUND if context.protocol_version in VERSIONS else None
        return await self._resource(lambda app, _cancel, _tell: read_document(app, uri), {"uri": uri}, code)

    async def _resource(self, work: Work, about: Json, not_found: int | None = None) -> Json:
        try:
            return _COMPLETE | await performed(self._state.lane(Pace.QUICK), work)
        except KebabError as error:
            code = not_found if isinstance(error, DocNotFound) else None
            raise _refused(error.message, {**about, "error": encode_error(error)}, code) from error


def _reporter(context: "Context") -> Report | None:
    """None for a client that did not ask to be told."""
    if not context.meta or context.meta.get("progress_token") is None:
        return None

    async def report(progress: Progress) -> None:
        await context.session.report_progress(progress.done, progress.total, progress.message)

    return report


def _success(value: Json, *, with_links: bool) -> Json:
    content: list[Json] = [{"type": "text", "text": json.dumps(value, ensure_ascii=False)}]
    hits = value.get("hits")
    if with_links and isinstance(hits, list):
        content += links(hits)
    meta = {"structuredContent": value, "isError": False, "_meta": dict(UNTRUSTED)}
    return {**_COMPLETE, "content": content, **meta}


def _failure(error: Json) -> Json:
    # Not as structured content: widespread clients hold even an error's against the tool's own schema, which it does
    # not follow, and then show none of it. What stands in `_meta` is held against nothing.
    text = {"type": "text", "text": json.dumps(error, ensure_ascii=False)}
    return {**_COMPLETE, "content": [text], "isError": True, "_meta": {ERROR: error}}


def _refused(message: str, data: Json, code: int | None = None) -> Exception:
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS

    return MCPError(code=INVALID_PARAMS if code is None else code, message=message, data=data)


def _is_protocol_error(error: Exception) -> bool:
    from mcp.shared.exceptions import MCPError

    return isinstance(error, MCPError)
