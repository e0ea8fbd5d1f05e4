"""The vectors of chunks by model: which models there are, which one searches use, and what each text's vector is."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kebab.core.clock import now
from kebab.core.embedding import EmbeddingModel, EmbeddingSettings, Role
from kebab.core.ids import short_hash
from kebab.store.sql import Database
from kebab.store.vector_table import StoredVectors

_ACTIVE = "embedding_model"
# Statements take a limited number of bindings; a step keeps well below.
_STEP = 500


class StoredModel(NamedTuple):
    """A model as the index knows it, with the settings its questions are embedded under."""

    model_key: int
    settings: EmbeddingSettings
    input_version: str

    @property
    def identity(self) -> EmbeddingModel:
        return self.settings.identity()


class ChunkInputs(NamedTuple):
    """What of a chunk is embedded: each text's role and hash."""

    inputs: tuple[tuple[Role, bytes], ...]


class Embedded(NamedTuple):
    """The vectors of a document's chunks, in the order of the chunks. `fresh` holds those the index lacks, packed."""

    model_key: int
    chunks: tuple[ChunkInputs, ...]
    fresh: Mapping[bytes, bytes]


class UnembeddedChunk(NamedTuple):
    chunk_key: int
    text: str
    heading_path: tuple[str, ...]
    title: str


