"""In the worker: one page's text as PDFium orders it, cut into segments, each with the box it stands in.

A segment is what stands on one line without a wide gap. In the text that is given, `\\n` ends a line, `\\t` is a wide
gap inside one, and U+FFFE before `\\n` is a hyphen at which PDFium joined two lines. Boxes are four numbers each,
left, bottom, right and top, in tenths of a point as the page is seen.

A box per character would cost several times the text itself, so PDFium's rectangles, one per text object, are used.
"""

import ctypes
import re
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

from kebab.parse.pdf.values import Handle

HYPHEN = "\ufffe"
# As wide a gap as this many heights of the line is no word space, even in a justified line.
_WIDE = 1.5
_FEW_CHARS = 20
_LOOKS = 6
_MOST_OBJECTS = 400
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad]")
_SPACE = re.compile(" ")
_LINE = re.compile(f"[^\n{HYPHEN}]+")
_IMAGE, _FORM, _PATH = 3, 5, 2


_Box: TypeAlias = "tuple[float, ...]"


class _Calls(NamedTuple):
    """PDFium's functions on plain addresses: a third of the cost of the typed ones, and there are many calls."""

    count_rects: Handle
    rect: Handle
    char_box: Handle
    is_generated: Handle


@cache
def _calls() -> _Calls:
    import pypdfium2.raw as pdfium

    def plain(function: Handle, *kinds: Handle) -> Handle:
        return ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(ctypes.cast(function, ctypes.c_void_p).value or 0)

    handle, number = ctypes.c_void_p, ctypes.c_int
    return _Calls(
        plain(pdfium.FPDFText_CountRects, handle, number, number),
        plain(pdfium.FPDFText_GetRect, handle, number, handle, handle, handle, handle),
        plain(pdfium.FPDFText_GetLooseCharBox, handle, number, handle),
        plain(pdfium.FPDFText_IsGenerated, handle, number),
    )


def read(page: Handle, most: int) -> tuple[str, list[int]]:
    import pypdfium2.raw as pdfium

    loaded = pdfium.FPDFText_LoadPage(page)
    if not loaded:
        return "", []
    try:
        text, first = _text(loaded, most)
        if not text or text.isspace():
            return "", []
        return _Segments(loaded, text, first, _turn(page)).found()
    finally:
        pdfium.FPDFText_ClosePage(loaded)


def _text(loaded: Handle, most: int) -> tuple[str, int]:
    """The text, as long as PDFium's own list of characters, and which of these it starts with."""
    import pypdfium2.raw as pdfium

    first, last = 0, min(pdfium.FPDFText_CountChars(loaded), most)
    # Characters that are in no text at either end would make PDFium give nothing, or something else.
    while first < last and pdfium.FPDFText_GetTextIndexFromCharIndex(loaded, first) < 0:
        first += 1
    while first < last and pdfium.FPDFText_GetTextIndexFromCharIndex(loaded, last - 1) < 0:
        last -= 1
    if first >= last:
        return "", 0
    buffer = (ctypes.c_ushort * (last - first + 1))()
    written = pdfium.FPDFText_GetText(loaded, first, last - first, buffer)
    text = bytes(memoryview(buffer)[: max(written - 1, 0)]).decode("utf-16-le", "replace")
    return text.replace("\x02", HYPHEN).replace("\t", " ").replace("\r", "\n"), first


def _turn(page: Handle) -> tuple[int, float, float]:
    """How often the page is turned by a quarter when shown, and its size before that."""
    import pypdfium2.raw as pdfium

    turns = pdfium.FPDFPage_GetRotation(page)
    if not turns:
        return 0, 0.0, 0.0
    wide, high = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    return (turns, high, wide) if turns % 2 else (turns, wide, high)


