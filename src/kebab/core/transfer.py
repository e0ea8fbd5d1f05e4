"""Knowledge bases on the move: what an export, an import or a backup says while it works and when it is done."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kebab.core.embedding import EmbeddingModel
from kebab.core.inspection import Check

# The database inside an export, and the folder of the copies of original files beside it.
DATABASE = "kebab.sqlite"
ORIGINALS = "originals"


class TransferKind(StrEnum):
    EXPORT = "export"
    IMPORT = "import"
    BACKUP = "backup"


class IndexFacts(NamedTuple):
    """What a database says of itself: what it was made by and how much it holds."""

    schema: int
    index_id: str
    corpus_revision: int
    analyser: str
    parsers: tuple[str, ...]
    chunkers: tuple[str, ...]
    model: EmbeddingModel | None
    input_version: str | None
    documents: int
    chunks: int
    assets: int
    vectors: int


class TransferProgress(NamedTuple):
    """`done` of `total` in the units of the phase; a total of 0 means that nobody knows it."""

    phase: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TransferReport:
    """`file` went out or came in, `database` is the index it was made of or became.

    `checks` are what an import looked at, `notes` what a person should know of it, `removed` the backups that went.
    """

    kind: TransferKind
    file: str
    bytes: int
    database: str
    kebab_version: str | None
    facts: IndexFacts
    originals: int = 0
    readonly: bool = False
    replaced: bool = False
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


TransferEvent: TypeAlias = TransferProgress | TransferReport


class ExportRequest(NamedTuple):
    target: Path
    answers: bool = True
    force: bool = False


class ImportRequest(NamedTuple):
    """`folder` takes the place of the configured data directory."""

    file: Path
    folder: Path | None = None
    readonly: bool = False
    force: bool = False


class BackupRequest(NamedTuple):
    """Without a target, or with a folder for one, the name is made of the time; `keep` counts files of such names."""

    target: Path | None = None
    keep: int | None = None
    force: bool = False
