"""Wire schemas in one piece: the files a schema refers to come along as `$defs`, for clients that know no folder."""

import json
from typing import Any

from kebab.wire.schemas import schema_text
from kebab.wire.value import Json

_SUFFIX = ".schema.json"
# What is sent has no address of its own, and the parts of it share its dialect.
_ADDRESSES = ("$schema", "$id")


def bundled(schema_id: str) -> Json:
    """The schema of `schema_id`, such as `search_response.v1`, with everything it refers to."""
    root = schema_id.removesuffix(".v1")
    files: dict[str, Json] = {}
    _collect(root, files)
    parts = {name: _relinked(schema, name, root) for name, schema in sorted(files.items())}
    whole: Json = parts.pop(root)
    own = whole.pop("$defs", {})
    assert isinstance(own, dict)
    assert own.keys().isdisjoint(parts), "a definition is called like a schema"
    return {**whole, "$defs": {**own, **parts}} if own or parts else whole


def _collect(name: str, files: dict[str, Json]) -> None:
    if name in files:
        return
    schema: Json = json.loads(schema_text(name))
    files[name] = {key: value for key, value in schema.items() if key not in _ADDRESSES}
    for other in sorted(_references(schema)):
        _collect(other, files)


def _references(value: object) -> set[str]:
    """The other files that are referred to, by name."""
    if isinstance(value, list):
        return {name for each in value for name in _references(each)}
    if not isinstance(value, dict):
        return set()
    inner = {name for each in value.values() for name in _references(each)}
    file = _target(value).partition("#")[0]
    return inner | ({file.removesuffix(_SUFFIX)} if file else set())


def _target(value: dict[str, Any]) -> str:
    target = value.get("$ref")
    return target if isinstance(target, str) else ""


def _relinked(value: Any, home: str, root: str) -> Any:  # noqa: ANN401 - any part of a schema
    """`value`, which stands in the file of `home`, with references that hold where `root` is the whole."""
    if isinstance(value, list):
        return [_relinked(each, home, root) for each in value]
    if not isinstance(value, dict):
        return value
    relinked = {name: _relinked(each, home, root) for name, each in value.items()}
    if target := _target(value):
        file, _, inside = target.partition("#")
        name = file.removesuffix(_SUFFIX) or home
        relinked["$ref"] = f"#{inside}" if name == root else f"#/$defs/{name}{inside}"
    return relinked
