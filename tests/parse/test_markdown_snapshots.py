"""Whole notes, block by block. A changed snapshot needs a changed VERSION: stored blocks are refreshed by it.

After changing VERSION, write new snapshots with KEBAB_UPDATE_SNAPSHOTS=1.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kebab.core.document import Document
from kebab.parse.markdown import VERSION

if TYPE_CHECKING:
    from conftest import Parse

HERE = Path(__file__).parent


def picture(document: Document) -> dict[str, Any]:
    return {
        "parser_version": document.parser_version,
        "title": document.title,
        "lang": document.lang,
        "warnings": list(document.warnings),
        "blocks": [
            {
                "kind": block.kind.value,
                "lines": [block.span.start, block.span.end],
                "heading_path": list(block.heading_path),
                "payload": dict(block.payload),
            }
            for block in document.blocks
        ],
    }


@pytest.mark.parametrize("name", ["korean", "kitchen-sink", "field-notes"])
def test_notes_give_the_blocks_of_their_snapshot(parse: "Parse", name: str) -> None:
    found = picture(parse((HERE / "notes" / f"{name}.md").read_bytes(), path=f"notes/{name}.md"))
    file = HERE / "snapshots" / f"{name}.json"
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"parser_version": None}
    if stored["parser_version"] != VERSION and os.environ.get("KEBAB_UPDATE_SNAPSHOTS") == "1":
        file.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    assert stored["parser_version"] == VERSION, "VERSION changed: update the snapshots"
    assert found == stored, "blocks changed: change VERSION, then update the snapshots"
