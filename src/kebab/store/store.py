"""The store as one thing: a connection with its documents, shelf, full text and runs."""

from pathlib import Path
from types import TracebackType
from typing import Self

from kebab.store.analyse import KoreanAnalyser
from kebab.store.connection import open_reader, open_writer
from kebab.store.documents import Documents
from kebab.store.fulltext import FullText
from kebab.store.health import Health
from kebab.store.runs import Runs
from kebab.store.shelf import Shelf
from kebab.store.sql import Database

# FTS5 merges what each transaction writes; doing it in larger steps halves the cost of many small documents.
_AUTOMERGE = 16


class Store:
    """Close it, or use it in a `with`."""

    def __init__(self, path: Path, database: Database) -> None:
        self.path = path
        self._db = database
        self.fulltext = FullText(database, KoreanAnalyser())
        self.documents = Documents(database, self.fulltext.put)
        self.shelf = Shelf(database)
        self.runs = Runs(database)
        self.health = Health(database, self.fulltext)

    @classmethod
    def reader(cls, path: Path) -> "Store":
        return cls(path, Database(open_reader(path)))

    @classmethod
    def writer(cls, path: Path) -> "Store":
        """The caller holds the writer lock."""
        store = cls(path, Database(open_writer(path)))
        store._db.run(f"INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', {_AUTOMERGE})")
        return store

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
