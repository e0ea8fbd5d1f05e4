"""Arguments of tools: what is wrong with one is said by its name, and what is unusual but clear is taken."""

from typing import Any

import jsonschema_rs
import pytest

from kebab.core.errors import InvalidInput
from kebab.core.query import SearchSettings
from kebab.ui.options import ASK, FILTERS, SEARCH, Kind, Option
from kebab.ui.serving.arguments import QUERY, checked, input_schema, question_of
from kebab.ui.serving.tools import TOOLS, described

ROWS = (QUERY, *SEARCH, *FILTERS)
QUESTION = Option("question", Kind.TEXT, "", "text", required=True)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "query"),
        ({"query": None}, "query"),
        ({"query": 3}, "query"),
        ({"query": ["rice"]}, "query"),
        ({"query": "rice", "k": 0}, "k"),
        ({"query": "rice", "k": 1001}, "k"),
        ({"query": "rice", "k": 2.5}, "k"),
        ({"query": "rice", "k": True}, "k"),
        ({"query": "rice", "k": "3"}, "k"),
        ({"query": "rice", "k": float("nan")}, "k"),
        ({"query": "rice", "k": float("inf")}, "k"),
        ({"query": "rice", "k": 10**400}, "k"),
        ({"query": "rice", "mode": "psychic"}, "mode"),
        ({"query": "rice", "trust_min": "none"}, "trust_min"),
        ({"query": "rice", "snippet_chars": 19}, "snippet_chars"),
        ({"query": "rice", "max_tokens": -1}, "max_tokens"),
        ({"query": "rice", "tag": [1]}, "tag"),
        ({"query": "rice", "tag": [["a"]]}, "tag"),
        ({"query": "rice", "tag": {"a": 1}}, "tag"),
        ({"query": "rice", "trace": "yes"}, "trace"),
        ({"query": "rice", "tags": ["a"]}, "tags"),
        ({"query": "rice", "schema_version": "x"}, "schema_version"),
    ],
)
def test_an_argument_that_cannot_be_used_is_refused_by_name(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(ROWS, given)
    assert refused.value.details["field"] == field


def test_a_mistyped_argument_is_told_the_right_one() -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(ROWS, {"query": "rice", "path_globs": "*"})
    assert refused.value.hint == "did you mean path_glob?"


def test_null_is_the_same_as_absent_and_absent_has_a_default() -> None:
    absent = checked(ROWS, {"query": "rice"})
    assert checked(ROWS, {"query": "rice", **{row.name: None for row in ROWS if not row.required}}) == absent
    assert absent["tag"] == ()
    assert absent["mode"] == "hybrid"
    assert absent["k"] is None


def test_a_single_text_is_a_list_of_one_and_equal_texts_count_once() -> None:
    assert checked(ROWS, {"query": "rice", "tag": "a, b"})["tag"] == ("a, b",)
    assert checked(ROWS, {"query": "rice", "tag": ["a", "", "a"]})["tag"] == ("a",)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert checked(ROWS, {"query": "rice", "k": 10.0})["k"] == 10


def test_text_that_utf_8_cannot_carry_is_made_harmless() -> None:
    assert checked(ROWS, {"query": "a\ud800b"})["query"] == "a?b"


def test_a_question_takes_what_was_given_and_the_rest_from_the_settings() -> None:
    given = {"question": "why?", "seed": 3, "temperature": 1, "multi_hop": True, "session": "s", "lang": ["ko"]}
    question = question_of(checked((QUESTION, *ASK, *FILTERS), given), SearchSettings(default_k=4))
    assert (question.text, question.k, question.seed, question.multi_hop) == ("why?", 4, 3, True)
    assert (question.session_id, question.filters.langs, question.temperature) == ("s", ("ko",), 1)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_schema_of_a_tool_is_valid_and_refuses_what_the_check_refuses(tool: Any) -> None:
    schema = input_schema(tool.options)
    jsonschema_rs.meta.validate(schema)
    accepts = jsonschema_rs.Draft202012Validator(schema).is_valid
    assert schema["type"] == "object"
    assert not accepts({"no such argument": 1})
    for row in tool.options:
        others = {other.name: _fitting(other) for other in tool.options if other.required}
        assert accepts({**others, row.name: _fitting(row)}), row.name
        assert checked(tool.options, {**others, row.name: _fitting(row)})[row.name] is not None
        assert not accepts({**others, row.name: {"an": "object"}}), row.name
        with pytest.raises(InvalidInput):
            checked(tool.options, {**others, row.name: {"an": "object"}})


def _fitting(row: Option) -> Any:
    if row.choices:
        return row.choices[-1]
    fitting = {Kind.TEXT: "x", Kind.TEXTS: ["x"], Kind.FLAG: True, Kind.QUERIES: [{"query": "x"}]}
    return fitting.get(row.kind, row.least or 0)


def test_no_description_is_longer_than_an_agent_wants_to_read() -> None:
    tools = described(allow_ingest=True)
    assert len({tool["name"] for tool in tools}) == len(TOOLS)
    assert max(len(str(tool["description"])) for tool in tools) < 400


def test_of_a_name_without_end_only_the_beginning_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def near(name: str, *_given: object, **_options: object) -> list[str]:
        compared.append(name)
        return []

    monkeypatch.setattr("kebab.ui.serving.arguments.get_close_matches", near)
    with pytest.raises(InvalidInput, match="there is no argument") as raised:
        checked(ROWS, {"x" * 1_000_000: 1})
    assert compared == ["x" * 80]
    assert raised.value.details == {"field": "x" * 80}
