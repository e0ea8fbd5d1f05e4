"""Schemas in one piece say of every wire object what the files of the folder say."""

import json
from typing import Any

import jsonschema_rs
import pytest

from kebab.ui.serving.schemas import bundled
from kebab.ui.serving.tools import TOOLS
from kebab.wire.schemas import SCHEMA_IDS, schema_text

IDS = sorted({tool.sends for tool in TOOLS})


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [each for part in value for each in references(part)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return own + [each for part in value.values() for each in references(part)]


@pytest.mark.parametrize("schema_id", SCHEMA_IDS)
def test_a_bundle_is_a_valid_schema_that_refers_to_itself_alone(schema_id: str) -> None:
    bundle = bundled(schema_id)
    jsonschema_rs.meta.validate(bundle)
    for reference in references(bundle):
        assert reference.startswith("#")
        place: Any = bundle
        for step in reference.removeprefix("#").split("/")[1:]:
            place = place[step]
        assert isinstance(place, dict)


@pytest.mark.parametrize("schema_id", IDS)
def test_a_bundle_has_the_fields_of_the_wire_schema(schema_id: str) -> None:
    own, bundle = json.loads(schema_text(schema_id)), bundled(schema_id)
    assert bundle["type"] == "object"
    assert list(bundle["properties"]) == list(own["properties"])  # type: ignore[call-overload]
    assert bundle["required"] == own["required"]


def test_a_bundle_refuses_what_is_wrong_deep_inside_another_schema() -> None:
    valid = jsonschema_rs.Draft202012Validator(bundled("verify_report.v1"))
    cited = {"kind": "line", "path": "a.md", "uri": "a.md#L1", "start": 1, "end": 1, "indexed_at": "x", "stale": 0}
    errors = list(valid.iter_errors({"checks": [{"citation": cited}]}))
    assert any(list(error.instance_path)[-1:] == ["stale"] for error in errors), [error.message for error in errors]
