"""What is inside a document: its text, blocks, chunks and facts, for whoever looks at one of them closely."""

import json
import zlib
from typing import Any

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.document import Block, BlockKind, Metadata, ProvenanceEvent
from kebab.core.ids import BlockId, DocumentId, block_id
from kebab.core.span import LineSpan, place_from_json
from kebab.store.sql import Database, Row


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
        doc_id = DocumentId(self._db.scalar("SELECT doc_id FROM documents WHERE doc_key = ?", (doc_key,)))
        stored = self._db.scalar("SELECT blocks_json FROM document_blocks WHERE doc_key = ?", (doc_key,))
        found = []
        headings: tuple[str, ...] = ()
        for kind, path, ordinal, lines_of, payload, *places in json.loads(stored or "[]"):
            span = LineSpan(*lines_of)
            text = "\n".join(lines[span.start - 1 : span.end])
            headings = tuple(path) if path is not None else headings
            identity = block_id(doc_id, kind, headings, ordinal, span)
            place = place_from_json(places[0]) if places else None
            found.append(Block(identity, BlockKind(kind), headings, ordinal, span, text, payload, place))
        return tuple(found)

    def chunks_of(self, doc_key: int) -> tuple[Chunk, ...]:
        """A document's chunks in document order."""
        block_ids = [block.block_id for block in self.blocks(doc_key)]
        rows = self._db.rows(
            """SELECT chunk_id, doc_id, ordinal, text, heading_path_json, section_label, source_spans_json,
               token_estimate, chunker_version, policy_hash, block_first, block_last, place_json
               FROM chunks JOIN documents USING (doc_key) WHERE doc_key = ? ORDER BY ordinal""",
            (doc_key,),
        )
        return tuple(_chunk(row, tuple(block_ids[row[10] : row[11] + 1])) for row in rows)

    def find_chunk(self, reference: str) -> list[tuple[int, Chunk]]:
        """Chunks by id or unique id prefix, each with the row of its document."""
        rows = self._db.rows(
            """SELECT doc_key, ordinal FROM chunks
               WHERE chunk_id = ?1 OR (length(?1) >= 6 AND chunk_id GLOB ?1 || '*') LIMIT 5""",
            (reference,),
        )
        return [(doc_key, self.chunks_of(doc_key)[ordinal]) for doc_key, ordinal in rows]


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
