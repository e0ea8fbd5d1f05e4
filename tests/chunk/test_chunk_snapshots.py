"""Whole notes, chunk by chunk. A changed snapshot needs a changed VERSION: stored chunks are refreshed by it.

After changing VERSION (or that of the parser), write new snapshots with KEBAB_UPDATE_SNAPSHOTS=1.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kebab.chunk.headings import VERSION, HeadingChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document

if TYPE_CHECKING:
    from conftest import Parse

HERE = Path(__file__).parent
# Small enough that a page of text shows every way of cutting.
POLICY = ChunkPolicy(target_tokens=60, overlap_tokens=15, max_chunk_tokens=120)


def picture(document: Document, chunks: list[Chunk]) -> dict[str, Any]:
    positions = {block.block_id: position for position, block in enumerate(document.blocks)}
    return {
        "chunker_version": VERSION,
        "parser_version": document.parser_version,
        "chunks": [
            {
                "lines": [[span.start, span.end] for span in chunk.spans],
                "heading_path": list(chunk.heading_path),
                "section_label": chunk.section_label,
                "blocks": [positions[block] for block in chunk.block_ids],
                "tokens": chunk.token_estimate,
                "text": chunk.text,
            }
            for chunk in chunks
        ],
    }


@pytest.mark.parametrize("name", ["manual", "minutes", "journal"])
def test_notes_give_the_chunks_of_their_snapshot(parse: "Parse", name: str) -> None:
    document = parse((HERE / "notes" / f"{name}.md").read_bytes(), path=f"notes/{name}.md")
    found = picture(document, HeadingChunker().chunk(document, POLICY))
    file = HERE / "snapshots" / f"{name}.json"
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    versions = (stored.get("chunker_version"), stored.get("parser_version"))
    current = (VERSION, document.parser_version)
    if versions != current and os.environ.get("KEBAB_UPDATE_SNAPSHOTS") == "1":
        file.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    assert versions == current, "VERSION changed: update the snapshots"
    assert found == stored, "chunks changed: change VERSION, then update the snapshots"
