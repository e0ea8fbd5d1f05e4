"""A database that was let in becomes an index of this machine: migrated, with an id and places of its own."""

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import apsw

from kebab.core.embedding import EmbeddingModel, EmbeddingSettings
from kebab.core.errors import InvalidInput
from kebab.store import readonly_mark
from kebab.store.copying import flush
from kebab.store.store import Store

# How a model is reached from here; None if it is not to be.
Reach: TypeAlias = Callable[[EmbeddingModel], EmbeddingSettings | None]


class Arrival:
    """Works on a staged file that nobody else has open."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def prepare(self, asset_dir: Path, local: Reach) -> list[str]:
        """Gives what a person should know."""
        with closing(apsw.Connection(str(self._path))) as connection:
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
            readonly_mark.unmark(connection)
        with Store.writer(self._path) as store:
            notes = self._full_text(store)
        with closing(apsw.Connection(str(self._path))) as connection:
            connection.execute("PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY")
            with connection:
                _rename(connection)
                _move_copies(connection, asset_dir)
                notes += _reach_models(connection, local)
        return notes

    def _full_text(self, store: Store) -> list[str]:
        """Made anew where another analyser made it, or where it is not sound."""
        version = store.fulltext.analyser.version
        foreign, problem = store.runs.meta("analyser") != version, store.health.full_text()
        if not foreign and problem is None:
            return []
        store.health.rebuild_full_text()
        store.runs.set_meta("analyser", version)
        if (problem := store.health.full_text()) is not None:
            raise InvalidInput(f"the database in it cannot be used: {problem}", hint="export it anew")
        return ["the full-text index was made anew for this machine"]

    def finish(self, *, readonly: bool) -> None:
        """One file, on the disk, that needs none beside it."""
        with closing(apsw.Connection(str(self._path))) as connection:
            if readonly:
                readonly_mark.mark(connection)
            connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        flush(self._path)


def _rename(connection: apsw.Connection) -> None:
    """Files derived from the index this was a copy of must never be taken for its own."""
    connection.execute("INSERT OR REPLACE INTO schema_meta VALUES ('index_id', lower(hex(randomblob(8))))")
    connection.execute("DELETE FROM removed_records")


def _move_copies(connection: apsw.Connection, asset_dir: Path) -> None:
    connection.execute(
        """UPDATE assets SET storage_path = ? || substr(asset_id, 1, 2) || ? || asset_id
           WHERE storage_kind = 'copied'""",
        (f"{asset_dir}{os.sep}", os.sep),
    )


def _reach_models(connection: apsw.Connection, local: Reach) -> list[str]:
    """An index must not say where questions are sent: that is for the configuration of this machine."""
    notes = []
    active = connection.execute("SELECT value FROM schema_meta WHERE key = 'embedding_model'").fetchone()
    sql = "SELECT model_key, provider, model, version, dimensions FROM embedding_models"
    for key, provider, model, version, dimensions in connection.execute(sql).fetchall():
        identity = EmbeddingModel(str(provider), str(model), str(version), int(str(dimensions)))
        reached = local(identity)
        text = json.dumps((reached or EmbeddingSettings(*identity))._asdict(), ensure_ascii=False)
        connection.execute("UPDATE embedding_models SET settings_json = ? WHERE model_key = ?", (text, key))
        if reached is None and active is not None and active[0] == str(key):
            connection.execute("DELETE FROM schema_meta WHERE key = 'embedding_model'")
            notes.append(
                f"its vectors are of {identity}, a server that is not configured here: "
                "searches go by words until it is, or until `kebab ingest`"
            )
    return notes
