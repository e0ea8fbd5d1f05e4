"""Copies of a database while others write to it, and a new database in the place of an old one. All or nothing."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import apsw

from kebab.core.errors import IndexLocked, IoFailure, RetrievalError
from kebab.store import readonly_mark
from kebab.store.connection import BUSY_TIMEOUT_MS, open_reader

# Two megabytes: often enough for a bar to move and for Ctrl-C to be heard.
_STEP_PAGES = 256
_SIDES = ("-wal", "-shm", "-journal")


class Pages(NamedTuple):
    done: int
    total: int


def copy(source: Path, target: Path) -> Iterator[Pages]:
    """The database as it is now, as one new private file. Whoever writes to it meanwhile is neither met nor held up.

    The transaction around the steps is what makes that so: without it, every commit of another process would have
    SQLite begin the copy anew.
    """
    with _told(target), closing(open_reader(source)) as reading:
        create(target)
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM main.sqlite_master").fetchall()
        with closing(apsw.Connection(str(target))) as writing:
            writing.execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF").fetchall()
            with writing.backup("main", reading, "main") as backup:
                while not backup.done:
                    backup.step(_STEP_PAGES)
                    yield Pages(backup.page_count - backup.remaining, backup.page_count)
            # One file that needs none beside it.
            writing.execute("PRAGMA journal_mode=DELETE").fetchall()
    flush(target)


def clean(path: Path, *, answers: bool) -> None:
    """Takes from a copy what is of one machine alone: where model servers are, and a mark that nothing may be written.

    Without `answers`, also what was asked and answered.
    """
    with _told(path), closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; PRAGMA foreign_keys=ON").fetchall()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        readonly_mark.unmark(connection)
        if "embedding_models" in tables:
            connection.execute(
                """UPDATE embedding_models SET
                   settings_json = json_replace(settings_json, '$.endpoint', '', '$.api_key_env', '')"""
            )
        for table in ("chat_turns", "chat_sessions", "answers"):
            if table in tables and not answers:
                connection.execute(f"DELETE FROM {table}")


def compact(source: Path, target: Path) -> None:
    """The same content without free space, in which deleted text would travel along."""
    with _told(target), closing(apsw.Connection(str(source))) as connection:
        create(target)
        connection.execute("VACUUM INTO ?", (str(target),))
    flush(target)


def quick_problem(path: Path) -> str | None:
    """What SQLite's quick check finds; None when all is well."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        try:
            found = str(connection.execute("PRAGMA quick_check(1)").fetchall()[0][0])
        except apsw.Error as error:
            return str(error)
        return None if found == "ok" else found


def put_in_place(staged: Path, target: Path) -> None:
    """`staged` becomes `target` in one rename. The caller holds the writer lock of `target`.

    A write-ahead log that is left of another database would be played into the new one, so there is none when it comes.
    """
    with _told(target):
        before = _without_log(target)
        try:
            if before is not None and os.name == "nt":
                before.close()
            staged.replace(target)
            _flush_folder(target.parent)
        finally:
            if before is not None:
                before.close()


def _without_log(target: Path) -> apsw.Connection | None:
    """The database that is there, with all it says in one file and ours alone, so that no reader begins a new log."""
    connection = None
    try:
        if target.exists():
            connection = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
            connection.execute("BEGIN EXCLUSIVE")
            return connection
    except (apsw.CorruptError, apsw.NotADBError):
        # Nothing to be lost: what cannot be opened is what a backup is brought back for.
        if connection is not None:
            connection.close()
    for side in _SIDES:
        target.with_name(target.name + side).unlink(missing_ok=True)
    return None


def create(path: Path) -> None:
    """A new empty file that is its owner's alone."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def flush(path: Path) -> None:
    """To the disk, before a rename makes it count."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise IndexLocked(
            f"another process has the index open: {error}",
            hint="stop `kebab mcp`, `kebab serve` or a running search, then try again",
            path=str(path),
        ) from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise RetrievalError(f"the index is damaged: {error}", hint="run `kebab doctor`", path=str(path)) from error
    except apsw.FullError as error:
        raise IoFailure("the disk is full", hint="make room, or name another place", op="write") from error
    except apsw.Error as error:
        raise IoFailure(f"cannot write {path}: {error}", hint="check the space and the permissions there") from error
    except OSError as error:
        raise IoFailure(
            f"cannot write {path}: {error.strerror}", hint="check the permissions there", path=str(path), op="write"
        ) from error
