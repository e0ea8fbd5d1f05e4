"""What is inside a document: its text, blocks, chunks and facts, for whoever looks at one of them closely."""

import json
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.document import Block, BlockKind, Metadata, ProvenanceEvent
from kebab.core.ids import BlockId, DocumentId, block_id
from kebab.core.span import LineSpan, Place, place_from_json
from kebab.store.sql import Database, Row, beginning_with

# Further than any document goes.
_END = 1 << 62


class _StoredBlock(NamedTuple):
    """A block without what follows from its document: its text and its id."""

    kind: str
    headings: tuple[str, ...]
    ordinal: int
    span: LineSpan
    payload: Any
    place: Place | None

    def identity(self, doc_id: DocumentId) -> BlockId:
        return block_id(doc_id, self.kind, self.headings, self.ordinal, self.span)


class Contents:
    """Reads `document_texts`, `document_blocks` and `chunks`."""

    def __init__(self, database: Database) -> None:
        self._db = database

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
        """A document's blocks in order."""
        lines = self.source_text(doc_key).split("\n")
        doc_id = self._doc_id(doc_key)
        return tuple(
            Block(
                each.identity(doc_id),
                BlockKind(each.kind),
                each.headings,
                each.ordinal,
                each.span,
                "\n".join(lines[each.span.start - 1 : each.span.end]),
                each.payload,
                each.place,
            )
            for each in self._stored_blocks(doc_key)
        )

    def _stored_blocks(self, doc_key: int) -> Iterator[_StoredBlock]:
        stored = self._db.scalar("SELECT blocks_json FROM document_blocks WHERE doc_key = ?", (doc_key,))
        headings: tuple[str, ...] = ()
        for kind, path, ordinal, lines, payload, *places in json.loads(stored or "[]"):
            headings = tuple(path) if path is not None else headings
            place = place_from_json(places[0]) if places else None
            yield _StoredBlock(kind, headings, ordinal, LineSpan(*lines), payload, place)

    def outline(self, doc_key: int) -> tuple[LineSpan, ...]:
        """The lines of each of a document's blocks, in order."""
        return tuple(block.span for block in self._stored_blocks(doc_key))

    def _doc_id(self, doc_key: int) -> DocumentId:
        return DocumentId(self._db.scalar("SELECT doc_id FROM documents WHERE doc_key = ?", (doc_key,)))

    def chunks_of(self, doc_key: int, first: int = 0, last: int = _END) -> tuple[Chunk, ...]:
        """A document's chunks in document order, or those from `first` to `last` of them."""
        rows = self._db.rows(
            """SELECT chunk_id, doc_id, ordinal, text, heading_path_json, section_label, source_spans_json,
               token_estimate, chunker_version, policy_hash, block_first, block_last, place_json
               FROM chunks JOIN documents USING (doc_key) WHERE doc_key = ? AND ordinal BETWEEN ? AND ?
               ORDER BY ordinal""",
            (doc_key, first, last),
        )
        if not rows:
            return ()
        start, end = min(row[10] for row in rows), max(row[11] for row in rows)
        doc_id = DocumentId(rows[0][1])
        ids = [block.identity(doc_id) for block in islice(self._stored_blocks(doc_key), start, end + 1)]
        return tuple(_chunk(row, tuple(ids[row[10] - start : row[11] + 1 - start])) for row in rows)

    def find_chunk(self, reference: str) -> list[tuple[int, Chunk]]:
        """Chunks by id or unique id prefix, each with the row of its document."""
        sql = "SELECT doc_key, ordinal FROM chunks WHERE"
        rows = self._db.rows(f"{sql} chunk_id = ?", (reference,))
        if not rows and (prefix := beginning_with("chunk_id", reference)) is not None:
            condition, bindings = prefix
            rows = self._db.rows(f"{sql} {condition} LIMIT 5", bindings)
        return [(doc_key, self.chunks_of(doc_key, ordinal, ordinal)[0]) for doc_key, ordinal in rows]


def _chunk(row: Row, block_ids: tuple[BlockId, ...]) -> Chunk:
    chunk_id, doc_id, ordinal, text, path, label, spans, tokens, chunker, policy, _, _, place = row
    return Chunk(
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
        place=place_from_json(json.loads(place)) if place else None,
    )


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
        **{name: raw.get(name) for name in ("repo", "git_branch", "git_commit", "code_lang")},
    )
