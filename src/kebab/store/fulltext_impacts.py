"""A file beside a large index with the scores of common words: what each adds to every chunk that has it.

FTS5 computes BM25 anew for every chunk with any word of a query, a microsecond each: a third of a second for a word in
a third of a million chunks. BM25 is a sum over words, so what FTS5 says of one word alone can be kept and added up. The
file is derived: one that is lost, damaged or another index's costs time, never a result. Chunks written since are asked
of FTS5, and chunks that went are left out by whoever reads.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import apsw

from kebab.store.sql import Database

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from numpy.typing import NDArray

    Keys: TypeAlias = NDArray[Any]
    Scores: TypeAlias = NDArray[Any]

SUFFIX = ".impacts"
LAYOUT = "1"
# The file is not used when more of the index than this has changed since.
_WORN_OUT = 0.2
_HIGHEST = 1e6
# Sums need a place for every key there has been. Where most are long gone they would take more than they save.
_SPARSEST, _FEW_KEYS = 4, 1 << 22


class Channel(NamedTuple):
    """A full-text table, how it ranks, and whether its words are stemmed."""

    table: str
    rank: str
    stems: bool


class State(NamedTuple):
    """What the index is: which one, its analyser, its number of chunks and its newest key."""

    index_id: str
    analyser: str
    chunks: int
    newest: int


def state_of(database: Database, analyser: str, count: int) -> State:
    index_id = database.scalar("SELECT value FROM schema_meta WHERE key = 'index_id'")
    newest = database.scalar("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'")
    return State(str(index_id), analyser, count, int(newest or 0))


class Impacts:
    """An open file. `built` is the state of the index it was made of."""

    def __init__(self, connection: apsw.Connection, built: State) -> None:
        self._connection = connection
        self.built = built

    @classmethod
    def open(cls, path: Path) -> "Impacts | None":
        """None when there is none that can be read."""
        if not path.is_file():
            return None
        # Never changed once it has its name, so neither locks nor a second look at its header are needed.
        uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        try:
            connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
            facts = {str(name): str(value) for name, value in connection.execute("SELECT name, value FROM facts")}
            built = State(facts["index_id"], facts["analyser"], int(facts["chunks"]), int(facts["newest"]))
            return cls(connection, built) if facts["layout"] == LAYOUT else None
        except (apsw.Error, KeyError, ValueError):
            # Text that is not UTF-8 is a ValueError too.
            return None

    def serves(self, state: State) -> bool:
        sparse = state.newest > max(_SPARSEST * state.chunks, _FEW_KEYS)
        return not sparse and self.wear(state) <= _WORN_OUT

    def wear(self, state: State) -> float:
        """Which share of the index has changed since; 1 for another index."""
        same = (state.index_id, state.analyser) == (self.built.index_id, self.built.analyser)
        added = state.newest - self.built.newest
        if not same or added < 0 or not self.built.chunks:
            return 1.0
        removed = max(self.built.chunks + added - state.chunks, 0)
        return (added + removed) / self.built.chunks

    def of(self, channel: Channel, word: str) -> "tuple[Keys, Scores] | None":
        """The chunks with the word, by key, and what it adds to each; None when the word is not kept or damaged."""
        sql = "SELECT step, keys, scores FROM impacts WHERE word = ? AND channel = ?"
        try:
            found = self._connection.execute(sql, (word, channel.table)).fetchone()
        except (apsw.Error, UnicodeDecodeError):
            return None
        return None if found is None else _unpacked(found, self.built.newest)

    def count(self, table: str, word: str) -> int:
        sql = "SELECT length(scores) / 2 FROM impacts WHERE word = ? AND channel = ?"
        try:
            found = self._connection.execute(sql, (word, table)).get
        except apsw.Error:
            return 0
        return found if isinstance(found, int) else 0

    def close(self) -> None:
        self._connection.close()


def path_beside(database: Database) -> Path:
    return Path(database.connection.filename + SUFFIX)


def _unpacked(found: tuple[object, ...], newest: int) -> "tuple[Keys, Scores] | None":
    import numpy as np

    step, raw_keys, raw_scores = found
    if not (isinstance(step, float) and isinstance(raw_keys, bytes) and isinstance(raw_scores, bytes)):
        return None
    if not raw_scores or len(raw_scores) % 2 or len(raw_keys) not in (len(raw_scores), 2 * len(raw_scores)):
        return None
    if len(raw_keys) == len(raw_scores):
        keys = np.cumsum(np.frombuffer(raw_keys, "<u2"), dtype=np.int64)
    else:
        keys = np.frombuffer(raw_keys, "<i4").astype(np.int64)
    # Growing keys, so that no chunk is counted twice, and none the index never had.
    if keys[0] < 1 or keys[-1] > newest or not np.all(keys[1:] > keys[:-1]) or not 0 < step < _HIGHEST:
        return None
    return keys, np.frombuffer(raw_scores, "<u2") * step
