"""Lines of text from the pages of an image to the text and pieces of a document. Knows boxes and no pixels."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, UserValue
from kebab.core.reading import OcrLine, Recognised, paragraphs
from kebab.core.span import CaptionPlace, PagePlace, Place, RegionPlace
from kebab.core.text import nfc
from kebab.parse.building import Piece


class Assembled(NamedTuple):
    text: str
    pieces: tuple[Piece, ...]


def assemble(pages: Sequence[Recognised], caption: str, model: str) -> Assembled:
    """One line of text for each line seen, an empty one between paragraphs, and the caption below it all."""
    writer = _Writer(in_pages=len(pages) > 1)
    for number, page in enumerate(pages, 1):
        writer.turn(number)
        for group in paragraphs([line for line in page.lines if line.text.strip()]):
            writer.add(group)
    if caption:
        writer.describe(caption, model)
    return Assembled("\n".join([*writer.lines, ""]) if writer.lines else "", tuple(writer.pieces))


def mapped(seen: Recognised, area: RegionPlace, size: tuple[int, int]) -> Recognised:
    """What was seen in a resized picture of this area, as lines of the page of this size."""
    across, down = area.w / max(1, seen.width), area.h / max(1, seen.height)
    lines = []
    for line in seen.lines:
        x, w = _stretch(area.x + line.x * across, line.w * across, size[0])
        y, h = _stretch(area.y + line.y * down, line.h * down, size[1])
        lines.append(line._replace(text=clean(line.text), x=x, y=y, w=w, h=h))
    return Recognised(tuple(lines), *size)


def _stretch(start: float, length: float, most: int) -> tuple[int, int]:
    """The first of the whole pixels that hold a stretch, and their number; none of them outside of the image."""
    first = min(max(0, math.floor(start)), most - 1)
    return first, min(max(first + 1, math.ceil(start + length)), most) - first


def clean(text: str) -> str:
    """One line of an engine's words, whatever it said."""
    return nfc(" ".join(text.replace("\x00", " ").split()))


def union(lines: Sequence[OcrLine]) -> RegionPlace:
    x, y = min(line.x for line in lines), min(line.y for line in lines)
    right, bottom = max(line.x + line.w for line in lines), max(line.y + line.h for line in lines)
    return RegionPlace(x, y, right - x, bottom - y)


class _Writer:
    def __init__(self, *, in_pages: bool) -> None:
        self.lines: list[str] = []
        self.pieces: list[Piece] = []
        self._in_pages = in_pages
        self._page = 0
        self._written = 0

    def turn(self, page: int) -> None:
        self._page, self._written = page, 0

    def add(self, group: Sequence[OcrLine]) -> None:
        texts = [line.text for line in group]
        size = sum(map(len, texts)) + len(texts) - 1
        region = union(group)
        payload: dict[str, UserValue] = {"lines": [[line.x, line.y, line.w, line.h] for line in group]}
        place: Place = region
        if self._in_pages:
            place = PagePlace(self._page, self._written, self._written + size)
        self._written += size + 2
        self._append(texts, payload, place)

    def describe(self, caption: str, model: str) -> None:
        self._append([caption], {}, CaptionPlace(model))

    def _append(self, texts: list[str], payload: dict[str, UserValue], place: Place) -> None:
        if self.lines:
            self.lines.append("")
        first = len(self.lines) + 1
        self.lines += texts
        self.pieces.append(Piece(BlockKind.PARAGRAPH, first, len(self.lines), (), payload, place))
