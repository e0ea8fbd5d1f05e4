"""Pictures of pages to plain lines, for a parser that knows pages and no boxes. Keeps what it read by content."""

import re
import struct
import zlib

from kebab.core.errors import InvalidInput
from kebab.core.ids import content_hash
from kebab.core.reading import Cache, OcrEngine, derivation_key, keep, paragraphs, recall

_KIND = "page-ocr"
_GREY_8_BIT = (8, 0, 0, 0, 0)
_HEAD = re.compile(rb"P5\s+(\d{1,6})\s+(\d{1,6})\s+255\s")


class PageReader:
    """An engine as the PDF parser asks for one; an empty line stands between paragraphs."""

    def __init__(self, engine: OcrEngine, cache: Cache | None = None) -> None:
        self._engine = engine
        self._cache = cache

    @property
    def version(self) -> str:
        """Raises MissingExtra when the engine is not on this machine."""
        return self._engine.identity.key

    def read(self, image: bytes) -> list[str]:
        """The lines of a PNG or of an 8-bit PGM. Raises a KebabError."""
        key = derivation_key(_KIND, content_hash(image), self._engine.identity)
        known = recall(self._cache, key)
        lines = known.get("lines") if known else None
        if isinstance(lines, list) and all(isinstance(line, str) for line in lines):
            return lines
        seen = self._engine.read(png_of(image) if image.startswith(b"P5") else image)
        found = _spaced([[line.text for line in group] for group in paragraphs(seen.lines)])
        keep(self._cache, key, {"lines": list(found)}, _KIND)
        return found


def _spaced(groups: list[list[str]]) -> list[str]:
    return [line for index, group in enumerate(groups) for line in ([""] if index else []) + group]


def png_of(pgm: bytes) -> bytes:
    """A binary PGM as a PNG. Raises InvalidInput for any other depth than eight bits."""
    head = _HEAD.match(pgm)
    width, height = (int(head[1]), int(head[2])) if head else (0, 0)
    pixels = memoryview(pgm)[head.end() if head else 0 :]
    if not width or len(pixels) != width * height:
        raise InvalidInput("an engine was given something that is not an 8-bit PGM")
    packer = zlib.compressobj(1)
    rows = [packer.compress(b"\x00" + pixels[row * width : (row + 1) * width].tobytes()) for row in range(height)]
    body = b"".join([*rows, packer.flush()])
    size = struct.pack(">IIBBBBB", width, height, *_GREY_8_BIT)
    return b"\x89PNG\r\n\x1a\n" + b"".join((_part(b"IHDR", size), _part(b"IDAT", body), _part(b"IEND", b"")))


def _part(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
