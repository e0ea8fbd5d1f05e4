"""Checks a wire object against the schema it names. Shared by every test that sees JSON kebab sent."""

import json
from functools import cache
from typing import Any

import jsonschema_rs

from kebab.wire.schemas import SCHEMA_IDS, schema_text

# The schemas name each other by file name; any base will do, as long as nothing can be fetched from it.
BASE = "kebab:///wire/v1/"


def load(schema_id: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(schema_text(schema_id))
    return schema


def _uri(schema_id: str) -> str:
    return f"{BASE}{schema_id.removesuffix('.v1')}.schema.json"


@cache
def _validator(schema_id: str) -> jsonschema_rs.Draft202012Validator:
    registry = jsonschema_rs.Registry([(_uri(known), load(known)) for known in SCHEMA_IDS])
    return jsonschema_rs.Draft202012Validator(
        load(schema_id), registry=registry, base_uri=_uri(schema_id), offline=True, validate_formats=True
    )


def problems(value: object) -> list[str]:
    """Where and why `value` is not what its `schema_version` says; empty when it is."""
    if not isinstance(value, dict):
        return [f"$: not an object: {value!r}"]
    schema_id = value.get("schema_version")
    if schema_id not in SCHEMA_IDS:
        return [f"$.schema_version: unknown: {schema_id!r}"]
    errors = _validator(schema_id).iter_errors(value)
    return ["$" + "".join(f"[{step!r}]" for step in error.instance_path) + f": {error.message}" for error in errors]


def check(value: object) -> None:
    """Raises AssertionError with the path of every failure."""
    found = problems(value)
    assert not found, "\n".join(found)
