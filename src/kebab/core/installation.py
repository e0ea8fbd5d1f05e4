"""What `kebab mcp install` did, or would do, to the settings of an agent's program. Values only."""

from enum import StrEnum
from typing import NamedTuple


class FileFormat(StrEnum):
    JSON = "json"
    TOML = "toml"


class InstallState(StrEnum):
    """What became of the file: made, changed, or found as it should be."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class Connection(NamedTuple):
    """How a client reaches kebab: by starting `command`, or at `url` where that is given."""

    command: tuple[str, ...]
    url: str | None = None


class Installation(NamedTuple):
    """`snippet` is what the file has to hold; without a `state` nothing was read or written."""

    client: str
    title: str
    path: str
    format: FileFormat
    snippet: str
    state: InstallState | None = None
    backup: str | None = None
