"""Ids: the first 32 hex digits of BLAKE3 over canonical JSON, so equal content has equal ids everywhere.

Canonical JSON here is sorted keys, no spaces, UTF-8 unescaped, which is RFC 8785 for what is hashed: ASCII keys,
strings, integers, lists and objects. Floats are refused because their text form is where canonicalisers differ.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NewType, TypeAlias

from blake3 import blake3

from kebab.core.span import SourceSpan
from kebab.core.text import nfc, to_posix

AssetId = NewType("AssetId", str)
DocumentId = NewType("DocumentId", str)
BlockId = NewType("BlockId", str)
ChunkId = NewType("ChunkId", str)

Canonical: TypeAlias = "str | int | bool | Sequence[Canonical] | Mapping[str, Canonical] | None"

ID_LENGTH = 32
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def canonical_json(value: Canonical) -> bytes:
    """The one byte form of `value`."""
    _refuse_floats(value)
    return _encode(value).encode("utf-8")


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise TypeError("a float has no canonical form here")
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)


def _id(value: Mapping[str, Canonical]) -> str:
    # The recipes below never hold a float, so the check of `canonical_json` would only cost time here.
    return blake3(_encode(value).encode("utf-8")).hexdigest()[:ID_LENGTH]


def content_hash(raw: bytes) -> str:
    """Full BLAKE3 hex of raw bytes: the checksum of a file."""
    return blake3(raw).hexdigest()


def short_hash(value: Canonical) -> str:
    """A 32-digit hash of settings or other small values."""
    return blake3(canonical_json(value)).hexdigest()[:ID_LENGTH]


def embedding_id(chunk_id: str, model: str, version: str, dimensions: int) -> str:
    return _id(
        {
            "kind": "embedding",
            "chunk_id": chunk_id,
            "model_id": model,
            "model_version": version,
            "dimensions": dimensions,
        }
    )


def asset_id(checksum: str) -> AssetId:
    return AssetId(_id({"kind": "asset", "asset_blake3": checksum}))


def doc_id(workspace_path: str, asset: AssetId, parser_version: str) -> DocumentId:
    return DocumentId(
        _id(
            {
                "kind": "doc",
                "workspace_path": to_posix(workspace_path),
                "asset_id": asset,
                "parser_version": parser_version,
            }
        )
    )


def block_id(doc: DocumentId, kind: str, heading_path: tuple[str, ...], ordinal: int, span: SourceSpan) -> BlockId:
    # Written out in key order: a large document has thousands of blocks, and the general encoder is most of their cost.
    text = (
        f'{{"block_kind":"{kind}","doc_id":"{doc}","heading_path":{_headings(heading_path)},'
        f'"kind":"block","ordinal":{ordinal},"source_span":{span.canonical()}}}'
    )
    return BlockId(blake3(text.encode("utf-8")).hexdigest()[:ID_LENGTH])


@lru_cache(maxsize=64)
def _headings(path: tuple[str, ...]) -> str:
    return _encode([nfc(heading) for heading in path])


def chunk_id(doc: DocumentId, chunker_version: str, blocks: Sequence[BlockId], policy: str) -> ChunkId:
    """`policy` is the policy hash, with a `#...` suffix when several chunks are cut from the same blocks."""
    text = (
        f'{{"block_ids":{_encode(blocks)},"chunker_version":"{chunker_version}",'
        f'"doc_id":"{doc}","kind":"chunk","policy_hash":"{policy}"}}'
    )
    return ChunkId(blake3(text.encode("utf-8")).hexdigest()[:ID_LENGTH])
