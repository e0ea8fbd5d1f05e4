"""Whether a database from elsewhere may be let in: sound, with our schema and nothing more, and rows that can be read.

A database is a program as much as it is data: its triggers and views run when others use it. So its schema has to be
the one that the migrations make, before anything is asked of its tables.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from kebab.core.errors import InvalidInput, SchemaTooNew
from kebab.store.connection import SCHEMA_VERSION, migrations, schema_version
from kebab.store.intake_rows import row_problems

_HINT = "export it anew with `kebab export` where it came from"
# Tables that a full-text table keeps its own things in; SQLite makes them.
_SHADOWS = ("chunks_fts_", "chunks_grams_")
_FULL_TEXT = ("chunks_fts", "chunks_grams")


def admit(path: Path) -> int:
    """The schema version of a database that may be used. Raises InvalidInput or SchemaTooNew; changes nothing."""
    try:
        with closing(_distrusting(path)) as connection:
            version = schema_version(connection)
            if version > SCHEMA_VERSION:
                raise SchemaTooNew(
                    f"the index in it was made by a newer kebab (schema {version}, this one knows {SCHEMA_VERSION})",
                    hint="upgrade kebab",
                    found=version,
                    expected=SCHEMA_VERSION,
                )
            problem = next(_problems(connection, version), None)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"the database in it is damaged: {error}", hint=_HINT) from error
    if problem is not None:
        raise InvalidInput(f"the database in it cannot be used: {problem}", hint=_HINT)
    return version


def _distrusting(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0").fetchall()
    return connection


def _problems(connection: apsw.Connection, version: int) -> Iterator[str]:
    if version < 1:
        yield "it holds no index"
        return
    yield from _strange(connection, version)
    found = str(connection.execute("PRAGMA integrity_check(1)").fetchall()[0][0])
    if found != "ok":
        yield found
    for row in connection.execute("PRAGMA foreign_key_check"):
        yield f"a row of {row[0]} points to nothing"
    ours = {name for kind, name in _described(connection) if kind == "table" and not name.startswith(_FULL_TEXT)}
    yield from row_problems(connection, ours)


def _strange(connection: apsw.Connection, version: int) -> Iterator[str]:
    """What stands in its schema and not in that of the migrations, or the other way round."""
    with closing(apsw.Connection(":memory:")) as blank:
        for migration in migrations()[:version]:
            blank.execute(migration.sql)
        ours, theirs = _described(blank), _described(connection)
    for kind, name in sorted(set(theirs) - set(ours)):
        yield f"it has a {kind} that kebab never makes: {name!r}"
    for kind, name in sorted(set(ours) - set(theirs)):
        yield f"the {kind} {name} is missing"
    for (kind, name), form in theirs.items():
        if form != ours[kind, name]:
            yield f"the {kind} {name} is not as kebab makes it"


def _described(connection: apsw.Connection) -> dict[tuple[str, str], object]:
    """Objects by kind and name, with what must be equal: the columns of a table, the text of anything else."""
    found: dict[tuple[str, str], object] = {}
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    for kind, name, sql in (map(str, row) for row in rows):
        if name.startswith("sqlite_"):
            continue
        virtual = sql.upper().startswith("CREATE VIRTUAL")
        if name.startswith(_SHADOWS):
            found[kind, name] = None
        elif kind == "table" and not virtual:
            columns = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (name,))
            found[kind, name] = [column[1:] for column in columns]
        else:
            found[kind, name] = " ".join(sql.split())
    return found
