"""`kebab mcp` before it serves: what it refuses, and how it says so."""

import importlib.util
import json
from typing import Any

import pytest
from ui_bench import Home


def test_without_its_package_the_command_says_what_to_install(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def missing(name: str, *more: Any) -> Any:
        return None if name == "mcp" else found(name, *more)

    monkeypatch.setattr("importlib.util.find_spec", missing)
    said = home.run("mcp", "--json")
    error = json.loads(said.err)
    assert (said.status, said.out, error["code"]) == (2, "", "missing_extra")
    assert error["hint"] == "pip install 'kebab[mcp]'"


@pytest.mark.parametrize("command", ["mcp", "serve", "web"])
def test_a_server_that_may_write_cannot_be_one_that_only_reads(home: Home, command: str) -> None:
    said = home.run("--readonly", command, "--allow-ingest")
    assert (said.status, said.out) == (2, "")
    assert "--allow-ingest writes, and --readonly was given" in said.err


@pytest.mark.parametrize("host", ["", " "])
def test_a_server_without_an_address_is_refused_with_one(home: Home, host: str) -> None:
    said = home.run("serve", "--host", host)
    assert (said.status, said.out) == (2, "")
    assert said.err == "error: --host names no address\n  hint: --host 127.0.0.1 for this machine alone\n"
