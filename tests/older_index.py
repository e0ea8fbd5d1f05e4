"""An index as an older kebab would have left it: made by this one, with everything taken away that came later."""

from pathlib import Path

import apsw

from kebab.store.connection import migrations


def made_older(path: Path, version: int) -> None:
    """Takes back the migrations after `version` from a database nobody has open."""
    blank = apsw.Connection(":memory:")
    for migration in migrations()[:version]:
        blank.execute(migration.sql)
    kept = {name for (name,) in blank.execute("SELECT name FROM sqlite_master")}
    tables = [name for (name,) in blank.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {name: _columns(blank, name) for name in tables}
    database = apsw.Connection(str(path))
    database.execute("PRAGMA foreign_keys=OFF")
    for kind in ("trigger", "view", "index", "table"):
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = ?", (kind,)).fetchall():
            if name not in kept and not name.startswith("sqlite_"):
                database.execute(f'DROP {kind} IF EXISTS "{name}"')
    for name, names in columns.items():
        for column in _columns(database, name) - names:
            database.execute(f'ALTER TABLE "{name}" DROP COLUMN "{column}"')
    database.execute("DELETE FROM migrations WHERE id > ?", (version,))
    database.execute("DELETE FROM schema_meta WHERE key NOT IN ('schema_version', 'corpus_revision', 'analyser')")
    database.execute("UPDATE schema_meta SET value = ? WHERE key = 'schema_version'", (str(version),))
    database.pragma("user_version", version)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()


def _columns(database: apsw.Connection, table: str) -> set[str]:
    return {row[1] for row in database.execute(f'PRAGMA table_info("{table}")')}
