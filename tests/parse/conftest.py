"""A Markdown parser ready to be given text, and the context of an imaginary file."""

from typing import Protocol

import pytest

from kebab.core.asset import Asset, SourceType, TrustLevel
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse import PARSERS

CREATED = "2020-01-01T00:00:00Z"
UPDATED = "2021-01-01T00:00:00Z"
DISCOVERED = "2022-01-01T00:00:00Z"


class Parse(Protocol):
    def __call__(
        self,
        source: str | bytes,
        path: str = "notes/a note.md",
        trust: TrustLevel | None = None,
        source_type: SourceType | None = None,
    ) -> Document: ...


@pytest.fixture(scope="session")
def parse() -> Parse:
    def run(
        source: str | bytes,
        path: str = "notes/a note.md",
        trust: TrustLevel | None = None,
        source_type: SourceType | None = None,
    ) -> Document:
        raw = source.encode() if isinstance(source, str) else source
        checksum = content_hash(raw)
        asset = Asset(asset_id(checksum), checksum, len(raw), "markdown", path, f"file:///{path}", DISCOVERED)
        return PARSERS["markdown"].parse(raw, ParseContext(asset, path, CREATED, UPDATED, trust, source_type))

    return run
