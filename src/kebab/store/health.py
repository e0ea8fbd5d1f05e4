"""Is the database sound, and if not, what can be mended from what it still holds."""

import json

import apsw

from kebab.core.errors import KebabError
from kebab.store.analyse import has_pairs
from kebab.store.fulltext import FullText
from kebab.store.sql import Database

_FTS_TABLES = ("chunks_fts", "chunks_grams")


class Health:
    """Checks give None when all is well, else what is wrong."""

    def __init__(self, database: Database, fulltext: FullText) -> None:
        self._db = database
        self._fulltext = fulltext

    def database(self) -> str | None:
        """SQLite's own check, and rows whose parent is gone."""
        try:
            problem = self._db.scalar("PRAGMA quick_check(1)")
            orphan = self._db.first("PRAGMA foreign_key_check") if problem == "ok" else None
        except (KebabError, apsw.Error) as error:
            return str(error)
        if problem != "ok":
            return str(problem)
        return f"a row of {orphan[0]} points to nothing" if orphan else None

    def full_text(self) -> str | None:
        """Every chunk is in the index and nothing else is; both indexes are sound inside."""
        try:
            return self._drift() or self._damage()
        except (KebabError, apsw.Error) as error:
            return f"the full-text index is damaged: {error}"

    def _drift(self) -> str | None:
        missing = self._scalar("SELECT count(*) FROM chunks WHERE chunk_key NOT IN (SELECT id FROM chunks_fts_docsize)")
        missing += self._missing_grams()
        extra = self._scalar("SELECT count(*) FROM chunks_fts_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks)")
        extra += self._scalar(
            "SELECT count(*) FROM chunks_grams_docsize WHERE id NOT IN (SELECT chunk_key FROM chunks)"
        )
        if missing or extra:
            return f"{missing} chunks are not in the full-text index, {extra} entries have no chunk"
        return None

    def _missing_grams(self) -> int:
        """Chunks that hold Hangul pairs and are not in the second index."""
        rows = self._db.stream(
            """SELECT text FROM chunks WHERE chunk_key NOT IN (SELECT id FROM chunks_grams_docsize)
               AND length(text) < length(CAST(text AS BLOB))"""
        )
        return sum(1 for (text,) in rows if has_pairs(text))

    def _damage(self) -> str | None:
        writable = not self._db.is_readonly
        for table in _FTS_TABLES:
            try:
                if writable:
                    self._db.run(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
                else:
                    self._db.run(f"SELECT count(*) FROM {table}_data")
            except (KebabError, apsw.Error) as error:
                return f"{table} is damaged: {error}"
        return None

    def rebuild_full_text(self) -> int:
        """Makes both full-text indexes anew from the chunks, in one transaction."""
        with self._db.transaction():
            for table in _FTS_TABLES:
                self._db.run(f"INSERT INTO {table}({table}) VALUES ('delete-all')")
            count = 0
            rows = self._db.stream(
                """SELECT chunk_key, text, heading_path_json, title FROM chunks JOIN documents USING (doc_key)
                   ORDER BY chunk_key"""
            )
            for key, text, path, title in rows:
                self._fulltext.put_text(key, text, tuple(json.loads(path)), title)
                count += 1
        return count

    def size(self) -> int:
        return self._scalar("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")

    def _scalar(self, sql: str) -> int:
        return int(self._db.scalar(sql))
