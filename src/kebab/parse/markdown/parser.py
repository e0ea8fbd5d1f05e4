"""Markdown bytes to a `Document`: blocks with exact lines, and what the front matter and the path tell.

Gets a file's bytes and its `ParseContext`, and gives a document for any bytes whatever: what cannot be understood
is kept as text and named in a warning. Does not read files, cut chunks or know what is stored.
"""

from collections.abc import Iterable, Sequence

from kebab.core.document import Block, BlockKind, Document, ProvenanceEvent
from kebab.core.ids import doc_id
from kebab.core.ports import ParseContext
from kebab.core.span import LineSpan
from kebab.core.text import split_lines
from kebab.parse.building import read_text, shorten
from kebab.parse.language import detect
from kebab.parse.markdown import blocks, frontmatter, metadata, pieces
from kebab.parse.markdown.pieces import Payload, Piece

VERSION = "md-blocks-v1"
AGENT = "kebab.parse.markdown"


class MarkdownParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        text, warnings = read_text(raw)
        front = frontmatter.split(text)
        facts = metadata.read(front.fields, context)
        warnings += front.warnings + facts.warnings
        doc = doc_id(context.workspace_path, context.asset.asset_id, VERSION)
        built = blocks.build(doc, split_lines(text), _pieces(text, front, warnings), warnings)
        kept = shorten(warnings)
        return Document(
            doc_id=doc,
            asset_id=context.asset.asset_id,
            workspace_path=context.workspace_path,
            media_type=context.asset.media_type,
            title=metadata.title(facts.title, built, context.workspace_path),
            lang=facts.lang or detect(_prose(built, facts.title)),
            source_text=text,
            blocks=tuple(built),
            metadata=facts.metadata,
            provenance=tuple(_provenance(kept, context.asset.discovered_at)),
            warnings=tuple(kept),
            parser_version=VERSION,
        )


def _pieces(text: str, front: frontmatter.FrontMatter, warnings: list[str]) -> list[Piece]:
    found = []
    if front.lines:
        # The words of the front matter stay searchable, and its lines citable, as a block of their own.
        payload: Payload = {"lang": front.lang, "front_matter": True}
        found.append(Piece(BlockKind.CODE, LineSpan(1, front.lines), payload))
    try:
        found += pieces.read(text[front.offset :], front.lines)
    except BaseException as error:
        # A panic inside the Rust parser reaches Python as a BaseException that is no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit | MemoryError):
            raise
        warnings.append(f"structure could not be read, kept as paragraphs: {type(error).__name__}")
    return found


def _prose(built: Sequence[Block], title: str | None) -> Iterable[str]:
    """What is written in a human language; a page that is only a stub still has its title."""
    yield from (block.text for block in built if block.kind is not BlockKind.CODE)
    yield title or ""


def _provenance(warnings: Sequence[str], at: str) -> Iterable[ProvenanceEvent]:
    yield ProvenanceEvent(at, AGENT, "parsed", VERSION)
    for warning in warnings:
        yield ProvenanceEvent(at, AGENT, "warning", warning)
