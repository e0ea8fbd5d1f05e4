"""Images made for tests: lines of text in the fonts of this machine, and pictures of any mode as files of any kind."""

import io
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

_FONTS = Path("/usr/share/fonts/truetype")
KOREAN_FONT = _FONTS / "nanum/NanumGothic.ttf"
LATIN_FONT = _FONTS / "dejavu/DejaVuSans.ttf"


def file_of(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def image_of(raw: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(raw))
    image.load()
    return image


def page(lines: Sequence[str], size: int = 24, font: Path = KOREAN_FONT) -> Image.Image:
    """Black on white. Skips the test where the font is not installed."""
    if not font.exists():
        pytest.skip(f"there is no {font}")
    face, pitch = ImageFont.truetype(str(font), size), round(size * 1.6)
    width = round(max(face.getlength(line) for line in lines)) + 4 * size
    image = Image.new("L", (width, pitch * len(lines) + 2 * size), 255)
    draw = ImageDraw.Draw(image)
    for index, line in enumerate(lines):
        draw.text((2 * size, size + index * pitch), line, font=face, fill=0)
    return image


def corner(size: tuple[int, int] = (40, 20)) -> Image.Image:
    """White, with a black box in its upper left corner that tells which way up it is."""
    image = Image.new("L", size, 255)
    image.paste(0, (0, 0, 8, 4))
    return image


def blank_png(width: int, height: int) -> bytes:
    """A PNG of very many pixels in very few bytes."""
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(width // 8 + 1)) for _ in range(height)) + packer.flush()

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    size = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", size) + part(b"IDAT", rows) + part(b"IEND", b"")
