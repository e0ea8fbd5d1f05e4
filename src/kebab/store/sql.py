"""A connection as the tables of this folder use it: rows of plain values, and nothing of the driver beyond it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

Row = tuple[Any, ...]


class Database:
    """Rows are typed by the statements that select them, so they are `Any` here."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def run(self, sql: str, bindings: Sequence[Any] | dict[str, Any] = ()) -> None:
        self.connection.execute(sql, bindings)

    def run_many(self, sql: str, bindings: Iterable[Sequence[Any]]) -> None:
        self.connection.executemany(sql, bindings)

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]:
        return self.connection.execute(sql, bindings).fetchall()

    def stream(self, sql: str, bindings: Sequence[Any] = ()) -> Iterator[Row]:
        yield from self.connection.execute(sql, bindings)

    def first(self, sql: str, bindings: Sequence[Any] = ()) -> Row | None:
        return self.connection.execute(sql, bindings).fetchone()

    def scalar(self, sql: str, bindings: Sequence[Any] = ()) -> Any:  # noqa: ANN401 - see the class
        """The first column of the first row, None without one."""
        row = self.first(sql, bindings)
        return row[0] if row is not None else None

    def insert(self, sql: str, bindings: Sequence[Any] | dict[str, Any]) -> int:
        """The key of the new row."""
        self.connection.execute(sql, bindings)
        return self.connection.last_insert_rowid()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing, also when the process is killed inside."""
        with self.connection:
            yield

    @property
    def is_readonly(self) -> bool:
        return self.connection.readonly("main")

    def close(self) -> None:
        self.connection.close()
