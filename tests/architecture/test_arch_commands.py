"""Every command has help with examples, one line that is the same everywhere, an entry in the docs, and a schema."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kebab.ui.cli.commands import COMMANDS
from kebab.ui.cli.main import kebab
from kebab.wire.schemas import SCHEMA_IDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
# The last object each command sends under --json; None has no JSON form.
SENDS = {
    "init": "init_report.v1",
    "ingest": "ingest_report.v1",
    "ingest-file": "ingest_report.v1",
    "ingest-stdin": "ingest_report.v1",
    "watch": "ingest_report.v1",
    "serve": None,
    "tui": None,
    "web": "web_address.v1",
    "search": "search_response.v1",
    "symbols": "symbol_list.v1",
    "ask": "answer.v1",
    "answers list": "answer_list.v1",
    "answers show": "answer.v1",
    "verify": "verify_report.v1",
    "session list": "session_list.v1",
    "session show": "session.v1",
    "session delete": "session.v1",
    "list docs": "doc_list.v1",
    "inspect doc": "doc_inspection.v1",
    "inspect chunk": "chunk_inspection.v1",
    "inspect ocr-stats": "ocr_stats.v1",
    "inspect ocr-failures": "ocr_failures.v1",
    "fetch chunk": "fetch_result.v1",
    "fetch doc": "fetch_result.v1",
    "fetch span": "fetch_result.v1",
    "fetch page": "fetch_result.v1",
    "open": "open_report.v1",
    "eval run": "eval_run.v1",
    "eval aggregate": "eval_aggregate.v1",
    "eval compare": "eval_compare.v1",
    "eval variants": "eval_variants.v1",
    "eval make": "eval_suite.v1",
    "eval calibrate": "eval_calibration.v1",
    "doctor": "doctor.v1",
    "schema": "schema.v1",
    "vectors status": "vector_status.v1",
    "vectors rebuild": "vector_status.v1",
    "cache status": "cache_status.v1",
    "cache prune": "cache_status.v1",
    "models list": "model_list.v1",
    "models path": "model.v1",
    "models pull": "model.v1",
    "jobs list": "job_list.v1",
    "jobs show": "job.v1",
    "jobs cancel": "job.v1",
    "config show": "config_show.v1",
    "config get": "config_value.v1",
    "config set": "config_set.v1",
    "config path": "config_path.v1",
    "config migrate": "config_migration.v1",
    "export": "transfer_report.v1",
    "import": "transfer_report.v1",
    "backup": "transfer_report.v1",
    "reset": "reset_report.v1",
    "mcp install": "mcp_install.v1",
    "completion": None,
}


def top(name: str) -> click.Command:
    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command


def every() -> Iterator[tuple[str, click.Command]]:
    """Groups and commands, by the words a user types."""
    for name in COMMANDS:
        command = top(name)
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", each) for below, each in command.commands.items())


ALL = dict(every())
LEAVES = {name: command for name, command in ALL.items() if not isinstance(command, click.Group)}


def help_of(name: str, command: click.Command) -> str:
    context = click.Context(kebab, info_name="kebab")
    for word in name.split()[:-1]:
        context = click.Context(ALL[word], info_name=word, parent=context)
    context = click.Context(command, info_name=name.rsplit(maxsplit=1)[-1], parent=context)
    context.max_content_width = 100
    return command.get_help(context)


@pytest.mark.parametrize("name", ALL)
def test_a_command_has_help_with_examples_of_itself(name: str) -> None:
    text = help_of(name, ALL[name])
    head, mark, examples = text.partition("Examples:\n")
    assert mark, text
    assert f"Usage: kebab {name} " in head
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert any(re.search(rf"\bkebab {name}\b", line) for line in lines), lines


@pytest.mark.parametrize("name", ALL)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    for parameter in ALL[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.endswith((".", ")")), parameter.help


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_the_overview_is_the_command_s_own(name: str) -> None:
    command = top(name)
    assert command.name == name
    assert command.short_help == COMMANDS[name][1]


@pytest.mark.parametrize("name", ALL)
def test_the_shared_options_stand_after_every_command(name: str) -> None:
    given = {option for parameter in ALL[name].params for option in parameter.opts}
    assert {"--config", "--json", "--readonly", "--quiet", "--verbose", "--debug"} <= given


def test_every_command_has_a_schema_for_its_json_or_none_on_purpose() -> None:
    assert set(SENDS) == set(LEAVES)
    assert {schema for schema in SENDS.values() if schema} <= set(SCHEMA_IDS)


def entry(name: str) -> str:
    """What docs/cli.md says of one command: from its heading to the next."""
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    found = re.search(rf"^#+ `?(?:kebab )?{re.escape(name)}`?\s*$(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no heading for {name}; `make docs` writes it"
    return found[1]


@pytest.mark.parametrize("name", LEAVES)
def test_the_docs_have_an_entry_with_every_option_of_the_command(name: str) -> None:
    text = entry(name)
    own = [
        option for parameter in LEAVES[name].params if isinstance(parameter, click.Option) for option in parameter.opts
    ]
    missing = [option for option in own if option.startswith("--") and option not in text]
    assert missing == []
    assert "Examples" in text
