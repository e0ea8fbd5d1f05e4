"""`--server` on every command: it is asked, or the command says in one line that it runs on this machine."""

import importlib
import io
import json
from collections.abc import Iterator

import click
import pytest
from ui_bench import Home

from kebab.ui.cli.commands import COMMANDS

# Nobody listens there.
URL = "http://127.0.0.1:9"
ASKS = {
    "search": ("rice",),
    "symbols": ("boil",),
    "ask": ("rice?",),
    "verify": ("ret_1234",),
    "list docs": (),
    "fetch chunk": ("abcdef",),
    "fetch doc": ("rice.md",),
    "fetch span": ("rice.md", "1", "2"),
    "fetch page": ("a.pdf", "1"),
    "schema": (),
}
REFUSES = {
    "ingest": (),
    "ingest-file": ("{home}/loose.md",),
    "ingest-stdin": ("--title", "x"),
    "watch": (),
    "answers list": (),
    "answers show": ("ret_1234",),
    "session list": (),
    "session show": ("x",),
    "session delete": ("x",),
    "inspect doc": ("rice.md",),
    "inspect chunk": ("abcdef",),
    "inspect ocr-stats": (),
    "inspect ocr-failures": (),
    "open": ("--print", "rice.md"),
    "eval run": ("{home}/suite.yaml",),
    "eval aggregate": (),
    "eval compare": ("last~1", "last"),
    "eval variants": ("last",),
    "eval make": ("--n", "2"),
    "eval calibrate": ("{home}/suite.yaml",),
    "doctor": (),
    "vectors status": (),
    "vectors rebuild": (),
    "cache status": (),
    "cache prune": ("--max-mb", "1"),
    "models list": (),
    "models path": ("use-multilingual-v3",),
    "models pull": ("use-multilingual-v3",),
    "jobs list": (),
    "jobs show": ("x",),
    "jobs cancel": ("x",),
    "export": ("{home}/out.kebab",),
    "import": ("{home}/in.kebab",),
    "backup": (),
    "reset": ("--orphans-only", "--yes"),
}
# They are about this machine's settings and servers, or ask nothing at all.
HERE = {
    "": (),
    "init": ("--yes",),
    "serve": ("--port", "0"),
    "web": ("--no-open",),
    "mcp": (),
    "mcp install": ("--client", "cursor"),
    "completion": ("bash",),
    "config show": (),
    "config get": ("search.default_k",),
    "config set": ("search.default_k", "5"),
    "config path": (),
    "config migrate": (),
}
# It needs a terminal, and is tested where it has one.
ELSEWHERE = {"tui"}


def leaves() -> Iterator[str]:
    for name, (place, _) in COMMANDS.items():
        module, _, attribute = place.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        yield from (f"{name} {below}" for below in command.commands) if isinstance(command, click.Group) else (name,)


def test_every_command_is_known_here() -> None:
    assert set(leaves()) <= {*ASKS, *REFUSES, *HERE, *ELSEWHERE}


def failed(home: Home, name: str, words: tuple[str, ...]) -> dict[str, str]:
    given = [word.replace("{home}", str(home.path)) for word in words]
    said = home.run(*name.split(), *given, "--json", "--server", URL)
    assert (said.status, said.out) == (2, ""), said
    error: dict[str, str] = json.loads(said.err)
    return error


@pytest.mark.parametrize("name", ASKS)
def test_a_command_that_asks_a_server_asks_this_one(name: str, home: Home) -> None:
    assert failed(home, name, ASKS[name])["code"] == "server_unreachable"


@pytest.mark.parametrize("name", REFUSES)
def test_a_command_that_cannot_says_so_by_its_name(name: str, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"text\n")))
    (home.path / "loose.md").write_text("x\n")
    (home.path / "suite.yaml").write_text("queries: [{text: rice, expected: rice.md}]\n")
    error = failed(home, name, REFUSES[name])
    assert error["message"] == f"`kebab {name}` runs on this machine alone, not through a server"
    assert "KEBAB_SERVER" in error["hint"]


@pytest.mark.parametrize("name", HERE)
def test_a_server_that_a_command_would_not_ask_is_refused(name: str, home: Home) -> None:
    before = sorted(home.path.rglob("*"))
    said = home.run("--server", URL, *name.split(), *HERE[name])
    told = f"error: `{f'kebab {name}'.strip()}` runs on this machine alone, not through a server\n"
    assert (said.status, said.out, said.err) == (2, "", f"{told}  hint: leave --server out\n")
    assert sorted(home.path.rglob("*")) == before


@pytest.mark.parametrize("name", ["", "init", "completion", "config get", "config set", "config path", "mcp install"])
def test_a_variable_is_for_all_commands_alike(name: str, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEBAB_SERVER", URL)
    assert home.run("--quiet", *name.split(), *HERE[name])._replace(out="") == (0, "", "")
