"""Documents and what belongs to them: put, drop, get, list. One call of `put` or `drop` is one transaction."""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import apsw

from kebab.core.asset import Asset, FileStamp, SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.clock import now
from kebab.core.document import Block, BlockKind, Document, LineSpan, Metadata, ProvenanceEvent
from kebab.core.ids import BlockId
from kebab.core.query import Filters
from kebab.store.filters import document_condition

DOCUMENT_SCHEMA = 1
# Level 1 halves the CPU of level 6 for a tenth more bytes.
_DEFLATE_LEVEL = 1
_CHUNK_COLUMNS = """chunk_key, chunk_id, c.doc_key, ordinal, text, heading_path_json, section_label, source_spans_json,
    token_estimate, c.chunker_version, policy_hash, block_first, block_last"""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a document's file is and under which settings it was processed."""

    source_id: str
    file_path: str
    stamp: FileStamp
    fresh_key: str
    chunker_version: str
    standalone: bool = False
    storage_path: str | None = None


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What the index remembers of a file, enough to see whether it has to be read again."""

    workspace_path: str
    doc_id: str
    asset_id: str
    fresh_key: str
    stamp: FileStamp
    file_path: str
    standalone: bool
    chunk_count: int


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A stored document without its text, blocks and chunks."""

    doc_key: int
    doc_id: str
    asset_id: str
    workspace_path: str
    source_id: str
    media_type: str
    title: str
    lang: str
    source_type: str
    trust_level: str
    parser_version: str
    chunker_version: str
    chunk_count: int
    created_at: str
    updated_at: str
    file_path: str
    stamp: FileStamp
    byte_len: int
    checksum: str


_ROW_COLUMNS = """d.doc_key, d.doc_id, d.asset_id, d.workspace_path, d.source_id, d.media_type, d.title, d.lang,
    d.source_type, d.trust_level, d.parser_version, d.chunker_version, d.chunk_count, d.created_at, d.updated_at,
    d.file_path, d.file_size, d.file_mtime_ns, d.file_inode, a.byte_len, a.checksum"""


