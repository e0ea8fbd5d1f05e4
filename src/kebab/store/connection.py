"""Opens the index database: file modes, pragmas, migrations. Gives an apsw connection and nothing else.

Pragmas and why:
  journal_mode=WAL     readers go on while one process writes
  synchronous=NORMAL   with WAL a crash or power cut never corrupts; at worst the last commits are done again
  foreign_keys=ON      dropping a document takes its blocks, chunks, tags and text along
  busy_timeout         a reader may meet the short locks of a checkpoint
  cache_size           16 MB holds the hot pages of an index of some 100,000 chunks
  page_size=8192       a chunk with its row fits a page; with 4096 half of them spill and waste a sixth of the file
  temp_store=MEMORY    no private text in a temporary folder
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import apsw

from kebab.core.clock import now
from kebab.core.errors import IoFailure, NotIndexed, RetrievalError, SchemaTooNew
from kebab.store.readonly_mark import refuse_marked

# The number of the last migration, known without looking into the package.
SCHEMA_VERSION = 4
BUSY_TIMEOUT_MS = 5000
# Longer than another's transaction over an ordinary document, shorter than a person's patience.
NOTE_TIMEOUT_MS = 3000
PAGE_SIZE = 8192
MMAP_BYTES = 1 << 30
SPARING_CACHE_KB = 4000


class Migration(NamedTuple):
    number: int
    description: str
    sql: str


def migrations() -> list[Migration]:
    """All migrations of this kebab, in order."""
    from importlib import resources

    name = re.compile(r"V(\d{3})__([a-z0-9_]+)\.sql")
    return sorted(
        Migration(int(match[1]), match[2].replace("_", " "), entry.read_text("utf-8"))
        for entry in resources.files("kebab.store.migrations").iterdir()
        if (match := name.fullmatch(entry.name)) is not None
    )


# What an index lacks that was written before there was source code in it. Views of the connection alone take the places
# of its tables, so that reading it needs no writer and no second form of any statement.
_BEFORE_PLACES = """
    CREATE TEMP VIEW documents AS
      SELECT *, NULL AS code_lang, NULL AS repo, NULL AS git_branch, NULL AS git_commit FROM main.documents;
    CREATE TEMP VIEW chunks AS SELECT *, NULL AS place_json FROM main.chunks;
    CREATE TEMP TABLE symbols (symbol_key, doc_key, chunk_key, name, qualified, kind, line, line_end);
    CREATE TEMP TABLE derivations (derivation_key, kind, value, created_at, used_at);
"""
_FIRST_WITH_PLACES = 4


def open_reader(path: Path, *, sparing: bool = False) -> apsw.Connection:
    """A connection that cannot write. Fails with `not_indexed` when there is no index.

    A `sparing` one maps nothing and caches little, for a process that stays beside others: searches by meaning take a
    fifth longer, and what they have read does not count as its memory.
    """
    connection = _existing(path, _connect)
    if sparing:
        connection.execute(f"PRAGMA mmap_size=0; PRAGMA cache_size=-{SPARING_CACHE_KB}").fetchall()
    if schema_version(connection) < _FIRST_WITH_PLACES:
        connection.execute(_BEFORE_PLACES)
    return connection


def open_note_taker(path: Path) -> apsw.Connection:
    """A connection for a word to whoever holds the writer lock: it may write, and waits only briefly for its turn.

    Creates and migrates nothing. Fails with `not_indexed` when there is no index.
    """
    connection = _existing(path, _connect_for_notes)
    refuse_marked(connection, path)
    return connection


def _existing(path: Path, connect: Callable[[Path], apsw.Connection]) -> apsw.Connection:
    if not path.is_file():
        raise NotIndexed(
            f"there is no index at {path}",
            hint="run `kebab ingest` first",
            data_dir=str(path.parent),
            expected=str(path),
        )
    try:
        connection = connect(path)
    except apsw.Error as error:
        raise _unreadable(path, error) from error
    version = schema_version(connection)
    if version == 0:
        raise NotIndexed(f"{path} holds no index", hint="run `kebab ingest` first", data_dir=str(path.parent))
    _refuse_newer(path, version)
    return connection


def _connect_for_notes(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    _prepare(connection)
    connection.set_busy_timeout(NOTE_TIMEOUT_MS)
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def _connect(path: Path) -> apsw.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        connection = apsw.Connection(uri, flags=flags)
        _prepare(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        # A read-only folder has no room for the -shm file; without a -wal there is nothing it would say.
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size > 0:
            raise
        connection = apsw.Connection(f"{uri}&immutable=1", flags=flags)
        _prepare(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def open_writer(path: Path) -> apsw.Connection:
    """A connection that may write; creates the database and applies what migrations are missing.

    The caller holds the writer lock.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Created here, so that it is private before SQLite writes the first byte.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = apsw.Connection(str(path))
        version = schema_version(connection)
        _refuse_newer(path, version)
        if version > 0:
            refuse_marked(connection, path)
        if version == 0:
            connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
        connection.execute("PRAGMA journal_mode=WAL")
        _prepare(connection)
        # Pages of a large index would all count as memory of an ingest, which gains nothing from mapping them.
        connection.execute("PRAGMA synchronous=NORMAL; PRAGMA mmap_size=0").fetchall()
        _migrate(connection, version)
    except OSError as error:
        raise IoFailure(
            f"cannot open the index {path}: {error.strerror}",
            hint="check the directory's permissions, or set storage.data_dir",
            path=str(path),
            op="write",
        ) from error
    except apsw.Error as error:
        raise _unreadable(path, error) from error
    return connection


def schema_version(connection: apsw.Connection) -> int:
    """The number of the last applied migration; 0 for an empty database."""
    return int(connection.pragma("user_version") or 0)


def _prepare(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY")
    # Rows at random places, such as vectors, cost half of what they cost through the page cache.
    connection.execute(f"PRAGMA mmap_size={MMAP_BYTES}").fetchall()


def _refuse_newer(path: Path, version: int) -> None:
    if version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"the index {path} was made by a newer kebab (schema {version}, this one knows {SCHEMA_VERSION})",
            hint="upgrade kebab, or use another storage.data_dir",
            path=str(path),
            found=version,
            expected=SCHEMA_VERSION,
        )


def _migrate(connection: apsw.Connection, version: int) -> None:
    for migration in migrations():
        if migration.number <= version:
            continue
        with connection:
            connection.execute(migration.sql)
            connection.execute(
                "INSERT INTO migrations(id, applied_at, description) VALUES (?, ?, ?)",
                (migration.number, now(), migration.description),
            )
            connection.execute(
                "INSERT OR REPLACE INTO schema_meta(key, value) VALUES ('schema_version', ?)", (str(migration.number),)
            )
            connection.pragma("user_version", migration.number)


def _unreadable(path: Path, error: apsw.Error) -> RetrievalError | IoFailure:
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return RetrievalError(
            f"the index {path} is damaged: {error}",
            hint="run `kebab doctor`; `kebab reset --data-only --yes` and `kebab ingest` build it anew",
            path=str(path),
        )
    return IoFailure(f"cannot open the index {path}: {error}", hint="run `kebab doctor`", path=str(path), op="open")
