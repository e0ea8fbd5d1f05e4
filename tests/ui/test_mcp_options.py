"""One table of options: the command line, the tools, the wire's decoder and its schema have the same ones."""

import json
from typing import Any

import click
import pytest

from kebab.core.answer import Question
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, Query, SearchMode, SearchSettings
from kebab.ui.cli.ask import ask
from kebab.ui.cli.library import list_docs
from kebab.ui.cli.search import search
from kebab.ui.cli.session import shared_options
from kebab.ui.cli.symbols import symbols
from kebab.ui.options import ASK, FILTERS, LIST_DOCS, SEARCH, SYMBOLS, Kind, Option, filters_of
from kebab.ui.serving.arguments import QUERY, checked, input_schema, query_of
from kebab.ui.serving.tools import TOOLS
from kebab.wire.bulk import decode_bulk_input
from kebab.wire.schemas import schema_text

# How hits and answers are printed, and where queries come from: nothing a tool could use.
FOR_TERMINALS = {
    "search": {"format", "bulk", "explain"},
    "ask": {"hide_citations", "explain", "stream"},
    "list_docs": set(),
    "symbols": set(),
}
# A person at a terminal can scroll.
ON_TERMINALS = {("list_docs", "limit"): 0}
COMMANDS: dict[str, tuple[click.Command, tuple[Option, ...]]] = {
    "search": (search, (*SEARCH, *FILTERS)),
    "ask": (ask, (*ASK, *FILTERS)),
    "list_docs": (list_docs, (*LIST_DOCS, *FILTERS)),
    "symbols": (symbols, (*SYMBOLS, *FILTERS)),
}
SAMPLES: dict[str, Any] = {
    "tag": ["a", "b"],
    "trust_min": "secondary",
    "ingested_after": "2026-03-01",
    "code_lang": ["python"],
    "k": 7,
    "mode": "lexical",
    "snippet_chars": 99,
    "max_per_doc": 2,
    "max_tokens": 300,
    "cursor": "c",
    "trace": True,
}
DEFAULTS = Query("", SearchMode.HYBRID, SearchSettings().default_k)


@click.command
@shared_options
def bare() -> None:
    """Has the options that every command has."""


def typed(command: click.Command) -> dict[str, click.Option]:
    """The options of a command by the name a user types, without the dashes."""
    return {
        max(parameter.opts, key=len).removeprefix("--").replace("-", "_"): parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
    }


def flags(command: click.Command) -> dict[str, click.Option]:
    return {name: option for name, option in typed(command).items() if name not in typed(bare)}


def sample(row: Option) -> Any:
    return SAMPLES.get(row.name, ["x", "y"])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_and_its_tool_have_the_options_of_the_table(name: str) -> None:
    command, rows = COMMANDS[name]
    names = {row.name for row in rows}
    assert set(flags(command)) - FOR_TERMINALS[name] == names
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    assert names <= {row.name for row in tool.options}
    assert {row.name for row in tool.options} - names <= {"query", "question"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_and_the_table_say_the_same_of_every_option(name: str) -> None:
    command, rows = COMMANDS[name]
    for row in rows:
        option = flags(command)[row.name]
        assert option.help == row.help
        assert option.multiple == (row.kind is Kind.TEXTS)
        assert option.is_flag == (row.kind is Kind.FLAG)
        assert tuple(getattr(option.type, "choices", ())) == row.choices
        default = option.default if isinstance(option.default, str | int) else None
        wanted = ON_TERMINALS.get((name, row.name), row.default)
        assert (default or None) == (wanted or None), row.name


def test_every_filter_has_a_row_and_every_row_a_field() -> None:
    assert [row.field for row in FILTERS] == list(Filters._fields)
    repeated = {name for name, default in Filters()._asdict().items() if default == ()}
    assert {row.field for row in FILTERS if row.kind is Kind.TEXTS} == repeated


def test_every_field_of_a_query_and_of_a_question_has_a_row() -> None:
    assert {row.field for row in (QUERY, *SEARCH)} | {"filters"} == set(Query._fields)
    assert {row.field for row in ASK} | {"text", "filters"} == set(Question._fields)


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if tool.name in {*COMMANDS, "bulk_search"}])
def test_no_tool_that_searches_lacks_a_filter(tool: Any) -> None:
    assert {row.name for row in FILTERS} <= set(input_schema(tool.options)["properties"])  # type: ignore[call-overload]


def test_the_schema_of_bulk_input_has_the_same_fields_within_the_same_limits() -> None:
    properties = json.loads(schema_text("bulk_search_input"))["properties"]
    rows = (QUERY, *SEARCH, *FILTERS)
    assert set(properties) - {"schema_version"} == {row.name for row in rows}
    for row in rows:
        theirs = properties[row.name]
        assert theirs.get("maximum", row.most) == row.most, row.name
        # 0 says "no limit" where it is a default; on the wire that is said by leaving the field out.
        assert max(row.least or 0, theirs.get("minimum", 0)) == theirs.get("minimum", 0), row.name
        assert ("array" in theirs.get("type", [])) == (row.kind is Kind.TEXTS), row.name


@pytest.mark.parametrize("row", [*SEARCH, *FILTERS], ids=lambda row: row.name)
def test_the_decoder_of_bulk_input_makes_the_same_query_of_every_option(row: Option) -> None:
    given = {"query": "rice", row.name: sample(row)}
    ours = query_of(checked((QUERY, *SEARCH, *FILTERS), given), SearchSettings())
    assert ours == decode_bulk_input(given, DEFAULTS)
    assert ours != decode_bulk_input({"query": "rice"}, DEFAULTS)


def test_the_language_of_code_is_found_however_it_is_written() -> None:
    assert filters_of({"code_lang": ("Python",)}).code_langs == ("python",)
    assert decode_bulk_input({"query": "x", "code_lang": ["Python"]}, DEFAULTS).filters.code_langs == ("python",)


def test_a_moment_that_is_none_is_refused_by_the_name_its_interface_uses() -> None:
    with pytest.raises(InvalidInput, match=r"^--ingested-after: 'yesterday'"):
        filters_of({"ingested_after": "yesterday"}, label="--")
    with pytest.raises(InvalidInput, match=r"^ingested_after: 'yesterday'"):
        filters_of({"ingested_after": "yesterday"})