class _Segments:
    def __init__(self, loaded: Handle, text: str, first: int, turn: tuple[int, float, float]) -> None:
        self._loaded = loaded
        self._handle = ctypes.cast(loaded, ctypes.c_void_p).value
        self._text = text
        self._first = first
        self._turn = turn
        self._one = (ctypes.c_float * 4)()

    def found(self) -> tuple[str, list[int]]:
        rects = self._tenths(0, -1)
        marked = self._text.replace(HYPHEN, HYPHEN + "\n") if HYPHEN in self._text else self._text
        lines = [line for line in marked.split("\n") if line and not line.isspace()]
        if len(rects) == 4 * len(lines) and not self._turn[0]:
            text, boxes = "\n".join(lines) + "\n", list(map(int, rects))
        else:
            text, boxes = self._by_line(self._quads(rects))
        return (text if text.isascii() and not _UNSEEN.search(text) else _UNSEEN.sub("", text)), boxes

    def _by_line(self, rects: list[_Box]) -> tuple[str, list[int]]:
        """Lines of several text objects, or of none that has a size."""
        lines = [match for match in _LINE.finditer(self._text) if not match[0].isspace()]
        at = list(accumulate((self._count(line) for line in lines), initial=0))
        whole = at[-1] == len(rects)
        parts: list[str] = []
        boxes: list[_Box] = []
        for number, line in enumerate(lines):
            own = rects[at[number] : at[number + 1]] if whole else self._quads(self._tenths(*self._range(line)))
            cuts = self._cuts(line, own) if len(own) > 1 else []
            joined = self._text[line.end() : line.end() + 1] == HYPHEN
            parts.append(_cut(line, [place for place, _ in cuts]) + (HYPHEN + "\n" if joined else "\n"))
            edges = [0, *(index for _, index in cuts), len(own)]
            boxes += [_union(own[low:high]) for low, high in pairwise(edges)]
        return "".join(parts), [int(side) for box in boxes for side in box]

    def _range(self, line: re.Match[str]) -> tuple[int, int]:
        return self._first + line.start(), line.end() - line.start()

    def _count(self, line: re.Match[str]) -> int:
        count: int = _calls().count_rects(self._handle, *self._range(line))
        return max(count, 0)

    def _tenths(self, start: int, length: int) -> list[float]:
        """The rectangles of some characters, four numbers each, as they are on the page before it is turned."""
        count = max(_calls().count_rects(self._handle, start, length), 0)
        buffer = (ctypes.c_double * (4 * count))()
        address, rect, handle = ctypes.addressof(buffer), _calls().rect, self._handle
        for index in range(count):
            rect(handle, index, address, address + 24, address + 16, address + 8)
            address += 32
        return [value * 10 for value in buffer]

    def _quads(self, tenths: list[float]) -> list[_Box]:
        sides = iter(tenths)
        boxes: list[_Box] = list(zip(sides, sides, sides, sides, strict=True))
        return [self._as_seen(box) for box in boxes] if self._turn[0] else boxes

    def _as_seen(self, box: _Box) -> _Box:
        turns, wide, high = self._turn
        left, bottom, right, top = box
        if turns == 1:
            return bottom, wide * 10 - right, top, wide * 10 - left
        if turns == 2:
            return wide * 10 - right, high * 10 - top, wide * 10 - left, high * 10 - bottom
        return high * 10 - top, left, high * 10 - bottom, right

    def _cuts(self, line: re.Match[str], rects: list[_Box]) -> list[tuple[int, int]]:
        """Where in the text there is a wide gap, and which rectangle follows it."""
        wide = _WIDE * max(box[3] - box[1] for box in rects)
        gaps = [index for index in range(1, len(rects)) if rects[index][0] - rects[index - 1][2] > wide]
        if not gaps:
            return []
        if len(rects) == 2 and (place := self._between_two(line, rects)) is not None:
            return [(place - line.start(), 1)]
        spaces = [match.start() for match in _SPACE.finditer(self._text, line.start(), line.end())]
        generated, handle, first = _calls().is_generated, self._handle, self._first
        between = [at for at in spaces if generated(handle, first + at) == 1]
        if len(between) == len(rects) - 1:
            # PDFium put a space between any two text objects of the line, so there is one for each gap.
            return [(between[index - 1] - line.start(), index) for index in gaps]
        found = ((self._place(spaces, rects[index][0]), index) for index in gaps)
        return [(place - line.start(), index) for place, index in found if place is not None]

    def _between_two(self, line: re.Match[str], rects: list[_Box]) -> int | None:
        """The space that PDFium put between two text objects, looked for where their widths make it likely."""
        text, low, high = self._text, line.start(), line.end()
        wide = [box[2] - box[0] for box in rects]
        guess = low + int((high - low) * wide[0] / max(sum(wide), 1))
        before, after = text.rfind(" ", low, guess), text.find(" ", guess, high)
        for _ in range(_LOOKS):
            nearer = before if after < 0 or (before >= 0 and guess - before < after - guess) else after
            if nearer < 0 or _calls().is_generated(self._handle, self._first + nearer) == 1:
                return nearer if nearer >= 0 else None
            if nearer == before:
                before = text.rfind(" ", low, before)
            else:
                after = text.find(" ", after + 1, high)
        return None

    def _place(self, spaces: list[int], left: float) -> int | None:
        """The space before which everything stands left of `left`: characters of a line go from left to right."""
        low, high = 0, len(spaces)
        while low < high:
            middle = (low + high) // 2
            if self._left(spaces[middle] + 1) < left - 1:
                low = middle + 1
            else:
                high = middle
        return spaces[low] if low < len(spaces) else None

    def _left(self, at: int) -> float:
        box = self._one
        _calls().char_box(self._handle, self._first + at, ctypes.addressof(box))
        # FS_RECTF is left, top, right, bottom. A loose box starts a little before what is drawn.
        left, top, right, bottom = (value * 10 for value in box)
        seen = self._as_seen((left, bottom, right, top)) if self._turn[0] else (left,)
        return seen[0] + (2 * abs(top - bottom) / 10)


def _cut(line: re.Match[str], places: list[int]) -> str:
    text = line[0]
    for place in reversed(places):
        text = f"{text[:place]}\t{text[place + 1 :]}"
    return text


def _union(boxes: list[_Box]) -> _Box:
    if len(boxes) < 2:
        return boxes[0] if boxes else (0, 0, 0, 0)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def state(page: Handle, text: str) -> str:
    """ "text", "picture" for a page that shows something and says next to nothing, or "blank"."""
    if len(text) >= 2 * _FEW_CHARS or len("".join(text.split())) >= _FEW_CHARS:
        return "text"
    if _shows_something(page):
        return "picture"
    return "text" if text else "blank"


def _shows_something(page: Handle) -> bool:
    import pypdfium2.raw as pdfium

    count = min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)
    kinds = [pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index)) for index in range(count)]
    # Letters drawn as outlines are many paths; a few are a frame or a line.
    return _IMAGE in kinds or _FORM in kinds or kinds.count(_PATH) > 50
