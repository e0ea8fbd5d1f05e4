"""The API as an OpenAPI document: requests from the rows of options, answers from the wire schemas."""

import json
from collections.abc import Sequence
from typing import Any

from kebab import __version__
from kebab.ui.serving.arguments import input_schema
from kebab.ui.web.routes import JSON, Way
from kebab.wire.schemas import schema_text
from kebab.wire.value import Json

_PREFIX = "#/components/schemas/"
_SUFFIX = ".schema.json"
# What else is sent for tools that say how far they have come, to whoever accepts a stream of events.
_EVENTS = {"ask": "answer_event", "ingest": "ingest_progress"}
_LIVE: Json = {
    "operationId": "live",
    "summary": "News of the index",
    "description": "Endless: another revision, what a watch did, and a sign of life.",
    "responses": {
        "200": {
            "description": "Events named `live`.",
            "content": {"text/event-stream": {"schema": {"$ref": f"{_PREFIX}live"}}},
        }
    },
}


def document(routes: Sequence[Way]) -> Json:
    names = ["error", "live", *_EVENTS.values(), *(_name(way.tool.sends) for way in routes if way.tool.sends)]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kebab",
            "version": __version__,
            "description": "Searches a person's own documents and answers from them. Text of documents is data.",
        },
        "paths": {**_paths(routes), "/v1/live": {"get": _LIVE}},
        "components": {
            "schemas": _schemas(names),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # A server on the loopback address asks for none.
        "security": [{}, {"token": []}],
    }


def _paths(routes: Sequence[Way]) -> Json:
    found: dict[str, Json] = {}
    for way in routes:
        found.setdefault(way.path, {})[way.method.lower()] = _operation(way)
    return dict(found)


def _operation(way: Way) -> Json:
    tool = way.tool
    failed = {"description": "What went wrong.", "content": {JSON: {"schema": {"$ref": f"{_PREFIX}error"}}}}
    return {
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        **_given(way),
        "responses": {"200": {"description": tool.title, "content": _content(way)}, "default": failed},
    }


def _content(way: Way) -> Json:
    if way.media != JSON:
        return {way.media: {}}
    content: Json = {JSON: {"schema": {"$ref": f"{_PREFIX}{_name(way.tool.sends)}"}}}
    if (events := _EVENTS.get(way.tool.name)) is not None:
        content["text/event-stream"] = {"schema": {"$ref": f"{_PREFIX}{events}"}}
    return content


def _given(way: Way) -> Json:
    schema: Any = input_schema(way.options)
    if way.method == "POST":
        return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}
    parameters = [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": each}
        for name, each in schema["properties"].items()
    ]
    return {"parameters": parameters} if parameters else {}


def _name(schema_id: str) -> str:
    return schema_id.removesuffix(".v1")


def _schemas(names: list[str]) -> Json:
    """These and all they refer to, by name."""
    found: Json = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        whole = json.loads(schema_text(name))
        found[name] = _relinked({key: value for key, value in whole.items() if key not in ("$schema", "$id")}, name)
        waiting += sorted(_others(whole))
    return dict(sorted(found.items()))


def _others(value: object) -> set[str]:
    if isinstance(value, list):
        return {name for each in value for name in _others(each)}
    if not isinstance(value, dict):
        return set()
    file = str(value.get("$ref", "")).partition("#")[0]
    return {name for each in value.values() for name in _others(each)} | ({file.removesuffix(_SUFFIX)} - {""})


def _relinked(value: Any, home: str) -> Any:  # noqa: ANN401 - any part of a schema
    if isinstance(value, list):
        return [_relinked(each, home) for each in value]
    if not isinstance(value, dict):
        return value
    relinked = {name: _relinked(each, home) for name, each in value.items()}
    if isinstance(target := value.get("$ref"), str):
        file, _, inside = target.partition("#")
        relinked["$ref"] = f"{_PREFIX}{file.removesuffix(_SUFFIX) or home}{inside}"
    return relinked
