"""Text bytes to a `Document`: paragraphs, the headings of rst and org, the rows of tables, the lines of logs.

Gets a file's bytes and its `ParseContext`, and gives a document for any text whatever. The text is the file's own,
character for character; nothing is rendered anew. What is binary under a text's name is left aside.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, Document
from kebab.core.errors import LeftAside
from kebab.core.ports import ParseContext
from kebab.core.text import split_lines
from kebab.parse.building import Content, Piece, build, read_text
from kebab.parse.text import headings, rows

VERSION = "text-blocks-v1"
AGENT = "kebab.parse.text"

LOG_LINES = 200

_BINARY_SAMPLE = 8192
# UTF-16 and UTF-32 are full of NUL bytes and say so with their first bytes.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class _Found(NamedTuple):
    pieces: Sequence[Piece]
    title: str = ""
    warnings: Sequence[str] = ()


class TextParser:
    """One instance per kind: `plain`, `rst`, `org`, `log` or `csv`. It holds no state."""

    version = VERSION

    def __init__(self, kind: str) -> None:
        self._read = _READERS[kind]

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        if b"\x00" in raw[:_BINARY_SAMPLE] and not raw.startswith(_WIDE):
            raise LeftAside("binary", "is called a text but holds binary data")
        text, warnings = read_text(raw)
        found = self._read(split_lines(text), context.workspace_path)
        content = Content(text, found.pieces, title=found.title, warnings=[*warnings, *found.warnings])
        return build(content, context, VERSION, AGENT)


def _plain(lines: list[str], _path: str) -> _Found:
    return _Found(list(headings.paragraphs(lines, 1, len(lines), ())))


def _rst(lines: list[str], _path: str) -> _Found:
    return _outlined(lines, headings.rst(lines))


def _org(lines: list[str], _path: str) -> _Found:
    return _outlined(lines, headings.org(lines), headings.org_title(lines))


def _outlined(lines: list[str], found: Sequence[headings.Heading], title: str = "") -> _Found:
    first = next((heading.text for heading in found if heading.text), "")
    return _Found(list(headings.outline(lines, found)), title or first)


def _log(lines: list[str], _path: str) -> _Found:
    starts = range(1, len(lines) + 1, LOG_LINES)
    return _Found([Piece(BlockKind.CODE, start, min(start + LOG_LINES - 1, len(lines))) for start in starts])


def _csv(lines: list[str], path: str) -> _Found:
    table = rows.read(lines, "\t" if path.lower().endswith(".tsv") else None)
    return _Found(table.pieces, warnings=table.warnings)


_READERS: dict[str, Callable[[list[str], str], _Found]] = {
    "plain": _plain,
    "rst": _rst,
    "org": _org,
    "log": _log,
    "csv": _csv,
}
