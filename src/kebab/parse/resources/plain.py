"""Code as it stands: one block in its language, for those who cut by paragraph. Used where nothing names a unit."""

from collections.abc import Sequence

from kebab.core.document import BlockKind, Document
from kebab.core.errors import LeftAside
from kebab.core.ports import ParseContext
from kebab.core.span import CodePlace
from kebab.core.text import split_lines
from kebab.parse.building import Content, Piece, build, read_text

VERSION = "none-v1"
AGENT = "kebab.parse.resources"

_BINARY_SAMPLE = 8192
# UTF-16 and UTF-32 are full of NUL bytes and say so with their first bytes.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class PlainCodeParser:
    """For shell and for every language without a grammar; without `lang`, the one of the file's media type."""

    version = VERSION

    def __init__(self, lang: str | None = None) -> None:
        self._lang = lang

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        text, warnings = read_code(raw)
        lang = self._lang or context.asset.media_type.removeprefix("code/")
        return plain(text, len(split_lines(text)), lang, warnings, context)


def read_code(raw: bytes) -> tuple[str, list[str]]:
    """As `read_text`, for files that only a wrong name makes code of."""
    if b"\x00" in raw[:_BINARY_SAMPLE] and not raw.startswith(_WIDE):
        raise LeftAside("binary", "is called source code but holds binary data")
    return read_text(raw)


def plain(text: str, last: int, lang: str, warnings: Sequence[str], context: ParseContext) -> Document:
    """The lines up to `last` as one block without a name."""
    block = Piece(BlockKind.CODE, 1, last, (), {"lang": lang}, CodePlace(None, lang))
    content = Content(text, [block] if last else [], warnings=warnings, code_lang=lang)
    return build(content, context, VERSION, AGENT)
