"""The table `derivations`: results that cost much, kept by what they were made from, up to a size."""

import zlib

from kebab.core.clock import now
from kebab.core.inspection import CachedKind, CacheStatus
from kebab.store.sql import Database

_SIZES = "count(*), coalesce(sum(length(value)), 0), min(used_at)"


class Derivations:
    """Fulfils the port `Cache`. What is kept outlives the document it was made for: a file that comes back finds it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, key: str) -> bytes | None:
        value = self._db.scalar("SELECT value FROM derivations WHERE derivation_key = ?", (key,))
        if value is None:
            return None
        try:
            found = zlib.decompress(value)
        except zlib.error:
            # What is damaged is made again, and replaced.
            return None
        self._db.run("UPDATE derivations SET used_at = ? WHERE derivation_key = ?", (now(), key))
        return found

    def put(self, key: str, value: bytes, kind: str = "") -> None:
        moment = now()
        values = (key, kind, zlib.compress(value), moment, moment)
        self._db.run("INSERT OR REPLACE INTO derivations VALUES (?, ?, ?, ?, ?)", values)

    def status(self) -> CacheStatus:
        """Of everything, and of every kind by its name."""
        kinds = self._db.rows(f"SELECT kind, {_SIZES} FROM derivations GROUP BY kind ORDER BY kind")
        entries, size, oldest = self._db.rows(f"SELECT {_SIZES} FROM derivations")[0]
        return CacheStatus(entries, size, oldest, tuple(CachedKind(*row) for row in kinds))

    def prune(self, most_bytes: int) -> int:
        """Drops what was not used for longest until no more than so many bytes are left; gives how many were."""
        with self._db.transaction():
            self._db.run(
                """DELETE FROM derivations WHERE derivation_key IN (
                     SELECT derivation_key FROM (
                       SELECT derivation_key, sum(length(value)) OVER (
                         ORDER BY used_at DESC, derivation_key DESC ROWS UNBOUNDED PRECEDING) AS kept
                       FROM derivations)
                     WHERE kept > ?)""",
                (most_bytes,),
            )
            return self._db.connection.changes()
