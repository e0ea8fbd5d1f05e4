"""The schema is a promise to every index on disk: a released migration never changes, a new schema needs a new one.

After adding a migration, write its lock and the new schema with KEBAB_UPDATE_SNAPSHOTS=1; neither overwrites what a
released migration says.
"""

import json
import os
import re
from hashlib import sha256
from importlib import resources
from pathlib import Path

import apsw
import pytest

from kebab.core.errors import SchemaTooNew
from kebab.store import connection
from kebab.store.connection import SCHEMA_VERSION, Migration, migrations, open_reader, open_writer, schema_version

HERE = Path(__file__).parent
LOCK = HERE / "migrations.lock.json"
SCHEMA = HERE / "schema.sql"
UPDATE = os.environ.get("KEBAB_UPDATE_SNAPSHOTS") == "1"


def files() -> dict[str, str]:
    """Each migration's name and the hash of its bytes."""
    folder = resources.files("kebab.store.migrations")
    return {
        entry.name: sha256(entry.read_bytes()).hexdigest()
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".sql")
    }


def dump(database: apsw.Connection) -> str:
    rows = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
    return "".join(f"{sql};\n\n" for (sql,) in rows)


def test_a_released_migration_never_changes_and_never_goes() -> None:
    locked = json.loads(LOCK.read_text(encoding="utf-8")) if LOCK.exists() else {}
    found = files()
    if UPDATE and set(found) > set(locked):
        LOCK.write_text(json.dumps({**found, **locked}, indent=1) + "\n", encoding="utf-8")
        return
    assert set(locked) <= set(found), "a released migration is gone"
    changed = [name for name in locked if locked[name] != found[name]]
    assert changed == [], "a released migration was edited: add a new one instead"
    assert set(found) == set(locked), "a new migration: lock it with KEBAB_UPDATE_SNAPSHOTS=1"


def test_the_schema_version_is_the_number_of_the_last_migration() -> None:
    numbers = [migration.number for migration in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers[-1] == SCHEMA_VERSION
    assert [int(name[1:4]) for name in files()] == numbers


def test_every_migration_file_is_found_by_its_name() -> None:
    assert all(re.fullmatch(r"V\d{3}__[a-z0-9_]+\.sql", name) for name in files())
    assert migrations()[0].description == "init"


def test_all_migrations_together_make_the_known_schema(tmp_path: Path) -> None:
    database = open_writer(tmp_path / "kebab.sqlite")
    found = dump(database)
    if UPDATE:
        SCHEMA.write_text(found, encoding="utf-8")
    assert found == SCHEMA.read_text(encoding="utf-8"), "the schema changed: that takes a new migration"
    database.close()


def test_a_new_index_says_what_was_applied(tmp_path: Path) -> None:
    database = open_writer(tmp_path / "kebab.sqlite")
    assert schema_version(database) == SCHEMA_VERSION
    applied = database.execute("SELECT id, description FROM migrations ORDER BY id").fetchall()
    assert applied == [(migration.number, migration.description) for migration in migrations()]
    meta = dict(database.execute("SELECT key, value FROM schema_meta").fetchall())
    assert len(meta.pop("index_id")) == 16
    assert meta == {"schema_version": str(SCHEMA_VERSION), "corpus_revision": "0"}
    database.close()


def test_applying_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kebab.sqlite"
    first = open_writer(path)
    before = dump(first), first.execute("SELECT * FROM migrations").fetchall()
    first.close()
    content = path.read_bytes()
    second = open_writer(path)
    assert (dump(second), second.execute("SELECT * FROM migrations").fetchall()) == before
    second.close()
    assert path.read_bytes() == content


def test_only_what_is_missing_is_applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kebab.sqlite"
    open_writer(path).close()
    more = [*migrations(), Migration(SCHEMA_VERSION + 1, "one more", "CREATE TABLE one_more (a)")]
    monkeypatch.setattr(connection, "migrations", lambda: more)
    monkeypatch.setattr(connection, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    database = open_writer(path)
    assert schema_version(database) == SCHEMA_VERSION + 1
    assert database.execute("SELECT count(*) FROM one_more").fetchone() == (0,)
    assert [row[0] for row in database.execute("SELECT id FROM migrations ORDER BY id")] == [
        migration.number for migration in more
    ]
    database.close()


def test_a_migration_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kebab.sqlite"
    open_writer(path).close()
    broken = Migration(SCHEMA_VERSION + 1, "broken", "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(connection, "migrations", lambda: [*migrations(), broken])
    with pytest.raises(Exception, match="nowhere"):
        open_writer(path)
    reader = open_reader(path)
    assert schema_version(reader) == SCHEMA_VERSION
    assert reader.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    reader.close()


def test_an_index_of_a_newer_kebab_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "kebab.sqlite"
    database = open_writer(path)
    database.pragma("user_version", SCHEMA_VERSION + 1)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    before = path.read_bytes()
    for open_it in (open_reader, open_writer):
        with pytest.raises(SchemaTooNew) as caught:
            open_it(path)
        assert caught.value.details["found"] == SCHEMA_VERSION + 1
        assert caught.value.details["expected"] == SCHEMA_VERSION
    assert path.read_bytes() == before
