"""A connection as the tables of this folder use it: rows of plain values, and nothing of the driver beyond it."""

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import apsw

from kebab.core.errors import IndexLocked, IoFailure, KebabError, RetrievalError

SHORTEST_ID = 6

Row = tuple[Any, ...]
Bindings = Sequence[Any] | dict[str, Any]


def among(keys: Iterable[int]) -> object:
    """Keys to be bound at once, as in `rowid IN carray(?)`: one prepared statement serves any number of them."""
    # An array without elements is refused, and no row has this key.
    return apsw.carray(array("q", keys) or array("q", (-1,)))


def beginning_with(column: str, beginning: str) -> tuple[str, tuple[str, str]] | None:
    """A condition that the index of an id can answer, and its bindings; None for what is too short to name one."""
    # An id is of hexadecimal digits, and none of them comes after `g`.
    return None if len(beginning) < SHORTEST_ID else (f"{column} >= ? AND {column} < ?", (beginning, f"{beginning}g"))


class Database:
    """Rows are typed by the statements that select them, so they are `Any` here."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def run(self, sql: str, bindings: Bindings = ()) -> None:
        with _told():
            self.connection.execute(sql, bindings)

    def run_many(self, sql: str, bindings: Iterable[Sequence[Any]]) -> None:
        with _told():
            self.connection.executemany(sql, bindings)

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]:
        with _told():
            return self.connection.execute(sql, bindings).fetchall()

    def stream(self, sql: str, bindings: Sequence[Any] = ()) -> Iterator[Row]:
        with _told():
            yield from self.connection.execute(sql, bindings)

    def first(self, sql: str, bindings: Sequence[Any] = ()) -> Row | None:
        with _told():
            return self.connection.execute(sql, bindings).fetchone()

    def scalar(self, sql: str, bindings: Sequence[Any] = ()) -> Any:  # noqa: ANN401 - see the class
        """The first column of the first row, None without one."""
        row = self.first(sql, bindings)
        return row[0] if row is not None else None

    def insert(self, sql: str, bindings: Bindings) -> int:
        """The key of the new row."""
        self.run(sql, bindings)
        return self.connection.last_insert_rowid()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, also when the process is killed inside."""
        with _told():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                # SQLite itself rolls back when the disk is full; a second time would hide the reason.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several statements that see one state of the index, whatever another process commits meanwhile."""
        with _told():
            self.connection.execute("BEGIN")
            try:
                yield
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            # Nothing was written, and to roll back would forget the temporary tables of the full text.
            if self.connection.in_transaction:
                self.connection.execute("COMMIT")

    @property
    def is_readonly(self) -> bool:
        return self.connection.readonly("main")

    def close(self) -> None:
        self.connection.close()


class _told:  # noqa: N801 - used like a statement
    """What SQLite could not do, as an error of ours. A class, because a generator costs more than the statement."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, UnicodeDecodeError | zlib.error):
            raise _damaged(error) from error
        if isinstance(error, apsw.Error) and (told := _failure(error)) is not None:
            raise told from error


def _failure(error: apsw.Error) -> KebabError | None:
    """None for what can only be a mistake of ours, such as a broken constraint."""
    if isinstance(error, apsw.FullError):
        return IoFailure("the disk is full", hint="make room and run the command again", op="write")
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return IndexLocked(f"the index is in use: {error}", hint="try again in a moment")
    if isinstance(error, apsw.IOError | apsw.ReadOnlyError | apsw.CantOpenError):
        return IoFailure(f"the index cannot be read or written: {error}", hint="run `kebab doctor`", op="access")
    if not isinstance(error, apsw.CorruptError | apsw.NotADBError):
        return None
    return _damaged(error)


def _damaged(error: Exception) -> RetrievalError:
    return RetrievalError(
        f"the index is damaged: {error}",
        hint="run `kebab doctor`; `kebab reset --data-only --yes` and `kebab ingest` build it anew",
    )