def _row(values: tuple[apsw.SQLiteValue, ...]) -> DocumentRow:
    head, stamp, tail = values[:16], values[16:19], values[19:]
    return DocumentRow(*head, FileStamp(*stamp), *tail)  # type: ignore[arg-type] # the column list above names the types


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the row it is stored in."""

    chunk_key: int
    doc_key: int
    chunk: Chunk


class Documents:
    """The tables from `assets` to `chunks`. `index` adds a chunk to the full text inside the same transaction."""

    def __init__(self, connection: apsw.Connection, index: Callable[[int, Chunk, str], None]) -> None:
        self._db = connection
        self._index = index

    # -- writing

    def put(self, asset: Asset, document: Document, chunks: list[Chunk], placement: Placement) -> None:
        """Stores a document in place of whatever was at its path."""
        with self._db:
            version = self._drop_at(document.workspace_path) + 1
            self._put_asset(asset, placement)
            key = self._put_document(document, placement, len(chunks), version)
            self._put_blocks(key, document.blocks)
            self._put_chunks(key, document, chunks)
            self._bump()

    def drop(self, workspace_path: str) -> bool:
        with self._db:
            found = self._drop_at(workspace_path) > 0
            if found:
                self._bump()
        return found

    def touch(self, workspace_path: str, file_path: str, stamp: FileStamp) -> None:
        """The file was written or moved but its content is the indexed one; nothing derived changes."""
        self._db.execute(
            """UPDATE documents SET file_path = ?, file_size = ?, file_mtime_ns = ?, file_inode = ?
               WHERE workspace_path = ?""",
            (file_path, stamp.size, stamp.mtime_ns, stamp.inode, workspace_path),
        )

    def _drop_at(self, workspace_path: str) -> int:
        """Drops the document at a path and its asset if no twin needs it. Gives its version, 0 if there was none."""
        row = self._db.execute(
            "DELETE FROM documents WHERE workspace_path = ? RETURNING asset_id, doc_version", (workspace_path,)
        ).fetchall()
        if not row:
            return 0
        asset, version = row[0]
        self._db.execute(
            "DELETE FROM assets WHERE asset_id = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE asset_id = ?1)", (asset,)
        )
        return int(version)

    def _put_asset(self, asset: Asset, placement: Placement) -> None:
        stored = ("copied", placement.storage_path) if placement.storage_path else ("reference", placement.file_path)
        self._db.execute(
            "INSERT OR IGNORE INTO assets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                asset.asset_id,
                asset.source_uri,
                asset.workspace_path,
                asset.media_type,
                asset.byte_len,
                asset.checksum,
                *stored,
                asset.discovered_at,
            ),
        )

    def _put_document(self, document: Document, placement: Placement, chunk_count: int, version: int) -> int:
        meta, stamp = document.metadata, placement.stamp
        values = {
            "doc_id": document.doc_id,
            "asset_id": document.asset_id,
            "workspace_path": document.workspace_path,
            "source_id": placement.source_id,
            "standalone": int(placement.standalone),
            "media_type": document.media_type,
            "title": document.title,
            "lang": document.lang,
            "source_type": str(meta.source_type),
            "trust_level": str(meta.trust_level),
            "parser_version": document.parser_version,
            "chunker_version": placement.chunker_version,
            "doc_version": version,
            "schema_version": DOCUMENT_SCHEMA,
            "metadata_json": _json(_metadata_out(meta)),
            "provenance_json": _json([[e.at, e.agent, e.kind, e.note] for e in document.provenance]),
            "warnings_json": _json(document.warnings),
            "chunk_count": chunk_count,
            "created_at": meta.created_at,
            "updated_at": now(),
            "file_path": placement.file_path,
            "file_size": stamp.size,
            "file_mtime_ns": stamp.mtime_ns,
            "file_inode": stamp.inode,
            "fresh_key": placement.fresh_key,
        }
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        self._db.execute(f"INSERT INTO documents({names}) VALUES ({marks})", values)  # noqa: S608 - names are ours
        key = self._db.last_insert_rowid()
        deflated = zlib.compress(document.source_text.encode("utf-8"), _DEFLATE_LEVEL)
        self._db.execute("INSERT INTO document_texts VALUES (?, ?)", (key, deflated))
        self._db.executemany("INSERT INTO document_tags VALUES (?, ?)", [(tag, key) for tag in meta.tags])
        return key

    def _put_blocks(self, key: int, blocks: tuple[Block, ...]) -> None:
        self._db.executemany(
            "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    key,
                    position,
                    block.block_id,
                    str(block.kind),
                    _json(block.heading_path),
                    block.ordinal,
                    f"[{block.span.start},{block.span.end}]",
                    _json(block.payload) if block.payload else "{}",
                )
                for position, block in enumerate(blocks)
            ),
        )

    def _put_chunks(self, key: int, document: Document, chunks: list[Chunk]) -> None:
        positions = {block.block_id: position for position, block in enumerate(document.blocks)}
        for chunk in chunks:
            self._db.execute(
                """INSERT INTO chunks(chunk_id, doc_key, ordinal, text, heading_path_json, section_label,
                   source_spans_json, token_estimate, chunker_version, policy_hash, block_first, block_last)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    chunk.chunk_id,
                    key,
                    chunk.ordinal,
                    chunk.text,
                    _json(chunk.heading_path),
                    chunk.section_label,
                    _json([[span.start, span.end] for span in chunk.spans]),
                    chunk.token_estimate,
                    chunk.chunker_version,
                    chunk.policy_hash,
                    positions[chunk.block_ids[0]],
                    positions[chunk.block_ids[-1]],
                ),
            )
            self._index(self._db.last_insert_rowid(), chunk, document.title)

    def _bump(self) -> None:
        self._db.execute("UPDATE schema_meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'corpus_revision'")

    # -- reading

    def known(self, source_id: str) -> dict[str, KnownFile]:
        """Everything the index remembers of one source, by workspace path."""
        rows = self._db.execute(
            """SELECT workspace_path, doc_id, asset_id, fresh_key, file_size, file_mtime_ns, file_inode, file_path,
               standalone, chunk_count FROM documents WHERE source_id = ?""",
            (source_id,),
        )
        return {
            path: KnownFile(path, doc, asset, fresh, FileStamp(size, mtime, inode), file, bool(standalone), chunks)
            for path, doc, asset, fresh, size, mtime, inode, file, standalone, chunks in rows
        }

    def rows(self, filters: Filters, order: str = "d.workspace_path") -> Iterator[DocumentRow]:
        condition, bindings = document_condition(filters)
        sql = f"SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id) WHERE {condition or '1'} ORDER BY {order}"  # noqa: E501, S608 - columns are ours, values bound
        for values in self._db.execute(sql, bindings):
            yield _row(values)

    def row_at(self, doc_keys: list[int]) -> dict[int, DocumentRow]:
        marks = ", ".join("?" * len(doc_keys))
        sql = f"SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id) WHERE d.doc_key IN ({marks})"  # noqa: S608 - bound
        return {row.doc_key: row for row in map(_row, self._db.execute(sql, doc_keys))}

    def find(self, reference: str) -> list[DocumentRow]:
        """Documents by id, unique id prefix or workspace path; more than one when a prefix is not unique."""
        sql = f"""SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id)
            WHERE d.doc_id = ?1 OR d.workspace_path = ?1 OR (length(?1) >= 6 AND d.doc_id GLOB ?1 || '*') LIMIT 5"""  # noqa: S608 - bound
        return [_row(values) for values in self._db.execute(sql, (reference,))]

    def tags(self) -> dict[int, tuple[str, ...]]:
        """Every document's tags, by document row."""
        found: dict[int, tuple[str, ...]] = {}
        for key, tag in self._db.execute("SELECT doc_key, tag FROM document_tags ORDER BY doc_key, tag"):
            found[key] = (*found.get(key, ()), tag)
        return found

    def asset_ids(self) -> set[str]:
        return {row[0] for row in self._db.execute("SELECT asset_id FROM assets")}

    def source_text(self, doc_key: int) -> str:
        row = self._db.execute("SELECT deflated FROM document_texts WHERE doc_key = ?", (doc_key,)).fetchone()
        return zlib.decompress(row[0]).decode("utf-8") if row else ""

    def facts(self, doc_key: int) -> tuple[Metadata, tuple[ProvenanceEvent, ...], tuple[str, ...]]:
        meta, provenance, warnings = self._db.execute(
            "SELECT metadata_json, provenance_json, warnings_json FROM documents WHERE doc_key = ?", (doc_key,)
        ).fetchone()
        events = tuple(ProvenanceEvent(*event) for event in json.loads(provenance))
        return _metadata_in(json.loads(meta)), events, tuple(json.loads(warnings))

    def blocks(self, doc_key: int) -> tuple[Block, ...]:
        lines = self.source_text(doc_key).split("\n")
        rows = self._db.execute(
            """SELECT block_id, kind, heading_path_json, ordinal, source_span_json, payload_json FROM blocks
               WHERE doc_key = ? ORDER BY position""",
            (doc_key,),
        )
        found = []
        for block_id, kind, path, ordinal, span_json, payload in rows:
            span = LineSpan(*json.loads(span_json))
            text = "\n".join(lines[span.start - 1 : span.end])
            path = tuple(json.loads(path))
            found.append(Block(BlockId(block_id), BlockKind(kind), path, ordinal, span, text, json.loads(payload)))
        return tuple(found)

    def chunks_of(self, doc_key: int) -> tuple[Chunk, ...]:
        """A document's chunks in document order."""
        return tuple(stored.chunk for stored in self._chunks("c.doc_key = ? ORDER BY ordinal", (doc_key,)))

    def chunks_at(self, keys: list[int]) -> dict[int, StoredChunk]:
        marks = ", ".join("?" * len(keys))
        return {stored.chunk_key: stored for stored in self._chunks(f"chunk_key IN ({marks})", tuple(keys))}

    def find_chunk(self, reference: str) -> list[StoredChunk]:
        """Chunks by id or unique id prefix."""
        condition = "chunk_id = ?1 OR (length(?1) >= 6 AND chunk_id GLOB ?1 || '*') LIMIT 5"
        return self._chunks(condition, (reference,))

    def _chunks(self, condition: str, bindings: tuple[str | int, ...]) -> list[StoredChunk]:
        sql = f"SELECT {_CHUNK_COLUMNS}, doc_id FROM chunks c JOIN documents USING (doc_key) WHERE {condition}"  # noqa: S608 - bound
        rows = self._db.execute(sql, bindings).fetchall()
        return [_stored_chunk(row, self._block_ids(row[2], row[11], row[12])) for row in rows]

    def _block_ids(self, doc_key: int, first: int, last: int) -> tuple[BlockId, ...]:
        rows = self._db.execute(
            "SELECT block_id FROM blocks WHERE doc_key = ? AND position BETWEEN ? AND ? ORDER BY position",
            (doc_key, first, last),
        )
        return tuple(BlockId(row[0]) for row in rows)


