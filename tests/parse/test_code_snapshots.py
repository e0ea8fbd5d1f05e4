"""Whole files of every language, block by block and symbol by symbol. A changed snapshot needs a changed VERSION.

After changing VERSION, write new snapshots with KEBAB_UPDATE_SNAPSHOTS=1.
"""

import os
from pathlib import Path

import pytest
from code_samples.reading import LANGUAGES, read_sample

from kebab.core.document import Document
from kebab.core.span import CodePlace
from kebab.parse.code.parser import CodeParser

SNAPSHOTS = Path(__file__).parent / "snapshots" / "code"


def picture(document: Document) -> str:
    lines = [document.parser_version, f"lang {document.lang}", *document.warnings, ""]
    for block in document.blocks:
        assert isinstance(block.place, CodePlace)
        span = f"{block.span.start}-{block.span.end}"
        extent = " extent {}-{}".format(*block.payload["extent"]) if "extent" in block.payload else ""  # type: ignore[misc]
        path = " > ".join(block.heading_path)
        lines.append(f"{span:8} {block.payload['symbol_kind']} {block.place.symbol}{extent} | {path}".rstrip(" |"))
    lines.append("")
    lines += [f"{symbol.line}-{symbol.end} {symbol.kind} {symbol.qualified}" for symbol in document.symbols]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", LANGUAGES)
def test_files_give_the_blocks_and_symbols_of_their_snapshot(name: str) -> None:
    found, version = picture(read_sample(name)), CodeParser(LANGUAGES[name]).version
    file = SNAPSHOTS / f"{name}.txt"
    stored = file.read_text(encoding="utf-8") if file.exists() else ""
    if not stored.startswith(f"{version}\n") and os.environ.get("KEBAB_UPDATE_SNAPSHOTS") == "1":
        file.parent.mkdir(exist_ok=True)
        file.write_text(found, encoding="utf-8")
        return
    assert stored.startswith(f"{version}\n"), "VERSION changed: update the snapshots"
    assert found == stored, "blocks changed: change VERSION, then update the snapshots"
