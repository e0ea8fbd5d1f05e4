"""Makes the file of `fulltext_impacts` anew when the index has moved on: asks FTS5 for every common word once."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import apsw

from kebab.store.copying import flush
from kebab.store.fulltext_impacts import LAYOUT, Channel, Impacts, State, path_beside
from kebab.store.fulltext_stems import Stemmer
from kebab.store.sql import Database

# Word, channel, step, keys and scores.
Kept: TypeAlias = tuple[str, str, float, bytes, bytes]

# A word in fewer chunks is as fast to ask for; in a larger index that is more of them.
_LEAST, _LEAST_SHARE = 500, 0.004
# The file is made anew when more of the index than this has changed since.
_WORN = 0.05
# Scores are kept in so many steps of the word's highest one.
_STEPS = 65535
_SCHEMA = """
PRAGMA page_size = 65536; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE impacts (word TEXT, channel TEXT, step REAL, keys BLOB, scores BLOB);
"""
# What may have been cut off where a stem is not its own stem.
_ENDINGS = ("", "e", "s", "es", "y", "ing", "ed", "ion", "al", "ly", "ate", "ize", "ness")


class _Stopped(Exception):
    """Somebody asked to stop; the file of before stays."""


def is_worn(database: Database, state: State) -> bool:
    current = Impacts.open(path_beside(database))
    if current is None:
        return True
    worn = current.wear(state) > _WORN
    current.close()
    return worn


def follow(
    database: Database,
    stemmer: Stemmer,
    channels: tuple[Channel, ...],
    state: State,
    stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Makes the file anew when it has worn. A file that cannot be written is no failure: searches do without it."""
    if not is_worn(database, state):
        return False
    path = path_beside(database)
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    with suppress(OSError, apsw.Error, _Stopped):
        # Only one process writes at a time, so a draft is what a killed one left.
        for left in path.parent.glob(f"{path.name}.*.draft"):
            left.unlink()
        try:
            _write(draft, (_lists(database, stemmer, each, state) for each in channels), state, stopped)
            flush(draft)
            draft.replace(path)
            return True
        finally:
            draft.unlink(missing_ok=True)
    return False


def drop(database: Database) -> None:
    """For an index that has become small."""
    with suppress(OSError):
        path_beside(database).unlink(missing_ok=True)


def _write(draft: Path, lists: Iterable[Iterator[Kept]], state: State, stopped: Callable[[], bool]) -> None:
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = apsw.Connection(str(draft))
    try:
        connection.execute(_SCHEMA).fetchall()
        with connection:
            for row in chain.from_iterable(lists):
                if stopped():
                    raise _Stopped
                connection.execute("INSERT INTO impacts VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("CREATE UNIQUE INDEX impacts_word ON impacts(word, channel)")
            facts = {"layout": LAYOUT, **{name: str(value) for name, value in state._asdict().items()}}
            connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
    finally:
        connection.close()


def _lists(database: Database, stemmer: Stemmer, channel: Channel, state: State) -> Iterator[Kept]:
    least = max(_LEAST, int(state.chunks * _LEAST_SHARE))
    vocabulary = f"temp.vocabulary_of_{channel.table}"
    database.run(f"CREATE VIRTUAL TABLE IF NOT EXISTS {vocabulary} USING fts5vocab(main, {channel.table}, row)")
    sql = f"SELECT rowid, -{channel.rank} FROM {channel.table} WHERE {channel.table} MATCH ?"
    for (word,) in database.rows(f"SELECT term FROM {vocabulary} WHERE doc >= ?", (least,)):
        spelt = _spelling(stemmer, word) if channel.stems else word
        if spelt is not None:
            rows = database.stream(sql, ('"' + spelt.replace('"', '""') + '"',))
            yield word, channel.table, *_packed(rows)


def _packed(rows: Iterator[tuple[int, float]]) -> tuple[float, bytes, bytes]:
    """A step, the gaps between keys or the keys themselves where a gap is too wide, and the scores in steps."""
    import numpy as np

    found = np.fromiter(rows, [("key", np.int64), ("score", np.float64)])
    places, values = found["key"], found["score"]
    step = float(values.max(initial=0.0)) / _STEPS or 1.0
    gaps = np.diff(places, prepend=0)
    narrow = int(gaps.max(initial=0)) <= _STEPS
    written = gaps.astype("<u2") if narrow else places.astype("<i4")
    # A chunk that has the word keeps a score above 0, however small it is.
    return step, written.tobytes(), np.maximum(np.rint(values / step), 1).astype("<u2").tobytes()


def _spelling(stemmer: Stemmer, stem: str) -> str | None:
    """A word that FTS5 would cut down to this stem; a stem is most often its own."""
    return next((stem + end for end in _ENDINGS if stemmer.stems(stem + end) == [stem]), None)
