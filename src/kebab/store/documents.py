"""Documents and what belongs to them, as they are written. One call of `put` or `drop` is one transaction."""

import json
import zlib
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from kebab.core.asset import Asset, FileStamp, FoundFile
from kebab.core.chunk import Chunk
from kebab.core.clock import now
from kebab.core.document import Block, Document, Metadata, Symbol
from kebab.store.embeddings import Embedded, Embeddings
from kebab.store.sql import Database

DOCUMENT_SCHEMA = 1
_REPOSITORY = ("repo", "git_branch", "git_commit", "code_lang")
# Level 1 costs half the CPU of level 6 for a tenth more bytes.
_DEFLATE_LEVEL = 1


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=64)
def _headings(path: tuple[str, ...]) -> str:
    """Neighbouring chunks share their headings."""
    return _json(path)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a document's file is and under which settings it was processed."""

    source_id: str
    file_path: str
    stamp: FileStamp
    fresh_key: str
    chunker_version: str
    policy_hash: str
    standalone: bool = False
    storage_path: str | None = None


class Documents:
    """The tables from `assets` to `chunks`. Full text and vectors are written inside the same transaction."""

    def __init__(
        self, database: Database, index: Callable[[int, Chunk, str], None], embeddings: Embeddings | None = None
    ) -> None:
        self._db = database
        self._index = index
        self._embeddings = embeddings or Embeddings(database)

    def put(
        self,
        asset: Asset,
        document: Document,
        chunks: list[Chunk],
        placement: Placement,
        embedded: Embedded | None = None,
    ) -> None:
        """Stores a document in place of whatever was at its path."""
        with self._db.transaction():
            version = self._drop_at(document.workspace_path) + 1
            self._put_asset(asset, placement)
            key = self._put_document(document, placement, len(chunks), version)
            self._put_blocks(key, document.blocks)
            chunk_keys = self._put_chunks(key, document, chunks)
            self._put_symbols(key, document.symbols, list(zip(chunk_keys, chunks, strict=True)))
            if embedded is not None:
                self._embeddings.put(chunk_keys, embedded)
            self._bump()

    def drop(self, workspace_path: str) -> bool:
        with self._db.transaction():
            found = self._drop_at(workspace_path) > 0
            if found:
                self._bump()
        return found

    def touch(self, file: FoundFile) -> None:
        """The file was written or moved but its content is the indexed one; nothing derived changes."""
        self._db.run(
            """UPDATE documents SET file_path = ?, file_size = ?, file_mtime_ns = ?, file_inode = ?, standalone = ?
               WHERE workspace_path = ?""",
            (str(file.path), *file.stamp, int(file.standalone), file.workspace_path),
        )

    def _drop_at(self, workspace_path: str) -> int:
        """Drops the document at a path and its asset if no twin needs it. Gives its version, 0 if there was none."""
        rows = self._db.rows(
            "DELETE FROM documents WHERE workspace_path = ? RETURNING asset_id, doc_version", (workspace_path,)
        )
        if not rows:
            return 0
        asset, version = rows[0]
        self._db.run(
            "DELETE FROM assets WHERE asset_id = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE asset_id = ?1)",
            (asset,),
        )
        # A twin that stays takes over as the asset's place.
        self._db.run(
            """UPDATE assets SET (workspace_path, storage_path) =
                 (SELECT d.workspace_path, iif(storage_kind = 'reference', d.file_path, storage_path)
                  FROM documents d WHERE d.asset_id = ?1 ORDER BY d.workspace_path LIMIT 1)
               WHERE asset_id = ?1 AND workspace_path = ?2""",
            (asset, workspace_path),
        )
        return int(version)

    def _put_asset(self, asset: Asset, placement: Placement) -> None:
        stored = ("copied", placement.storage_path) if placement.storage_path else ("reference", placement.file_path)
        self._db.run(
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
            "policy_hash": placement.policy_hash,
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
            "code_lang": meta.code_lang,
            "repo": meta.repo,
            "git_branch": meta.git_branch,
            "git_commit": meta.git_commit,
        }
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        key = self._db.insert(f"INSERT INTO documents({names}) VALUES ({marks})", values)
        deflated = zlib.compress(document.source_text.encode("utf-8"), _DEFLATE_LEVEL)
        self._db.run("INSERT INTO document_texts VALUES (?, ?)", (key, deflated))
        self._db.run_many("INSERT INTO document_tags VALUES (?, ?)", [(tag, key) for tag in meta.tags])
        return key

    def _put_blocks(self, key: int, blocks: tuple[Block, ...]) -> None:
        rows = []
        above: tuple[str, ...] | None = None
        for block in blocks:
            path = None if block.heading_path == above else block.heading_path
            rows.append((block.kind, path, block.ordinal, block.span, dict(block.payload), *_place_of(block)))
            above = block.heading_path
        self._db.run("INSERT INTO document_blocks VALUES (?, ?)", (key, _json(rows)))

    def _put_chunks(self, key: int, document: Document, chunks: list[Chunk]) -> list[int]:
        positions = {block.block_id: position for position, block in enumerate(document.blocks)}
        keys: list[int] = []
        for chunk in chunks:
            row = self._db.insert(
                """INSERT INTO chunks(chunk_id, doc_key, ordinal, text, heading_path_json, section_label,
                   source_spans_json, token_estimate, block_first, block_last, place_json)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    chunk.chunk_id,
                    key,
                    chunk.ordinal,
                    chunk.text,
                    _headings(chunk.heading_path),
                    chunk.section_label,
                    f"[{','.join(f'[{span.start},{span.end}]' for span in chunk.spans)}]",
                    chunk.token_estimate,
                    positions[chunk.block_ids[0]],
                    positions[chunk.block_ids[-1]],
                    None if chunk.place is None else _json(chunk.place.to_json()),
                ),
            )
            self._index(row, chunk, document.title)
            keys.append(row)
        return keys

    def _put_symbols(self, key: int, symbols: tuple[Symbol, ...], chunks: list[tuple[int, Chunk]]) -> None:
        """Each with the first chunk that holds its line; chunks and symbols both come in the order of lines."""
        starts = [chunk.spans[0].start for _, chunk in chunks]
        rows = []
        for symbol in symbols:
            for at in range(bisect_right(starts, symbol.line) - 1, -1, -1):
                row, chunk = chunks[at]
                if chunk.spans[-1].end >= symbol.line:
                    rows.append((key, row, symbol.name, symbol.qualified, symbol.kind, symbol.line, symbol.end))
                    break
        self._db.run_many(
            """INSERT INTO symbols(doc_key, chunk_key, name, qualified, kind, line, line_end)
               VALUES (?, ?, ?, ?, ?, ?, ?)""",
            rows,
        )

    def _bump(self) -> None:
        self._db.run("UPDATE schema_meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'corpus_revision'")


def _place_of(block: Block) -> tuple[dict[str, str | int | None], ...]:
    return () if block.place is None else (block.place.to_json(),)


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
        **{name: value for name in _REPOSITORY if (value := getattr(meta, name)) is not None},
    }
