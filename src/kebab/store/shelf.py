"""Documents and what belongs to them, as they are read: rows, text, blocks and chunks."""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kebab.core.asset import FileStamp, SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.document import Block, BlockKind, LineSpan, Metadata, ProvenanceEvent
from kebab.core.ids import BlockId
from kebab.core.query import Filters
from kebab.store.filters import document_condition
from kebab.store.sql import Database, Row

_CHUNK_COLUMNS = """chunk_key, chunk_id, c.doc_key, ordinal, text, heading_path_json, section_label, source_spans_json,
    token_estimate, c.chunker_version, policy_hash, block_first, block_last"""


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


def _row(values: Row) -> DocumentRow:
    head, stamp, tail = values[:16], values[16:19], values[19:]
    return DocumentRow(*(*head, FileStamp(*stamp), *tail))


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the row it is stored in."""

    chunk_key: int
    doc_key: int
    chunk: Chunk


class Shelf:
    """Reads the tables from `assets` to `chunks`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self, source_id: str) -> dict[str, KnownFile]:
        """Everything the index remembers of one source, by workspace path."""
        rows = self._db.rows(
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
        sql = f"SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id) WHERE {condition or '1'} ORDER BY {order}"
        for values in self._db.stream(sql, bindings):
            yield _row(values)

    def row_at(self, doc_keys: list[int]) -> dict[int, DocumentRow]:
        marks = ", ".join("?" * len(doc_keys))
        sql = f"SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id) WHERE d.doc_key IN ({marks})"
        return {row.doc_key: row for row in map(_row, self._db.rows(sql, doc_keys))}

    def find(self, reference: str) -> list[DocumentRow]:
        """Documents by id, unique id prefix or workspace path; more than one when a prefix is not unique."""
        sql = f"""SELECT {_ROW_COLUMNS} FROM documents d JOIN assets a USING (asset_id)
            WHERE d.doc_id = ?1 OR d.workspace_path = ?1 OR (length(?1) >= 6 AND d.doc_id GLOB ?1 || '*') LIMIT 5"""
        return [_row(values) for values in self._db.rows(sql, (reference,))]

    def tags(self) -> dict[int, tuple[str, ...]]:
        """Every document's tags, by document row."""
        found: dict[int, tuple[str, ...]] = {}
        for key, tag in self._db.stream("SELECT doc_key, tag FROM document_tags ORDER BY doc_key, tag"):
            found[key] = (*found.get(key, ()), tag)
        return found

    def asset_ids(self) -> set[str]:
        return {row[0] for row in self._db.stream("SELECT asset_id FROM assets")}

    def source_text(self, doc_key: int) -> str:
        deflated = self._db.scalar("SELECT deflated FROM document_texts WHERE doc_key = ?", (doc_key,))
        return zlib.decompress(deflated).decode("utf-8") if deflated else ""

    def facts(self, doc_key: int) -> tuple[Metadata, tuple[ProvenanceEvent, ...], tuple[str, ...]]:
        meta, provenance, warnings = self._db.rows(
            "SELECT metadata_json, provenance_json, warnings_json FROM documents WHERE doc_key = ?", (doc_key,)
        )[0]
        events = tuple(ProvenanceEvent(*event) for event in json.loads(provenance))
        return _metadata_in(json.loads(meta)), events, tuple(json.loads(warnings))

    def blocks(self, doc_key: int) -> tuple[Block, ...]:
        lines = self.source_text(doc_key).split("\n")
        rows = self._db.rows(
            """SELECT block_id, kind, heading_path_json, ordinal, source_span_json, payload_json FROM blocks
               WHERE doc_key = ? ORDER BY position""",
            (doc_key,),
        )
        found = []
        for block_id, kind, path, ordinal, span_json, payload in rows:
            span = LineSpan(*json.loads(span_json))
            text = "\n".join(lines[span.start - 1 : span.end])
            headings = tuple(json.loads(path))
            found.append(Block(BlockId(block_id), BlockKind(kind), headings, ordinal, span, text, json.loads(payload)))
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
        sql = f"SELECT {_CHUNK_COLUMNS}, doc_id FROM chunks c JOIN documents USING (doc_key) WHERE {condition}"
        rows = self._db.rows(sql, bindings)
        return [_stored_chunk(row, self._block_ids(row[2], row[11], row[12])) for row in rows]

    def _block_ids(self, doc_key: int, first: int, last: int) -> tuple[BlockId, ...]:
        rows = self._db.rows(
            "SELECT block_id FROM blocks WHERE doc_key = ? AND position BETWEEN ? AND ? ORDER BY position",
            (doc_key, first, last),
        )
        return tuple(BlockId(row[0]) for row in rows)


def _stored_chunk(row: Row, block_ids: tuple[BlockId, ...]) -> StoredChunk:
    key, chunk_id, doc_key, ordinal, text, path, label, spans, tokens, chunker, policy, _, _, doc_id = row
    chunk = Chunk(
        chunk_id=chunk_id,
        doc_id=doc_id,
        ordinal=ordinal,
        text=text,
        heading_path=tuple(json.loads(path)),
        section_label=label,
        spans=tuple(LineSpan(*span) for span in json.loads(spans)),
        block_ids=block_ids,
        token_estimate=tokens,
        chunker_version=chunker,
        policy_hash=policy,
    )
    return StoredChunk(key, doc_key, chunk)


def _metadata_in(raw: dict[str, Any]) -> Metadata:
    return Metadata(
        created_at=raw["created_at"],
        updated_at=raw["updated_at"],
        source_type=SourceType(raw["source_type"]),
        trust_level=TrustLevel(raw["trust_level"]),
        tags=tuple(raw["tags"]),
        aliases=tuple(raw["aliases"]),
        user_id_alias=raw["user_id_alias"],
        user=raw["user"],
    )
