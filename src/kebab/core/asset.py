"""An asset: a file as found, before anything has read its meaning."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from kebab.core.ids import AssetId

DEFAULT_SOURCE = "default"
# Media types that have pages of their own: these can be drawn, and a file opened at one.
PAGED = frozenset({"pdf"})


class TrustLevel(StrEnum):
    """How far a source is to be believed, most trusted first."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    GENERATED = "generated"


class SourceType(StrEnum):
    MARKDOWN = "markdown"
    NOTE = "note"
    PAPER = "paper"
    REFERENCE = "reference"
    INBOX = "inbox"


@dataclass(frozen=True, slots=True)
class Source:
    """A folder the user points at. The default one gives paths as they are; a named one gives `@id/path`."""

    source_id: str
    root: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    trust_level: TrustLevel | None = None
    source_type: SourceType | None = None

    def workspace_path(self, relative: str) -> str:
        if self.source_id != DEFAULT_SOURCE:
            return f"@{self.source_id}/{relative}"
        # A folder of the workspace that is called like a source must not be taken for it.
        return f"@{relative}" if relative.startswith("@") else relative

    def relative(self, workspace_path: str) -> str:
        """The inverse of `workspace_path`."""
        if self.source_id != DEFAULT_SOURCE:
            return workspace_path.removeprefix(f"@{self.source_id}/")
        return workspace_path.removeprefix("@") if workspace_path.startswith("@@") else workspace_path


class FileStamp(NamedTuple):
    """What the file system says about a file without reading it."""

    size: int
    mtime_ns: int
    inode: int


class FoundFile(NamedTuple):
    """A file the scan accepted. `path` is where it is on disk, `workspace_path` what kebab calls it.

    `standalone`: it was named outright, or brought in from outside, and no sweep of a folder may drop it.
    """

    source_id: str
    path: Path
    workspace_path: str
    media_type: str
    stamp: FileStamp
    standalone: bool = False


@dataclass(frozen=True, slots=True)
class Asset:
    """A file's content, identified by its hash; twin files share one asset."""

    asset_id: AssetId
    checksum: str
    byte_len: int
    media_type: str
    workspace_path: str
    source_uri: str
    discovered_at: str
