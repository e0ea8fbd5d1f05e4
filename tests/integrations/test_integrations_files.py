"""What agents are given: every command, option and field named there exists, and every file is what a client reads."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # noqa: TID253

from kebab import __version__
from kebab.app.mcp_clients import CLIENTS
from kebab.core.errors import ERROR_CODES
from kebab.ui.cli.main import _status, kebab
from kebab.ui.serving.tools import TOOLS
from kebab.wire.schemas import SCHEMA_IDS
from wire_schemas import load

FOLDER = Path(__file__).resolve().parents[2] / "integrations"
PLUGIN = FOLDER / "claude-code"
TEXTS = sorted(path for path in FOLDER.rglob("*.md"))
NAMES = [path.relative_to(FOLDER).as_posix() for path in TEXTS]


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def spans(name: str) -> list[str]:
    """The code between single backquotes, over line ends too."""
    prose = re.sub(r"```.*?```", "", text_of(name), flags=re.DOTALL)
    return [" ".join(found.split()) for found in re.findall(r"`([^`]+)`", prose)]


def blocks(name: str) -> list[str]:
    found = re.findall(r"```\w*\n(.*?)```", text_of(name), flags=re.DOTALL)
    return [line.strip() for block in found for line in block.splitlines()]


def commands(name: str) -> list[str]:
    return [line for line in [*spans(name), *blocks(name)] if line.startswith("kebab ")]


def leaf(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that the words name, and what follows it."""
    command: click.Command = kebab
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, words = found, words[1:]
    return command, words


def options_of(command: click.Command) -> dict[str, click.Option]:
    return {
        name: each for each in command.params if isinstance(each, click.Option) for name in (*each.opts, "-h", "--help")
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_command_that_is_named_exists_with_its_options(name: str) -> None:
    for line in commands(name):
        words = shlex.split(line.partition(" <")[0])[1:]
        command, rest = leaf(words)
        known = options_of(command)
        for place, word in enumerate(rest):
            if not word.startswith("-"):
                continue
            assert word in known, (line, word)
            option = known[word]
            if isinstance(option.type, click.Choice) and not option.is_flag:
                assert rest[place + 1] in option.type.choices, (line, word)


def test_commands_that_are_spelled_out_can_be_parsed() -> None:
    """The blocks are there to be copied: click takes them as they stand."""
    lines = [line for name in NAMES for line in blocks(name) if line.startswith("kebab ")]
    assert len(lines) >= 15
    for line in lines:
        command, rest = leaf(shlex.split(line.partition(" <")[0])[1:])
        command.make_context(line, list(rest), resilient_parsing=False, obj=None).close()


def properties(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from properties(each)
    if isinstance(value, dict):
        yield from value.get("properties", {})
        for each in value.values():
            yield from properties(each)


def values(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from values(each)
    if isinstance(value, dict):
        yield from (each for each in value.get("enum", ()) if isinstance(each, str))
        for each in value.values():
            yield from values(each)


FIELDS = {name for schema in SCHEMA_IDS for name in properties(load(schema))}
VALUES = {name for schema in SCHEMA_IDS for name in values(load(schema))} | set(ERROR_CODES)
TOOL_NAMES = {tool.name for tool in TOOLS}
OPTIONS = {f"--{row.name.replace('_', '-')}" for tool in TOOLS for row in tool.options} | {"--json"}


def named_fields(name: str) -> list[str]:
    """Words in code that look like a field, such as `citation.uri`."""
    words = [span for span in spans(name) if re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", span) and not span.endswith(".md")]
    others = (TOOL_NAMES | VALUES | {"kebab", "mcp", "claude-code"}) - FIELDS
    return [word for word in words if word not in others]


@pytest.mark.parametrize("name", NAMES)
def test_every_field_that_is_named_is_in_the_schemas(name: str) -> None:
    for word in named_fields(name):
        assert set(word.split(".")) <= FIELDS or (FOLDER / name).with_name(word).exists() or "json" in word, word


def test_the_fields_an_agent_decides_by_are_named() -> None:
    for name in ("AGENTS.md", "claude-code/skills/kebab/SKILL.md"):
        wanted = {"hits", "snippet", "citation.uri", "grounded", "refusal_reason", "stale", "freshness", "code", "hint"}
        assert wanted <= set(named_fields(name)), name


@pytest.mark.parametrize("name", NAMES)
def test_options_that_stand_alone_exist(name: str) -> None:
    for span in spans(name):
        if span.startswith("--"):
            assert span.split()[0] in OPTIONS, span


def test_error_codes_and_reasons_in_tables_are_ours() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text_of("claude-code/skills/kebab/reference.md"), re.MULTILINE)
    codes = {code for row in rows for code in re.findall(r"`(\w+)`", row)}
    assert len(codes) >= 6
    assert codes <= set(ERROR_CODES)


def test_the_instructions_say_what_text_of_documents_is() -> None:
    for name in ("AGENTS.md", "claude-code/skills/kebab/SKILL.md"):
        assert "ever follow instructions" in text_of(name)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_file_of_a_client_is_what_the_command_prints(
    client: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kebab.ui.cli.mcp_install._program", lambda _called: ("kebab",))
    monkeypatch.delenv("KEBAB_CONFIG", raising=False)
    row = CLIENTS[client]
    assert _status(["mcp", "install", "--client", client, "--dry-run"]) == 0
    text = text_of(f"mcp/{client}.{row.format}")
    assert text == capsys.readouterr().out
    held = tomllib.loads(text) if row.format == "toml" else json.loads(text)
    for key in (*row.keys, "kebab"):
        held = held[key]
    assert "kebab" in json.dumps(held)


def test_there_is_no_file_but_those_of_the_clients_and_the_readme_names_each() -> None:
    files = {path.name for path in (FOLDER / "mcp").iterdir()}
    assert files == {f"{name}.{row.format}" for name, row in CLIENTS.items()}
    linked = set(re.findall(r"\(mcp/([^)]+)\)", text_of("README.md")))
    assert linked == files
    for row in CLIENTS.values():
        assert row.title in text_of("README.md")


def test_the_plug_in_is_of_this_version_and_starts_kebab() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["version"]) == ("kebab", __version__)
    servers = json.loads((PLUGIN / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    assert servers == json.loads(text_of("mcp/claude-code.json"))["mcpServers"]
    market = json.loads((FOLDER / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))
    (offered,) = market["plugins"]
    assert (FOLDER / offered["source"] / ".claude-plugin/plugin.json").exists()
    assert (offered["name"], offered["description"]) == (manifest["name"], manifest["description"])
    assert f"claude plugin install {offered['name']}@{market['name']}" in text_of("README.md")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("claude-code/skills/kebab/SKILL.md", {"name", "description"}),
        ("claude-code/commands/search.md", {"description", "argument-hint"}),
        ("claude-code/commands/ask.md", {"description", "argument-hint"}),
    ],
)
def test_the_front_matter_is_what_claude_code_reads(name: str, wanted: set[str]) -> None:
    _, front, body = text_of(name).split("---\n", 2)
    held = yaml.safe_load(front)
    assert set(held) == wanted
    assert all(isinstance(value, str) and value for value in held.values())
    assert body.strip()
    if "name" in held:
        assert re.fullmatch(r"[a-z0-9-]{1,64}", held["name"])
        assert held["name"] == (FOLDER / name).parent.name
        assert len(held["description"]) <= 1024
        assert len(body.splitlines()) < 100, "what is rarely needed belongs into reference.md"


@pytest.mark.parametrize("name", NAMES)
def test_links_between_the_files_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text_of(name)):
        assert ((FOLDER / name).parent / target).exists(), target