def _stored_chunk(row: tuple[apsw.SQLiteValue, ...], block_ids: tuple[BlockId, ...]) -> StoredChunk:
    key, chunk_id, doc_key, ordinal, text, path, label, spans, tokens, chunker, policy, _, _, doc_id = row
    chunk = Chunk(
        chunk_id=chunk_id,  # type: ignore[arg-type] # a row of our own columns
        doc_id=doc_id,  # type: ignore[arg-type]
        ordinal=ordinal,  # type: ignore[arg-type]
        text=text,  # type: ignore[arg-type]
        heading_path=tuple(json.loads(path)),  # type: ignore[arg-type]
        section_label=label,  # type: ignore[arg-type]
        spans=tuple(LineSpan(*span) for span in json.loads(spans)),  # type: ignore[arg-type]
        block_ids=block_ids,
        token_estimate=tokens,  # type: ignore[arg-type]
        chunker_version=chunker,  # type: ignore[arg-type]
        policy_hash=policy,  # type: ignore[arg-type]
    )
    return StoredChunk(key, doc_key, chunk)  # type: ignore[arg-type]


def _metadata_out(meta: Metadata) -> dict[str, object]:
    return {
        "created_at": meta.created_at,
        "updated_at": meta.updated_at,
        "source_type": str(meta.source_type),
        "trust_level": str(meta.trust_level),
        "tags": meta.tags,
        "aliases": meta.aliases,
        "user_id_alias": meta.user_id_alias,
        "user": meta.user,
    }


def _metadata_in(raw: dict[str, object]) -> Metadata:
    return Metadata(
        created_at=raw["created_at"],  # type: ignore[arg-type] # written by _metadata_out
        updated_at=raw["updated_at"],  # type: ignore[arg-type]
        source_type=SourceType(str(raw["source_type"])),
        trust_level=TrustLevel(str(raw["trust_level"])),
        tags=tuple(raw["tags"]),  # type: ignore[arg-type]
        aliases=tuple(raw["aliases"]),  # type: ignore[arg-type]
        user_id_alias=raw["user_id_alias"],  # type: ignore[arg-type]
        user=raw["user"],  # type: ignore[arg-type]
    )
