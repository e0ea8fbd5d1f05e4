"""`kebab mcp install`: kebab among the MCP servers of an agent's program, in the settings that program keeps."""

import os
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from kebab.app.client_settings import Unfit, document, with_entry
from kebab.app.mcp_clients import CLIENTS, REACH_KEYS, SERVER_NAME, Client, Entry, folders
from kebab.app.replacing import Found, found_at, replaced
from kebab.core.errors import ConfigInvalid, InvalidInput, IoFailure
from kebab.core.installation import Connection, Installation, InstallState
from kebab.locations import expand

_BOM = "\ufeff"


class InstallRequest(NamedTuple):
    """`path` is a file to write instead of the client's own."""

    client: str
    connection: Connection
    path: Path | None = None


def proposal(request: InstallRequest, env: Mapping[str, str], platform: str = sys.platform) -> Installation:
    """What would be written, and where. Reads nothing."""
    client = _client(request.client)
    path = request.path if request.path is not None else _settings_file(client, env, platform)
    snippet = document((*client.keys, SERVER_NAME), _entry(client, request.connection), client.format)
    return Installation(request.client, client.title, str(path), client.format, snippet)


def install(request: InstallRequest, env: Mapping[str, str], platform: str = sys.platform) -> Installation:
    """Sets the entry and leaves everything else in the file as it is. What was there before is kept beside it."""
    proposed = proposal(request, env, platform)
    client = CLIENTS[request.client]
    path = Path(proposed.path)
    found = found_at(path if request.path is not None else _within_home(path, env))
    _refuse_obstacle(found.path)
    text = _text(found, proposed)
    changed = _changed(text, client, _entry(client, request.connection), proposed)
    if changed == text and found.content is not None:
        return proposed._replace(state=InstallState.UNCHANGED)
    backup = replaced(found, changed.encode("utf-8"))
    state = InstallState.CREATED if found.content is None else InstallState.UPDATED
    return proposed._replace(state=state, backup=None if backup is None else str(backup))


def _client(name: str) -> Client:
    if name in CLIENTS:
        return CLIENTS[name]
    near = get_close_matches(name, CLIENTS, n=1)
    hint = f"did you mean {near[0]}?" if near else None
    raise InvalidInput(f"no client is called {name}; there are: {', '.join(CLIENTS)}", hint=hint, client=name)


def _entry(client: Client, connection: Connection) -> Entry:
    try:
        " ".join((*connection.command, connection.url or "")).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput("settings are UTF-8, and a path that belongs into them is not", hint="rename it") from error
    entry = client.entry(connection)
    if entry is None:
        raise InvalidInput(f"{client.title} takes no URL in its settings", hint="leave --http out")
    return entry


def _settings_file(client: Client, env: Mapping[str, str], platform: str) -> Path:
    names = {name: str(expand(folder, env)) for name, folder in folders(platform).items()}
    paths = [expand(file, env, names=names) for file in client.files]
    return next((path for path in paths if os.path.lexists(path)), paths[0])


def _within_home(path: Path, env: Mapping[str, str]) -> Path:
    """A link is followed, so that it stays one; but not out of the home, where nobody expects a client's settings."""
    try:
        target = path.resolve()
        home = expand("~", env).resolve()
    except (OSError, RuntimeError) as error:
        raise IoFailure(f"{path} leads nowhere", path=str(path), op="read") from error
    if path.is_symlink() and not target.is_relative_to(home):
        raise InvalidInput(
            f"{path} is a link to {target}, outside of the home folder", hint=f"name it: --path {target}"
        )
    return path


def _refuse_obstacle(path: Path) -> None:
    """Folders that lack are made, but not where a file has the name of one."""
    for folder in path.parents:
        if folder.is_dir():
            return
        if os.path.lexists(folder):
            raise InvalidInput(
                f"{folder} is not a folder, so that {path} cannot be written",
                hint=f"move {folder} away, or name another file with --path",
                path=str(folder),
            )


def _text(found: Found, proposed: Installation) -> str:
    try:
        return (found.content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(proposed, "it is not UTF-8") from error


def _changed(text: str, client: Client, entry: Entry, proposed: Installation) -> str:
    mark = _BOM if text.startswith(_BOM) else ""
    try:
        return mark + with_entry(text.removeprefix(_BOM), (*client.keys, SERVER_NAME), entry, client.format, REACH_KEYS)
    except Unfit as unfit:
        raise _refusal(proposed, str(unfit)) from unfit


def _refusal(proposed: Installation, why: str) -> ConfigInvalid:
    """With all that is needed to do it by hand."""
    lines = proposed.snippet.splitlines()
    flat = " ".join(line.strip() for line in lines) if proposed.format == "json" else "; ".join(filter(None, lines))
    return ConfigInvalid(
        f"{proposed.path} cannot be changed: {why}",
        hint=f"add this to it yourself: {flat}",
        path=proposed.path,
        snippet=proposed.snippet,
    )
