"""Notes as documents, parsed by the real parser, and as chunks."""

from typing import Any, Protocol

import pytest

from kebab.chunk import CHUNKERS
from kebab.core.asset import Asset
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.parse import PARSERS

MOMENT = "2020-01-01T00:00:00Z"


class Parse(Protocol):
    def __call__(self, source: str | bytes, path: str = "notes/a.md") -> Document: ...


class Cut(Protocol):
    def __call__(self, source: str | bytes, **policy: Any) -> list[Chunk]: ...


@pytest.fixture(scope="session")
def parse() -> Parse:
    def run(source: str | bytes, path: str = "notes/a.md") -> Document:
        raw = source.encode() if isinstance(source, str) else source
        checksum = content_hash(raw)
        asset = Asset(asset_id(checksum), checksum, len(raw), "markdown", path, f"file:///{path}", MOMENT)
        return PARSERS["markdown"].parse(raw, ParseContext(asset, path, MOMENT, MOMENT, None, None))

    return run


@pytest.fixture(scope="session")
def cut(parse: Parse) -> Cut:
    """A note to its chunks; keywords are those of the policy, the rest of which is the default."""

    def run(source: str | bytes, **policy: Any) -> list[Chunk]:
        return CHUNKERS["markdown"].chunk(parse(source), ChunkPolicy(**policy))

    return run
