"""A chunk: what is searched, embedded and cited. Its text is the exact source of its lines."""

from dataclasses import dataclass
from typing import NamedTuple

from kebab.core.ids import BlockId, ChunkId, DocumentId, short_hash
from kebab.core.span import Place, SourceSpan


@dataclass(frozen=True, slots=True)
class ChunkPolicy:
    """The numbers that shape chunks (section `[chunking]`)."""

    target_tokens: int = 500
    overlap_tokens: int = 80
    max_chunk_tokens: int = 4000
    respect_markdown_headings: bool = True

    def policy_hash(self) -> str:
        return short_hash(
            {
                "target_tokens": self.target_tokens,
                "overlap_tokens": self.overlap_tokens,
                "max_chunk_tokens": self.max_chunk_tokens,
                "respect_markdown_headings": self.respect_markdown_headings,
            }
        )


class Chunk(NamedTuple):
    chunk_id: ChunkId
    doc_id: DocumentId
    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    section_label: str | None
    spans: tuple[SourceSpan, ...]
    block_ids: tuple[BlockId, ...]
    token_estimate: int
    chunker_version: str
    policy_hash: str
    place: Place | None = None


def breadcrumb(title: str, heading_path: tuple[str, ...]) -> str:
    """Title and headings as one line, for the full-text and embedding input; never part of the chunk's text."""
    parts = [title] if title and (not heading_path or heading_path[0] != title) else []
    return " > ".join([*parts, *heading_path])
