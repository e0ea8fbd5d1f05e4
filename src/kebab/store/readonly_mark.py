"""The mark of an index that was imported to be read only: who would write to it is refused."""

from pathlib import Path

import apsw

from kebab.core.errors import ReadonlyMode

_KEY = "readonly"


def mark(connection: apsw.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO schema_meta VALUES (?, '1')", (_KEY,))


def unmark(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM schema_meta WHERE key = ?", (_KEY,))


def is_marked(connection: apsw.Connection) -> bool:
    """Of a database that holds an index."""
    return connection.execute("SELECT 1 FROM schema_meta WHERE key = ?", (_KEY,)).fetchone() is not None


def refuse_marked(connection: apsw.Connection, path: Path) -> None:
    if is_marked(connection):
        connection.close()
        raise ReadonlyMode(
            f"the index {path} was imported to be read only",
            hint="import it again with `--as copy --force`, or use another storage.data_dir",
            path=str(path),
        )
