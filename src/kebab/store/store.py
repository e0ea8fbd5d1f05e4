"""The store as one thing: a connection with its documents, shelf, full text and runs."""

from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kebab.store.analyse import KoreanAnalyser
from kebab.store.connection import open_note_taker, open_reader, open_writer
from kebab.store.fulltext import FullText
from kebab.store.runs import Runs
from kebab.store.shelf import Shelf
from kebab.store.sql import Database

if TYPE_CHECKING:
    from kebab.store.answers import Answers
    from kebab.store.contents import Contents
    from kebab.store.derivations import Derivations
    from kebab.store.documents import Documents
    from kebab.store.embeddings import Embeddings
    from kebab.store.health import Health
    from kebab.store.jobs import Jobs
    from kebab.store.readings import Readings
    from kebab.store.sessions import Sessions
    from kebab.store.symbols import Symbols
    from kebab.store.weights import WordWeights

# FTS5 merges what each transaction writes; doing it in larger steps halves the cost of many small documents.
_AUTOMERGE = 16
_FIRST_WITH_VECTORS = 2
_FIRST_WITH_ANSWERS = 3


class Store:
    """Close it, or use it in a `with`."""

    def __init__(self, path: Path, database: Database, *, sparing: bool = False) -> None:
        self.path = path
        self._db = database
        self.fulltext = FullText(database, KoreanAnalyser(sparing=sparing))
        self.shelf = Shelf(database)
        self.runs = Runs(database)

    # What a search does not need is loaded when it is first used.

    @cached_property
    def documents(self) -> "Documents":
        from kebab.store.documents import Documents

        return Documents(self._db, self.fulltext.put, self.embeddings)

    @cached_property
    def embeddings(self) -> "Embeddings":
        from kebab.store.embeddings import Embeddings

        return Embeddings(self._db)

    @cached_property
    def derivations(self) -> "Derivations":
        from kebab.store.derivations import Derivations

        return Derivations(self._db)

    @cached_property
    def readings(self) -> "Readings":
        from kebab.store.readings import Readings

        return Readings(self._db)

    @cached_property
    def symbols(self) -> "Symbols":
        from kebab.store.symbols import Symbols

        return Symbols(self._db)

    @cached_property
    def weights(self) -> "WordWeights":
        from kebab.store.weights import WordWeights

        return WordWeights(self.fulltext)

    @cached_property
    def jobs(self) -> "Jobs":
        from kebab.store.jobs import Jobs

        return Jobs(self._db)

    @cached_property
    def answers(self) -> "Answers":
        from kebab.store.answers import Answers

        return Answers(self._db)

    @cached_property
    def sessions(self) -> "Sessions":
        from kebab.store.sessions import Sessions

        return Sessions(self._db)

    @cached_property
    def contents(self) -> "Contents":
        from kebab.store.contents import Contents

        return Contents(self._db)

    @cached_property
    def health(self) -> "Health":
        from kebab.store.health import Health

        return Health(self._db, self.fulltext)

    @classmethod
    def reader(cls, path: Path, *, sparing: bool = False) -> "Store":
        return cls(path, Database(open_reader(path, sparing=sparing)), sparing=sparing)

    @classmethod
    def writer(cls, path: Path) -> "Store":
        """The caller holds the writer lock."""
        store = cls(path, Database(open_writer(path)))
        store._db.run(f"INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', {_AUTOMERGE})")
        return store

    @property
    def schema_version(self) -> int:
        return int(self._db.scalar("PRAGMA user_version"))

    @classmethod
    def note_taker(cls, path: Path) -> "Store":
        """For a single short write beside whoever holds the writer lock, such as asking a job to stop."""
        return cls(path, Database(open_note_taker(path)))

    @property
    def has_vectors(self) -> bool:
        """Whether this index has the tables for them; one that an older kebab wrote gets them from the next writer."""
        return self.schema_version >= _FIRST_WITH_VECTORS

    @property
    def has_answers(self) -> bool:
        """Whether this index has the tables for answers and sessions."""
        return self.schema_version >= _FIRST_WITH_ANSWERS

    def snapshot(self) -> AbstractContextManager[None]:
        return self._db.snapshot()

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
