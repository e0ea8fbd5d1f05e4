"""The rows of documents and chunks: what is known, listed and found."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from kebab.core.asset import FileStamp
from kebab.core.query import Filters
from kebab.core.span import LineSpan, Place, SourceSpan, place_from_json
from kebab.core.text import to_posix
from kebab.store.filters import document_condition
from kebab.store.sql import Database, Row, among, beginning_with


class KnownFile(NamedTuple):
    """What the index remembers of a file, enough to see whether it has to be read again."""

    workspace_path: str
    doc_id: str
    asset_id: str
    fresh_key: str
    stamp: FileStamp
    file_path: str
    standalone: bool
    chunk_count: int


class DocumentRow(NamedTuple):
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
    code_lang: str | None = None
    repo: str | None = None


_ROW_COLUMNS = """d.doc_key, d.doc_id, d.asset_id, d.workspace_path, d.source_id, d.media_type, d.title, d.lang,
    d.source_type, d.trust_level, d.parser_version, d.chunker_version, d.chunk_count, d.created_at, d.updated_at,
    d.file_path, d.file_size, d.file_mtime_ns, d.file_inode, a.byte_len, a.checksum, d.code_lang, d.repo"""
_ROW_TABLES = "FROM documents d JOIN assets a USING (asset_id)"


def _row(values: Row) -> DocumentRow:
    head, stamp, tail = values[:16], values[16:19], values[19:]
    return DocumentRow(*(*head, FileStamp(*stamp), *tail))


class Passage(NamedTuple):
    """What a search needs of a chunk: its words and its place."""

    chunk_key: int
    doc_key: int
    chunk_id: str
    text: str
    heading_path: tuple[str, ...]
    section_label: str | None
    spans: tuple[SourceSpan, ...]
    chunker_version: str
    place: Place | None = None


class Shelf:
    """Reads `documents`, `assets` and `chunks`."""

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

    def rows(
        self, filters: Filters, order: str = "d.workspace_path", limit: int = -1, offset: int = 0
    ) -> Iterator[DocumentRow]:
        """The documents the filters leave; a limit below 0 is none."""
        condition, bindings = document_condition(filters)
        where = f"WHERE {condition or '1'} ORDER BY {order} LIMIT ? OFFSET ?"
        for values in self._db.stream(f"SELECT {_ROW_COLUMNS} {_ROW_TABLES} {where}", [*bindings, limit, offset]):
            yield _row(values)

    def rows_after(self, path: str, limit: int) -> list[DocumentRow]:
        """So many documents by path, from behind this one, whether or not it still is there."""
        where = "WHERE d.workspace_path > ? ORDER BY d.workspace_path LIMIT ?"
        return [_row(values) for values in self._db.rows(f"SELECT {_ROW_COLUMNS} {_ROW_TABLES} {where}", (path, limit))]

    def count(self, filters: Filters) -> int:
        condition, bindings = document_condition(filters)
        found: int = self._db.scalar(f"SELECT count(*) FROM documents d WHERE {condition or '1'}", bindings)
        return found

    def row_at(self, doc_keys: list[int]) -> dict[int, DocumentRow]:
        sql = f"SELECT {_ROW_COLUMNS} {_ROW_TABLES} WHERE d.doc_key IN carray(?)"
        return {row.doc_key: row for row in map(_row, self._db.rows(sql, (among(doc_keys),)))}

    def find(self, reference: str) -> list[DocumentRow]:
        """Documents by id or workspace path, else by unique id prefix; more than one when it is not unique."""
        sql = f"SELECT {_ROW_COLUMNS} {_ROW_TABLES} WHERE"
        exact = "d.doc_id = ?1 OR d.workspace_path IN (?1, ?2)"
        rows = self._db.rows(f"{sql} {exact}", (reference, to_posix(reference)))
        if not rows and (prefix := beginning_with("d.doc_id", reference)) is not None:
            condition, bindings = prefix
            rows = self._db.rows(f"{sql} {condition} LIMIT 5", bindings)
        return [_row(values) for values in rows]

    def media_at(self, paths: Collection[str]) -> dict[str, str]:
        """The media types of the documents at these paths; a path without one is left out."""
        sql = """SELECT workspace_path, media_type FROM documents
            WHERE workspace_path IN (SELECT value FROM json_each(?))"""
        return dict(self._db.rows(sql, (json.dumps(list(paths)),))) if paths else {}

    def named(self, names: Collection[str]) -> dict[str, str]:
        """For a file's name the document that bears it, the one with the shortest path where several do."""
        found: dict[str, str] = {}
        wanted = frozenset(names)
        for (path,) in self._db.stream("SELECT workspace_path FROM documents ORDER BY length(workspace_path), 1"):
            name = path[path.rfind("/") + 1 :]
            if name in wanted:
                found.setdefault(name, path)
        return found

    def tags(self, doc_keys: list[int]) -> dict[int, tuple[str, ...]]:
        """The tags of these documents, by document row."""
        found: dict[int, tuple[str, ...]] = {}
        sql = "SELECT doc_key, tag FROM document_tags WHERE doc_key IN carray(?) ORDER BY doc_key, tag"
        for key, tag in self._db.stream(sql, (among(doc_keys),)):
            found[key] = (*found.get(key, ()), tag)
        return found

    def origins(self, chunk_keys: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The content each chunk was cut from and its number in it, which are the same in twin files."""
        sql = "SELECT chunk_key, asset_id, ordinal FROM chunks JOIN documents USING (doc_key) WHERE chunk_key IN"
        rows = self._db.rows(f"{sql} carray(?)", (among(chunk_keys),))
        return {key: (asset, ordinal) for key, asset, ordinal in rows}

    def asset_ids(self) -> set[str]:
        return {row[0] for row in self._db.stream("SELECT asset_id FROM assets")}

    def keys(self, filters: Filters) -> list[int]:
        """The documents the filters leave."""
        condition, bindings = document_condition(filters)
        return [key for (key,) in self._db.rows(f"SELECT doc_key FROM documents d WHERE {condition or '1'}", bindings)]

    def documents_of(self, keys: list[int]) -> dict[int, int]:
        """Each chunk's document."""
        sql = "SELECT chunk_key, doc_key FROM chunks WHERE chunk_key IN carray(?)"
        return dict(self._db.rows(sql, (among(keys),)))

    def names(self, keys: list[int]) -> dict[int, tuple[str, str]]:
        """Each chunk's id and its document's path."""
        sql = "SELECT chunk_key, chunk_id, workspace_path FROM chunks JOIN documents USING (doc_key) WHERE chunk_key IN"
        return {key: (chunk, path) for key, chunk, path in self._db.rows(f"{sql} carray(?)", (among(keys),))}

    def text_of(self, chunk_id: str) -> tuple[int, str]:
        """A chunk's key and text."""
        key, text = self._db.rows("SELECT chunk_key, text FROM chunks WHERE chunk_id = ?", (chunk_id,))[0]
        return key, text

    def passages(self, keys: list[int]) -> dict[int, Passage]:
        rows = self._db.rows(
            """SELECT chunk_key, c.doc_key, chunk_id, text, heading_path_json, section_label, source_spans_json,
                chunker_version, place_json
                FROM chunks c JOIN documents USING (doc_key) WHERE chunk_key IN carray(?)""",
            (among(keys),),
        )
        return {row[0]: _passage(row) for row in rows}


def _passage(row: Row) -> Passage:
    chunk_key, doc_key, chunk_id, text, headings, label, spans, chunker, place = row
    path, where = tuple(json.loads(headings)), place_from_json(json.loads(place)) if place else None
    return Passage(chunk_key, doc_key, chunk_id, text, path, label, _spans(spans), chunker, where)


def _spans(text: str) -> tuple[SourceSpan, ...]:
    return tuple(LineSpan(*span) for span in json.loads(text))
