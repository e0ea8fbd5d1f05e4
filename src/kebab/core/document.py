"""A document: an asset once parsed, as blocks with exact places in the source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.ids import AssetId, BlockId, DocumentId
from kebab.core.span import Place, SourceSpan

UserValue: TypeAlias = "str | int | float | bool | list[UserValue] | dict[str, UserValue] | None"


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    QUOTE = "quote"
    IMAGE_REF = "image_ref"


class Block(NamedTuple):
    """A structural unit. `text` is the exact source of its lines; what only a parser can tell is in `payload`.

    payload: heading {level, text}; code {lang}; list {ordered, items}; table {headers, rows (their number)};
    image_ref {src, alt}; any block {links: [...]} when it holds wiki-links.
    """

    block_id: BlockId
    kind: BlockKind
    heading_path: tuple[str, ...]
    ordinal: int
    span: SourceSpan
    text: str
    payload: Mapping[str, UserValue] = MappingProxyType({})
    place: Place | None = None


class Symbol(NamedTuple):
    """A named unit of source code and the lines of its definition; `line` is the one that bears the name."""

    name: str
    qualified: str
    kind: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a document besides its text. Unknown front matter keys are kept in `user`."""

    created_at: str
    updated_at: str
    source_type: SourceType
    trust_level: TrustLevel
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    user_id_alias: str | None = None
    user: Mapping[str, UserValue] = field(default_factory=dict)
    repo: str | None = None
    git_branch: str | None = None
    git_commit: str | None = None
    code_lang: str | None = None


@dataclass(frozen=True, slots=True)
class ProvenanceEvent:
    at: str
    agent: str
    kind: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """`source_text` is the decoded or extracted text whose lines every span counts."""

    doc_id: DocumentId
    asset_id: AssetId
    workspace_path: str
    media_type: str
    title: str
    lang: str
    source_text: str
    blocks: tuple[Block, ...]
    metadata: Metadata
    provenance: tuple[ProvenanceEvent, ...]
    warnings: tuple[str, ...]
    parser_version: str
    symbols: tuple[Symbol, ...] = ()
