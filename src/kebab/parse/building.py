"""What every parser needs to turn pieces of text into a `Document`: text from bytes, blocks with ids, plain metadata.

Gets pieces with lines, gives blocks that promise two things: a block's text is its lines, and no line stands in two
blocks. Knows no format.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.document import Block, BlockKind, Document, Metadata, ProvenanceEvent, Symbol, UserValue
from kebab.core.ids import DocumentId, block_id, doc_id
from kebab.core.ports import ParseContext
from kebab.core.span import LineSpan, Place
from kebab.core.text import decode, split_lines
from kebab.parse.language import detect

MAX_WARNINGS = 50
# What one document may hold. Larger ones are data rather than something to read, and everything is in memory at once.
MAX_TEXT = 16_000_000
MAX_LINES = 600_000
# Of plain ASCII in lines of the usual length more fits into the same memory.
_ASCII_TIMES, _USUAL_LINE = 2, 1000
# No encoding takes more bytes for a character.
_MAX_BYTES = 4 * MAX_TEXT


class Piece(NamedTuple):
    """A block to be: whole lines, 1-based and both included."""

    kind: BlockKind
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    payload: Mapping[str, UserValue] = MappingProxyType({})
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What a parser found in a file. `prose` is what the language is told from; the whole text when it is empty."""

    text: str
    pieces: Sequence[Piece]
    title: str = ""
    lang: str | None = None
    prose: Sequence[str] = ()
    warnings: Sequence[str] = ()
    symbols: Sequence[Symbol] = ()
    tags: tuple[str, ...] = ()
    created_at: str | None = None
    updated_at: str | None = None
    code_lang: str | None = None
    user: Mapping[str, UserValue] = field(default_factory=dict)


def read_text(raw: bytes) -> tuple[str, list[str]]:
    """The text every line number counts in, and what was lost on the way to it."""
    decoded = decode(raw if len(raw) <= _MAX_BYTES else raw[:_MAX_BYTES])
    text, warnings = _bounded(decoded.text)
    if decoded.lossy:
        own = raw.count("\ufffd".encode()) if decoded.encoding == "utf-8" else 0
        lost = max(text.count("\ufffd") - own, 1)
        places = "place" if lost == 1 else "places"
        warnings.append(f"encoding: {lost} {places} could not be read as {decoded.encoding}")
    if "\x00" in text:
        warnings.append(f"encoding: NUL characters replaced: {text.count(chr(0))}")
        text = text.replace("\x00", "\ufffd")
    return text, warnings


def _bounded(text: str) -> tuple[str, list[str]]:
    """As many whole lines as a document may hold, and a word about the rest."""
    end = MAX_TEXT
    if len(text) > end and text.isascii() and text.count("\n") * _USUAL_LINE > len(text):
        end = _ASCII_TIMES * MAX_TEXT
    # Lines are looked for only where there may be too many of them.
    if text.count("\n", 0, end) > MAX_LINES:
        end = 0
        for _ in range(MAX_LINES):
            end = text.find("\n", end) + 1
    if len(text) <= end:
        return text, []
    kept = text[: text.rfind("\n", 0, end) + 1]
    if not kept:
        return text[:end], [f"only the first {end} characters were read: there is too much text"]
    lines = kept.count("\n")
    return kept, [f"only the first {lines} {'line was' if lines == 1 else 'lines were'} read: there is too much text"]


def build(content: Content, context: ParseContext, version: str, agent: str) -> Document:
    """The document of a file; `version` is the parser's, `agent` its module."""
    doc = doc_id(context.workspace_path, context.asset.asset_id, version)
    kept = shorten(content.warnings)
    at = context.asset.discovered_at
    return Document(
        doc_id=doc,
        asset_id=context.asset.asset_id,
        workspace_path=context.workspace_path,
        media_type=context.asset.media_type,
        title=content.title or PurePosixPath(context.workspace_path).name,
        lang=content.lang or detect(content.prose or (content.text,)),
        source_text=content.text,
        blocks=blocks(doc, split_lines(content.text), content.pieces),
        metadata=_metadata(content, context),
        provenance=(
            ProvenanceEvent(at, agent, "parsed", version),
            *(ProvenanceEvent(at, agent, "warning", warning) for warning in kept),
        ),
        warnings=tuple(kept),
        parser_version=version,
        symbols=tuple(content.symbols),
    )


def blocks(doc: DocumentId, lines: Sequence[str], pieces: Iterable[Piece]) -> tuple[Block, ...]:
    """Pieces in order of their lines, as blocks; those without a word in them are left out."""
    found: list[Block] = []
    ordinals: Counter[tuple[tuple[str, ...], BlockKind]] = Counter()
    following = 1
    for piece in pieces:
        assert following <= piece.start <= piece.end <= len(lines), "pieces are in order and do not overlap"
        following = piece.end + 1
        text = "\n".join(lines[piece.start - 1 : piece.end])
        if not text.strip():
            continue
        ordinal = ordinals[piece.heading_path, piece.kind]
        ordinals[piece.heading_path, piece.kind] += 1
        span = LineSpan(piece.start, piece.end)
        name = block_id(doc, piece.kind, piece.heading_path, ordinal, span)
        found.append(Block(name, piece.kind, piece.heading_path, ordinal, span, text, piece.payload, piece.place))
    return tuple(found)


def shorten(warnings: Sequence[str]) -> list[str]:
    kept = list(warnings[:MAX_WARNINGS])
    if len(warnings) > MAX_WARNINGS:
        kept.append(f"and {len(warnings) - MAX_WARNINGS} more warnings")
    return kept


def _metadata(content: Content, context: ParseContext) -> Metadata:
    repository = context.repository
    return Metadata(
        created_at=content.created_at or context.file_created_at,
        updated_at=content.updated_at or context.file_updated_at,
        source_type=context.source_type or SourceType.REFERENCE,
        trust_level=context.trust_level or TrustLevel.PRIMARY,
        tags=content.tags,
        user=content.user,
        repo=repository.name if repository else None,
        git_branch=repository.branch if repository else None,
        git_commit=repository.commit if repository else None,
        code_lang=content.code_lang,
    )
