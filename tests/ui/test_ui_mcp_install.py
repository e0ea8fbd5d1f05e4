"""`kebab mcp install`: into the right file, beside what is there, once, and never over what it does not understand."""

import json
import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ui_bench import Home

from kebab.app import replacing
from kebab.app.mcp_clients import CLIENTS
from kebab.app.mcp_install import InstallRequest, proposal
from kebab.core.errors import InvalidInput
from kebab.core.installation import Connection
from wire_schemas import check

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def called(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kebab that runs, as a shell would have started it."""
    program = home.path / "bin/kebab"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    for name in ("CODEX_HOME", "COPILOT_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    return program


def installed(home: Home, *arguments: str) -> Json:
    said = home.run("mcp", "install", *arguments, "--json")
    assert (said.status, said.err) == (0, "")
    value: Json = json.loads(said.out)
    check(value)
    return value


def refused(home: Home, *arguments: str) -> Json:
    said = home.run("mcp", "install", *arguments, "--json")
    assert (said.status, said.out) == (2, "")
    value: Json = json.loads(said.err)
    check(value)
    return value


def read(path: str | Path) -> Json:
    text = Path(path).read_text(encoding="utf-8")
    held: Json = tomllib.loads(text) if str(path).endswith(".toml") else json.loads(text)
    return held


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_gets_its_entry_and_a_second_run_has_nothing_to_do(client: str, home: Home, called: Path) -> None:
    done = installed(home, "--client", client)
    assert (done["client"], done["state"]) == (client, "created")
    assert Path(done["path"]).is_relative_to(home.path)
    held = read(done["path"])
    for key in CLIENTS[client].keys:
        held = held[key]
    assert str(called) in json.dumps(held["kebab"])
    assert stat.S_IMODE(Path(done["path"]).stat().st_mode) == 0o600
    assert installed(home, "--client", client) == {**done, "state": "unchanged"}
    assert not list(Path(done["path"]).parent.glob("*.kebab-backup"))


@pytest.mark.parametrize(
    ("client", "platform", "place"),
    [
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("zed", "darwin", ".config/zed/settings.json"),
        ("zed", "win32", "AppData/Roaming/Zed/settings.json"),
        ("cursor", "win32", ".cursor/mcp.json"),
    ],
)
def test_the_file_is_where_the_system_has_it(client: str, platform: str, place: str) -> None:
    request = InstallRequest(client, Connection(("kebab", "mcp")))
    assert proposal(request, {"HOME": "/home/me"}, platform).path == f"/home/me/{place}"


def test_a_dry_run_prints_what_belongs_there_and_touches_nothing(home: Home, called: Path) -> None:
    said = home.run("mcp", "install", "--client", "cursor", "--dry-run")
    assert json.loads(said.out) == {"mcpServers": {"kebab": {"command": str(called), "args": ["mcp"]}}}
    assert str(home.path / ".cursor/mcp.json") in said.err
    where = home.run("mcp", "install", "--client", "cursor", "--print-path")
    assert where.out == f"{home.path / '.cursor/mcp.json'}\n"
    assert not (home.path / ".cursor").exists()
    assert "state" not in installed(home, "--client", "cursor", "--dry-run")


def test_what_was_there_stays_and_is_kept_beside_with_its_mode(home: Home) -> None:
    path = home.path / ".cursor/mcp.json"
    path.parent.mkdir()
    before = '{"mcpServers": {"other": {"command": "x", "env": {"TOKEN": "s3cret"}}}, "더": [1]}\n'
    path.write_text(before, encoding="utf-8")
    path.chmod(0o640)
    done = installed(home, "--client", "cursor")
    assert done["state"] == "updated"
    held = read(path)
    held["mcpServers"].pop("kebab")
    assert held == json.loads(before)
    assert Path(done["backup"]).read_text(encoding="utf-8") == before
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, Path(done["backup"]))] == [0o640, 0o640]
    assert sorted(each.name for each in path.parent.iterdir()) == ["mcp.json", "mcp.json.kebab-backup"]
    assert "s3cret" not in json.dumps(done), "what others keep there is not repeated"


def test_a_config_and_settings_in_use_go_along(home: Home, called: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = home.path / "my own.toml"
    config.write_text("schema_version = 1\n")
    monkeypatch.chdir(home.path)
    given = ("--client", "cursor", "--config", "my own.toml", "--set", "search.default_k=5", "--allow-ingest")
    entry = read(installed(home, *given)["path"])["mcpServers"]["kebab"]
    config_words = ["--config", str(config), "--set", "search.default_k=5"]
    assert entry == {"command": str(called), "args": [*config_words, "mcp", "--allow-ingest"]}
    monkeypatch.setenv("KEBAB_CONFIG", str(config))
    assert read(installed(home, "--client", "kiro")["path"])["mcpServers"]["kebab"]["args"][:2] == config_words[:2]
    assert refused(home, "--client", "cursor", "--config", "none.toml")["code"] == "config_not_found"


def test_a_kebab_without_a_program_of_its_own_is_started_by_its_python(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/kebab/__main__.py"])
    entry = read(installed(home, "--client", "cursor")["path"])["mcpServers"]["kebab"]
    assert entry == {"command": sys.executable, "args": ["-m", "kebab", "mcp"]}


def test_a_running_server_can_be_named_where_the_client_takes_one(home: Home) -> None:
    url = "http://127.0.0.1:7787/mcp"
    entry = read(installed(home, "--client", "gemini-cli", "--http", url)["path"])["mcpServers"]["kebab"]
    assert entry == {"httpUrl": url}
    assert installed(home, "--client", "gemini-cli")["state"] == "updated"
    assert "httpUrl" not in read(home.path / ".gemini/settings.json")["mcpServers"]["kebab"]
    assert refused(home, "--client", "claude-desktop", "--http", url)["code"] == "invalid_input"
    for wrong in ("file:///etc/passwd", "http://a:99999/mcp", "http://a:b/mcp"):
        assert refused(home, "--client", "cursor", "--http", wrong)["code"] == "invalid_input"
    assert refused(home, "--client", "cursor", "--http", url, "--allow-ingest")["code"] == "invalid_input"


def test_a_client_nobody_knows_is_refused_with_those_there_are(home: Home) -> None:
    error = refused(home, "--client", "cursr")
    assert all(name in error["message"] for name in CLIENTS)
    assert error["hint"] == "did you mean cursor?"
    assert "\n" not in home.run("mcp", "install", "--client", "nope").err.removesuffix("\n")


@pytest.mark.parametrize("content", [b'{\n  // mine\n  "a": 1\n}\n', b"\xff\xfe", b"[]", b'{"context_servers": 1}'])
def test_a_file_that_is_not_plain_is_left_alone_and_what_to_add_is_said(content: bytes, home: Home) -> None:
    path = home.path / ".config/zed/settings.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    error = refused(home, "--client", "zed")
    assert error["code"] == "config_invalid"
    assert json.loads(error["details"]["snippet"])["context_servers"]["kebab"]
    assert '"context_servers"' in error["hint"]
    assert path.read_bytes() == content
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]


def test_a_mark_at_the_beginning_and_an_empty_file_are_no_hindrance(home: Home) -> None:
    path = home.path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert installed(home, "--client", "cursor")["state"] == "updated"
    assert path.read_bytes().startswith(b'\xef\xbb\xbf{"a": 1, "mcpServers"')
    path.write_bytes(b"")
    assert installed(home, "--client", "cursor")["state"] == "updated"
    assert read(path)["mcpServers"]["kebab"]


def test_a_link_within_the_home_stays_a_link(home: Home) -> None:
    kept = home.path / "dotfiles/cursor.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    link = home.path / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    done = installed(home, "--client", "cursor")
    assert link.is_symlink()
    assert read(kept)["mcpServers"]["kebab"]
    assert Path(done["backup"]).parent == kept.parent


def test_a_link_out_of_the_home_is_not_followed_unless_it_is_named(
    home: Home, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "mcp.json"
    outside.write_text("{}")
    link = home.path / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(outside)
    assert "outside of the home" in refused(home, "--client", "cursor")["message"]
    assert outside.read_text() == "{}"
    assert installed(home, "--client", "cursor", "--path", str(outside))["state"] == "updated"


def test_what_is_no_file_is_refused(home: Home) -> None:
    path = home.path / ".cursor/mcp.json"
    path.mkdir(parents=True)
    assert "not a file" in refused(home, "--client", "cursor")["message"]
    path.rmdir()
    os.mkfifo(path)
    assert "not a file" in refused(home, "--client", "cursor")["message"]
    path.unlink()
    path.symlink_to(path)
    assert refused(home, "--client", "cursor")["code"] in {"io_error", "invalid_input"}


def test_a_file_in_the_place_of_a_folder_is_named_with_what_to_do(home: Home) -> None:
    obstacle = home.path / ".cursor"
    obstacle.write_text("mine")
    for path in (obstacle / "mcp.json", obstacle / "project/mcp.json"):
        error = refused(home, "--client", "cursor", "--path", str(path))
        assert error["code"] == "invalid_input"
        assert error["message"] == f"{obstacle} is not a folder, so that {path} cannot be written"
        assert error["hint"] == f"move {obstacle} away, or name another file with --path"
    assert obstacle.read_text() == "mine"


def test_a_file_of_somebody_else_is_not_taken_over(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home.path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    assert "another user" in refused(home, "--client", "cursor")["message"]


def test_a_file_that_changes_meanwhile_is_not_overwritten(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home.path / ".claude.json"
    path.write_text('{"numStartups": 1}')
    found_at = replacing.found_at

    def raced(place: Path) -> replacing.Found:
        found = found_at(place)
        path.write_text('{"numStartups": 22}')
        return found

    monkeypatch.setattr("kebab.app.mcp_install.found_at", raced)
    assert "another program" in refused(home, "--client", "claude-code")["message"]
    assert read(path) == {"numStartups": 22}
    assert sorted(each.name for each in home.path.glob(".claude*")) == [".claude.json"]


def test_under_readonly_nothing_is_written(home: Home) -> None:
    assert refused(home, "--client", "cursor", "--readonly")["code"] == "readonly_mode"
    assert installed(home, "--client", "cursor", "--readonly", "--dry-run")
    assert not (home.path / ".cursor").exists()


def test_options_of_the_server_do_not_stand_before_install(home: Home) -> None:
    said = home.run("mcp", "--allow-ingest", "install", "--client", "cursor", "--dry-run")
    assert said.status == 2
    assert "stand after install" in said.err


def test_a_path_that_settings_cannot_hold_is_refused() -> None:
    for command in (("/opt/\udcff/kebab", "mcp"), ("kebab", "--config", "/\udcff.toml", "mcp")):
        with pytest.raises(InvalidInput, match="settings are UTF-8"):
            proposal(InstallRequest("codex", Connection(command)), {"HOME": "/home/a"})


def test_an_address_without_a_path_is_written_with_a_word_about_it(home: Home) -> None:
    said = home.run("mcp", "install", "--client", "cursor", "--http", "http://127.0.0.1:7787")
    assert (said.status, said.out) == (0, "")
    assert "endpoint at /mcp" in said.err