class Embeddings:
    """The tables `embedding_models`, `embeddings` and `embedding_records`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    # -- models

    def models(self) -> list[StoredModel]:
        rows = self._db.rows("SELECT model_key, settings_json, input_version FROM embedding_models ORDER BY model_key")
        return [StoredModel(key, EmbeddingSettings(**json.loads(settings)), version) for key, settings, version in rows]

    def active(self) -> StoredModel | None:
        """The model that searches use."""
        key = self._db.scalar("SELECT value FROM schema_meta WHERE key = ?", (_ACTIVE,))
        return next((model for model in self.models() if str(model.model_key) == key), None) if key else None

    def adopt(self, settings: EmbeddingSettings, input_version: str) -> StoredModel:
        """The model of these settings, made known if it is not. The first one ever is active at once."""
        with self._db.transaction():
            identity = settings.identity()
            text = json.dumps(settings._asdict(), ensure_ascii=False)
            self._db.run(
                """INSERT INTO embedding_models(provider, model, version, dimensions, input_version, settings_json,
                   created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT DO UPDATE SET settings_json = excluded.settings_json""",
                (*identity, input_version, text, now()),
            )
            key = self._db.scalar(
                """SELECT model_key FROM embedding_models
                   WHERE (provider, model, version, dimensions, input_version) = (?, ?, ?, ?, ?)""",
                (*identity, input_version),
            )
            if self.active() is None:
                self._activate(key)
        return StoredModel(key, settings, input_version)

    def activate(self, model_key: int, *, keep_others: bool) -> list[str]:
        """Searches use this model from here on. Gives the ids of the tables that were dropped with the others."""
        others = [] if keep_others else [model for model in self.models() if model.model_key != model_key]
        active = self.active()
        if not others and active is not None and active.model_key == model_key:
            return []
        with self._db.transaction():
            self._activate(model_key)
            dropped = [self.table(model).table_id for model in others]
            for model in others:
                self._drop(model.model_key)
            self._bump()
        return dropped

    def drop_all(self) -> int:
        """Every vector of every model; gives how many records there were."""
        with self._db.transaction():
            count = int(self._db.scalar("SELECT count(*) FROM embedding_records"))
            for model in self.models():
                self._drop(model.model_key)
            self._db.run("DELETE FROM schema_meta WHERE key = ?", (_ACTIVE,))
            self._bump()
        return count

    def _activate(self, model_key: int) -> None:
        self._db.run("INSERT OR REPLACE INTO schema_meta VALUES (?, ?)", (_ACTIVE, str(model_key)))

    def _drop(self, model_key: int) -> None:
        for table in ("embedding_records", "removed_records", "embeddings", "embedding_models"):
            self._db.run(f"DELETE FROM {table} WHERE model_key = ?", (model_key,))

    def _bump(self) -> None:
        self._db.run("UPDATE schema_meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'corpus_revision'")

    # -- vectors

    def table(self, model: StoredModel) -> StoredVectors:
        index_id = self._db.scalar("SELECT value FROM schema_meta WHERE key = 'index_id'")
        identity = model.identity
        name = short_hash({"index": index_id, "model": str(identity), "input": model.input_version})
        return StoredVectors(self._db, model.model_key, identity.dimensions, f"m{model.model_key}-{name}")

    def known(self, model_key: int, hashes: Sequence[bytes]) -> dict[bytes, int]:
        """The keys of the texts that have a vector already."""
        found: dict[bytes, int] = {}
        for start in range(0, len(hashes), _STEP):
            some = hashes[start : start + _STEP]
            marks = ", ".join("?" * len(some))
            sql = f"SELECT input_hash, embedding_key FROM embeddings WHERE model_key = ? AND input_hash IN ({marks})"
            found.update(self._db.rows(sql, (model_key, *some)))
        return found

    def put(self, chunk_keys: Sequence[int], embedded: Embedded) -> None:
        """The records of some chunks. The caller holds the transaction that also wrote the chunks.

        While another model serves searches, what is known of the same texts by that one is kept in use too. A chunk
        that has no vector for one of its texts gets no record, and is filled in by a later run.
        """
        hashes = self._own(chunk_keys, embedded)
        active = self.active()
        if active is not None and active.model_key != embedded.model_key:
            self._link(active.model_key, chunk_keys, embedded, self.known(active.model_key, hashes))

    def _own(self, chunk_keys: Sequence[int], embedded: Embedded) -> list[bytes]:
        """The records of the model itself; gives the hashes of all texts."""
        hashes = list(dict.fromkeys(each for chunk in embedded.chunks for _, each in chunk.inputs))
        keys = self.known(embedded.model_key, hashes)
        for each in hashes:
            if each not in keys and each in embedded.fresh:
                sql = "INSERT INTO embeddings(model_key, input_hash, vector) VALUES (?, ?, ?)"
                keys[each] = self._db.insert(sql, (embedded.model_key, each, embedded.fresh[each]))
        self._link(embedded.model_key, chunk_keys, embedded, keys)
        return hashes

    def _link(self, model_key: int, chunk_keys: Sequence[int], embedded: Embedded, keys: dict[bytes, int]) -> None:
        rows = [
            (model_key, chunk_key, int(role), keys[each])
            for chunk_key, chunk in zip(chunk_keys, embedded.chunks, strict=True)
            if all(each in keys for _, each in chunk.inputs)
            for role, each in chunk.inputs
        ]
        self._use({row[-1] for row in rows})
        sql = "INSERT INTO embedding_records(model_key, chunk_key, role, embedding_key) VALUES (?, ?, ?, ?)"
        self._db.run_many(sql, rows)

    def _use(self, keys: Iterable[int]) -> None:
        sql = "UPDATE embeddings SET unused_since = NULL WHERE embedding_key = ? AND unused_since IS NOT NULL"
        self._db.run_many(sql, [(key,) for key in keys])

    def fill(self, chunk_keys: Sequence[int], embedded: Embedded) -> None:
        """Vectors for chunks that are stored already; those that went meanwhile are left out."""
        with self._db.transaction():
            marks = ", ".join("?" * len(chunk_keys))
            sql = f"SELECT chunk_key FROM chunks WHERE chunk_key IN ({marks})"
            there = {key for (key,) in self._db.rows(sql, chunk_keys)}
            pairs = zip(chunk_keys, embedded.chunks, strict=True)
            kept = [(key, inputs) for key, inputs in pairs if key in there]
            self._own([key for key, _ in kept], embedded._replace(chunks=tuple(inputs for _, inputs in kept)))
            self._bump()

    # -- what is missing and what is left over

    def unembedded(self, model_key: int, limit: int) -> list[UnembeddedChunk]:
        """Chunks without a vector of this model, oldest first."""
        rows = self._db.rows(
            f"""SELECT chunk_key, text, heading_path_json, title {_UNEMBEDDED} ORDER BY chunk_key LIMIT ?""",
            (model_key, limit),
        )
        return [UnembeddedChunk(key, text, tuple(json.loads(path)), title) for key, text, path, title in rows]

    def count_unembedded(self, model_key: int) -> int:
        return int(self._db.scalar(f"SELECT count(*) {_UNEMBEDDED}", (model_key,)))

    def count_unused(self) -> int:
        return int(self._db.scalar("SELECT count(*) FROM embeddings WHERE unused_since IS NOT NULL"))

    def prune(self, keep: int) -> int:
        """Forgets vectors of texts that no chunk holds any more, the longest unused first, but for `keep` of them."""
        surplus = self.count_unused() - keep
        if surplus <= 0:
            return 0
        self._db.run(
            """DELETE FROM embeddings WHERE embedding_key IN (SELECT embedding_key FROM embeddings
               WHERE unused_since IS NOT NULL ORDER BY unused_since, embedding_key LIMIT ?)""",
            (surplus,),
        )
        return surplus

    def forget_removed(self, model_key: int) -> None:
        """Derived files were made anew, so none of them holds what was removed before."""
        self._db.run("DELETE FROM removed_records WHERE model_key = ?", (model_key,))

    def of_chunk(self, chunk_id: str) -> list[StoredModel]:
        """The models that hold vectors of a chunk."""
        sql = """SELECT DISTINCT model_key FROM embedding_records r JOIN chunks USING (chunk_key)
            WHERE chunk_id = ?"""
        keys = {key for (key,) in self._db.rows(sql, (chunk_id,))}
        return [model for model in self.models() if model.model_key in keys]


_UNEMBEDDED = """FROM chunks c JOIN documents USING (doc_key) WHERE NOT EXISTS
    (SELECT 1 FROM embedding_records r WHERE r.chunk_key = c.chunk_key AND r.model_key = ?)"""
