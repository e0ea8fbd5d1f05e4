"""The store as one thing: a connection with its documents, full text and runs."""

from pathlib import Path
from types import TracebackType

import apsw

from kebab.store.analyse import KoreanAnalyser
from kebab.store.connection import open_reader, open_writer
from kebab.store.documents import Documents
from kebab.store.fulltext import FullText
from kebab.store.health import Health
from kebab.store.runs import Runs

# FTS5 merges what each transaction writes; doing it in larger steps halves the cost of many small documents.
_AUTOMERGE = 16


class Store:
    """Close it, or use it in a `with`."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self.path = path
        self._db = connection
        self.fulltext = FullText(connection, KoreanAnalyser())
        self.documents = Documents(connection, self.fulltext.put)
        self.runs = Runs(connection)
        self.health = Health(connection, self.fulltext)

    @classmethod
    def reader(cls, path: Path) -> "Store":
        return cls(path, open_reader(path))

    @classmethod
    def writer(cls, path: Path) -> "Store":
        """The caller holds the writer lock."""
        store = cls(path, open_writer(path))
        store._db.execute(f"INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', {_AUTOMERGE})")  # noqa: S608
        return store

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
