"""Programs that can start kebab for an agent: where each keeps its MCP servers, and how it writes one down. A table."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kebab.core.installation import Connection, FileFormat

SERVER_NAME = "kebab"
# What says how a server is reached; the rest of an entry is for a person to change.
REACH_KEYS = frozenset({"type", "command", "args", "url", "httpUrl", "serverUrl"})

_XDG = "${XDG_CONFIG_HOME:-~/.config}"
_ROAMING = "${APPDATA:-~/AppData/Roaming}"
_APP_FOLDERS = {"darwin": "~/Library/Application Support", "win32": _ROAMING}

Entry = dict[str, object]


class Client(NamedTuple):
    """`files` are tried in their order, the first is made if none is there. `remote` is None where no URL can stand."""

    title: str
    files: tuple[str, ...]
    keys: tuple[str, ...]
    local: Callable[[tuple[str, ...]], Entry]
    remote: Callable[[str], Entry] | None
    format: FileFormat = FileFormat.JSON

    def entry(self, connection: Connection) -> Entry | None:
        """None for a URL where there is no place for one."""
        if connection.url is None:
            return self.local(connection.command)
        return self.remote(connection.url) if self.remote is not None else None


def folders(platform: str) -> Mapping[str, str]:
    """What `{app}` and `{zed}` in `files` stand for, as templates."""
    zed = f"{_ROAMING}/Zed" if platform == "win32" else f"{_XDG}/zed"
    return {"app": _APP_FOLDERS.get(platform, _XDG), "zed": zed}


def _plain(command: tuple[str, ...]) -> Entry:
    return {"command": command[0], "args": list(command[1:])}


def _typed(command: tuple[str, ...]) -> Entry:
    return {"type": "stdio", **_plain(command)}


def _copilot(command: tuple[str, ...]) -> Entry:
    return {**_typed(command), "tools": ["*"]}


def _opencode(command: tuple[str, ...]) -> Entry:
    return {"type": "local", "command": list(command), "enabled": True}


def _at(key: str, **more: object) -> Callable[[str], Entry]:
    return lambda url: {**more, key: url}


_SERVERS = ("mcpServers",)
_HTTP = _at("url", type="http")

CLIENTS: dict[str, Client] = {
    "claude-code": Client("Claude Code", ("~/.claude.json",), _SERVERS, _typed, _HTTP),
    "claude-desktop": Client("Claude Desktop", ("{app}/Claude/claude_desktop_config.json",), _SERVERS, _plain, None),
    "codex": Client(
        "Codex",
        ("${CODEX_HOME:-~/.codex}/config.toml",),
        ("mcp_servers",),
        _plain,
        _at("url"),
        FileFormat.TOML,
    ),
    "continue": Client("Continue", ("~/.continue/mcpServers/kebab.json",), _SERVERS, _plain, None),
    "copilot-cli": Client(
        "GitHub Copilot CLI",
        ("${COPILOT_HOME:-~/.copilot}/mcp-config.json",),
        _SERVERS,
        _copilot,
        lambda url: {"type": "http", "url": url, "tools": ["*"]},
    ),
    "cursor": Client("Cursor", ("~/.cursor/mcp.json",), _SERVERS, _plain, _at("url")),
    "gemini-cli": Client("Gemini CLI", ("~/.gemini/settings.json",), _SERVERS, _plain, _at("httpUrl")),
    "kiro": Client("Kiro", ("~/.kiro/settings/mcp.json",), _SERVERS, _plain, _at("url")),
    "opencode": Client(
        "opencode",
        (f"{_XDG}/opencode/opencode.json", f"{_XDG}/opencode/opencode.jsonc"),
        ("mcp",),
        _opencode,
        lambda url: {"type": "remote", "url": url, "enabled": True},
    ),
    "vscode": Client("VS Code", ("{app}/Code/User/mcp.json",), ("servers",), _typed, _HTTP),
    "windsurf": Client("Windsurf", ("~/.codeium/windsurf/mcp_config.json",), _SERVERS, _plain, _at("serverUrl")),
    "zed": Client("Zed", ("{zed}/settings.json",), ("context_servers",), _plain, _at("url")),
}
