"""Released schemas only ever gain optional things; the comparison that says so is itself put to the test."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wire_additive import breaks

from kebab.wire.schemas import SCHEMA_IDS
from wire_schemas import load

BASELINE = Path(__file__).resolve().parents[2] / "docs" / "wire-schema" / "baseline" / "v1"
RELEASED = sorted(path.name.removesuffix(".schema.json") for path in BASELINE.iterdir())


def test_there_is_a_baseline() -> None:
    assert RELEASED


@pytest.mark.parametrize("name", RELEASED)
def test_a_released_schema_only_gains_optional_things(name: str) -> None:
    assert f"{name}.v1" in SCHEMA_IDS
    released = json.loads((BASELINE / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert breaks(released, load(name)) == []


SAMPLE: dict[str, Any] = {
    "type": "object",
    "description": "Before.",
    "properties": {
        "kind": {"type": "string", "enum": ["line", "page"]},
        "path": {"type": "string", "minLength": 1},
        "score": {"type": ["number", "null"]},
        "tags": {"type": "array", "items": {"type": "string", "pattern": "^a"}},
        "sizes": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        "citation": {"$ref": "citation.schema.json"},
        "inner": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
    },
    "required": ["kind", "path"],
    "allOf": [
        {"if": {"properties": {"kind": {"const": "line"}}, "required": ["kind"]}, "then": {"required": ["start"]}},
    ],
    "$defs": {"state": {"type": "string", "enum": ["fresh", "changed"]}},
}


def _condition(kind: str) -> dict[str, Any]:
    return {"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": {"required": ["z"]}}


BREAKS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "required grew": (lambda s: s["required"].append("score"), "newly required: score"),
    "required shrank": (lambda s: s["required"].remove("path"), "no longer required: path"),
    "required vanished": (lambda s: s.pop("required"), "no longer required: kind"),
    "new field required": (
        lambda s: (s["properties"].update(new={"type": "string"}), s["required"].append("new")),
        "newly required: new",
    ),
    "property removed": (lambda s: s["properties"].pop("score"), "removed: score"),
    "property renamed": (lambda s: s["properties"].update(score2=s["properties"].pop("score")), "removed: score"),
    "type changed": (lambda s: s["properties"]["path"].update(type="integer"), "type changed"),
    "type widened": (lambda s: s["properties"]["path"].update(type=["string", "null"]), "type changed"),
    "type narrowed": (lambda s: s["properties"]["score"].update(type="number"), "type changed"),
    "type dropped": (lambda s: s["properties"]["path"].pop("type"), "type changed"),
    "enum value removed": (lambda s: s["properties"]["kind"]["enum"].remove("page"), "enum value removed: page"),
    "enum dropped": (lambda s: s["properties"]["kind"].pop("enum"), "enum removed"),
    "enum added": (lambda s: s["properties"]["path"].update(enum=["a"]), "enum added"),
    "limit tightened": (lambda s: s["properties"]["path"].update(minLength=2), "minLength changed"),
    "limit dropped": (lambda s: s["properties"]["path"].pop("minLength"), "minLength changed"),
    "limit added": (lambda s: s["properties"]["path"].update(pattern="^x"), "pattern changed"),
    "reference moved": (lambda s: s["properties"]["citation"].update({"$ref": "x.json"}), "$ref changed"),
    "closed": (lambda s: s.update(additionalProperties=False), "additionalProperties changed"),
    "item pattern changed": (lambda s: s["properties"]["tags"]["items"].update(pattern="^b"), "items: pattern changed"),
    "items dropped": (lambda s: s["properties"]["tags"].pop("items"), "items changed"),
    "map values changed": (
        lambda s: s["properties"]["sizes"]["additionalProperties"].update(type="number"),
        "additionalProperties: type changed",
    ),
    "nested required grew": (lambda s: s["properties"]["inner"]["required"].append("y"), "inner: newly required: y"),
    "nested property removed": (lambda s: s["properties"]["inner"]["properties"].pop("x"), "removed: x"),
    "definition removed": (lambda s: s["$defs"].pop("state"), "removed: state"),
    "definition enum shrank": (lambda s: s["$defs"]["state"]["enum"].pop(), "enum value removed: changed"),
    "condition removed": (lambda s: s["allOf"].pop(), "condition removed"),
    "condition grew": (lambda s: s["allOf"][0]["then"]["required"].append("end"), "newly required: end"),
    "condition on a known kind": (lambda s: s["allOf"].append(_condition("page")), "condition added"),
    "condition on everything": (lambda s: s["allOf"].append({"required": ["z"]}), "condition added"),
}

ADDITIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "nothing": lambda s: None,
    "optional field": lambda s: s["properties"].update(new={"type": "string", "enum": ["a"]}),
    "optional object": lambda s: s["properties"].update(new={"type": "object", "required": ["a"]}),
    "nested optional field": lambda s: s["properties"]["inner"]["properties"].update(y={"type": "string"}),
    "enum value": lambda s: s["properties"]["kind"]["enum"].append("region"),
    "new kind with its condition": lambda s: (
        s["properties"]["kind"]["enum"].append("region"),
        s["allOf"].append(_condition("region")),
    ),
    "definition": lambda s: s["$defs"].update(other={"type": "string"}),
    "order": lambda s: s["required"].reverse(),
    "wording": lambda s: (s.update(description="After."), s["properties"]["path"].update(title="Path")),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_noticed_and_named(name: str) -> None:
    change, told = BREAKS[name]
    current = copy.deepcopy(SAMPLE)
    change(current)
    assert any(told in found for found in breaks(SAMPLE, current))


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_passes(name: str) -> None:
    current = copy.deepcopy(SAMPLE)
    ADDITIONS[name](current)
    assert breaks(SAMPLE, current) == []


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_each_real_schema_is_guarded(schema_id: str) -> None:
    released = load(schema_id)
    for name in released["required"]:
        current = copy.deepcopy(released)
        current["required"].remove(name)
        assert breaks(released, current)
    for name in released["properties"]:
        current = copy.deepcopy(released)
        del current["properties"][name]
        assert breaks(released, current)
