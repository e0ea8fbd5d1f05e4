"""The table `derivations`: results that cost much, kept by what they were made from, up to a size."""

import zlib

from kebab.core.clock import now
from kebab.core.inspection import CacheStatus
from kebab.store.sql import Database


class Derivations:
    """Fulfils the port `Cache`. What is kept outlives the document it was made for: a file that comes back finds it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, key: str) -> bytes | None:
        value = self._db.scalar("SELECT value FROM derivations WHERE derivation_key = ?", (key,))
        if value is None:
            return None
        self._db.run("UPDATE derivations SET used_at = ? WHERE derivation_key = ?", (now(), key))
        return zlib.decompress(value)

    def put(self, key: str, value: bytes, kind: str = "reading") -> None:
        moment = now()
        values = (key, kind, zlib.compress(value), moment, moment)
        self._db.run("INSERT OR REPLACE INTO derivations VALUES (?, ?, ?, ?, ?)", values)

    def status(self) -> CacheStatus:
        row = self._db.rows("SELECT count(*), coalesce(sum(length(value)), 0), min(used_at) FROM derivations")[0]
        return CacheStatus(*row)

    def prune(self, most_bytes: int) -> int:
        """Drops what was not used for longest until no more than so many bytes are left; gives how many were."""
        dropped = 0
        while self.status().bytes > most_bytes:
            with self._db.transaction():
                self._db.run(
                    """DELETE FROM derivations WHERE derivation_key IN
                       (SELECT derivation_key FROM derivations ORDER BY used_at, derivation_key LIMIT 64)"""
                )
            dropped += self._db.connection.changes()
        return dropped
