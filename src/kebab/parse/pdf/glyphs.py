"""In the worker: one page's text as PDFium orders it, cut into segments, each with the box it stands in.

A segment is what stands on one line without a wide gap. In the text that is given, `\\n` ends a line, `\\t` is a wide
gap inside one, and U+FFFE before `\\n` is a hyphen at which PDFium joined two lines. Boxes are four numbers each,
left, bottom, right and top, in tenths of a point as the page is seen.

A box per character would cost several times the text itself, so PDFium's rectangles, one per text object, are used.
"""

import ctypes
import re
from bisect import bisect_left
from functools import cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeAlias

from kebab.parse.pdf.values import Handle

HYPHEN = "\ufffe"
# As wide a gap as this many heights of the line is no word space, even in a justified line.
_WIDE = 1.5
_FEW_CHARS = 20
_LOOKS = 6
_MOST_OBJECTS = 400
_AT_ONCE = 512
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad]")
# What a font without a table to Unicode gives for its letters. A page that is mostly this cannot be read as text.
_LOST = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MOST_LOST = 0.3
_SPACE = re.compile(" ")
_IMAGE, _FORM, _PATH = 3, 5, 2


_Box: TypeAlias = "tuple[int, ...]"


class _Calls(NamedTuple):
    """PDFium's functions without types: a third of the cost of the typed ones, and there are many calls."""

    count_rects: Handle
    rect: Handle
    char_box: Handle
    is_generated: Handle


@cache
def _calls() -> _Calls:
    import pypdfium2.raw as pdfium

    # Python's numbers become C's `int`; an address must come as `c_void_p`.
    plain = ctypes.PYFUNCTYPE(ctypes.c_int)
    functions = (
        pdfium.FPDFText_CountRects,
        pdfium.FPDFText_GetRect,
        pdfium.FPDFText_GetLooseCharBox,
        pdfium.FPDFText_IsGenerated,
    )
    return _Calls(*(plain(ctypes.cast(function, ctypes.c_void_p).value or 0) for function in functions))


class _Room:
    """Memory that PDFium writes to, used for every page: making a type of array for each size is what would cost."""

    def __init__(self) -> None:
        self._letters = (ctypes.c_ushort * 8192)()
        self.sides = (ctypes.c_double * (4 * _AT_ONCE))()
        address = ctypes.addressof(self.sides)
        # Which rectangle is asked for, and where its left, top, right and bottom go.
        self.asked: list[tuple[Handle, ...]] = [
            (index, *(ctypes.c_void_p(address + 32 * index + 8 * side) for side in (0, 3, 2, 1)))
            for index in range(_AT_ONCE)
        ]

    def letters(self, count: int) -> Handle:
        if count > len(self._letters):
            self._letters = (ctypes.c_ushort * (2 * count))()
        return self._letters


@cache
def _room() -> _Room:
    return _Room()


def read(page: Handle, most: int) -> tuple[str, list[int], int]:
    """The text, a box for each of its segments, and how many letters it lacks because nobody knows what they are."""
    import pypdfium2.raw as pdfium

    loaded = pdfium.FPDFText_LoadPage(page)
    if not loaded:
        return "", [], 0
    try:
        text, first = _text(loaded, most)
        if not text or text.isspace():
            return "", [], 0
        segments = _Segments(loaded, text, first, _turn(page))
        return *segments.found(), segments.lost
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
    buffer = _room().letters(last - first + 1)
    written = pdfium.FPDFText_GetText(loaded, first, last - first, buffer)
    text = bytes(memoryview(buffer)[: max(written - 1, 0)]).decode("utf-16-le", "replace")
    return text.replace("\x02", HYPHEN).replace("\t", " ").replace("\r", "\n"), first


def _turn(page: Handle) -> tuple[int, int, int]:
    """How often the page is turned by a quarter when shown, and its size before that, in tenths of a point."""
    import pypdfium2.raw as pdfium

    turns = pdfium.FPDFPage_GetRotation(page)
    if not turns:
        return 0, 0, 0
    wide, high = (int(10 * side(page)) for side in (pdfium.FPDF_GetPageWidthF, pdfium.FPDF_GetPageHeightF))
    return (turns, high, wide) if turns % 2 else (turns, wide, high)


class _Segments:
    def __init__(self, loaded: Handle, text: str, first: int, turn: tuple[int, int, int]) -> None:
        self._handle = ctypes.cast(loaded, ctypes.c_void_p)
        self._text = text
        self._first = first
        self._turn = turn
        self._hyphened = HYPHEN in text
        self._is_generated = _calls().is_generated
        self.lost = 0

    def found(self) -> tuple[str, list[int]]:
        rects = self._tenths(0, -1)
        marked = self._text.replace(HYPHEN, HYPHEN + "\n") if self._hyphened else self._text
        lines = [line for line in marked.split("\n") if line and not line.isspace()]
        if len(rects) == 4 * len(lines) and not self._turn[0]:
            parted, boxes = lines, rects
        else:
            parted, boxes = self._by_line(self._quads(rects))
        text = "\n".join(parted) + "\n"
        # What can be printed, which is quickly asked, holds nothing unseen.
        if all(map(str.isprintable, lines)):
            return text, boxes
        self.lost = len(_LOST.findall(text))
        return _UNSEEN.sub("", text), boxes

    def _by_line(self, rects: list[_Box]) -> tuple[list[str], list[int]]:
        """Lines of several text objects, or of none that has a size."""
        text, first, handle, count_rects = self._text, self._first, self._handle, _calls().count_rects
        given = (text.replace(HYPHEN, "\n") if self._hyphened else text).split("\n")
        starts = accumulate([len(line) + 1 for line in given], initial=0)
        placed = [(low, line) for low, line in zip(starts, given, strict=False) if line and not line.isspace()]
        ends = list(accumulate([count_rects(handle, first + low, len(line)) for low, line in placed], initial=0))
        if ends[-1] == len(rects):
            owned = [rects[start:end] for start, end in pairwise(ends)]
        else:
            owned = [self._quads(self._tenths(first + low, len(line))) for low, line in placed]
        boxes: list[_Box] = []
        lines = [self._parted(line, low, own, boxes) for (low, line), own in zip(placed, owned, strict=True)]
        if self._hyphened:
            joined = [text.startswith(HYPHEN, low + len(line)) for low, line in placed]
            lines = [line + HYPHEN if joins else line for line, joins in zip(lines, joined, strict=True)]
        return lines, list(chain.from_iterable(boxes))

    def _parted(self, line: str, low: int, own: list[_Box], boxes: list[_Box]) -> str:
        """A line with a tab in each wide gap; its segments' boxes are added."""
        if len(own) == 2 and _apart(*own) and (place := self._between_two(line, low, own)) is not None:
            boxes += own
            return f"{line[:place]}\t{line[place + 1 :]}"
        start = 0
        for place, index in self._cuts(line, low, own) if len(own) > 1 else ():
            line = f"{line[:place]}\t{line[place + 1 :]}"
            boxes.append(_union(own[start:index]))
            start = index
        boxes.append(_union(own[start:]))
        return line

    def _tenths(self, start: int, length: int) -> list[int]:
        """The rectangles of some characters, four numbers each, as they are on the page before it is turned."""
        count = _calls().count_rects(self._handle, start, length)
        handle, rect, room = self._handle, _calls().rect, _room()
        found: list[float] = []
        for done in range(0, count, _AT_ONCE):
            for index, left, top, right, bottom in room.asked[: count - done]:
                rect(handle, done + index, left, top, right, bottom)
            found += room.sides[: 4 * (count - done)]
        return [int(value * 10) for value in found]

    def _quads(self, tenths: list[int]) -> list[_Box]:
        sides = iter(tenths)
        boxes: list[_Box] = list(zip(sides, sides, sides, sides, strict=True))
        return [self._as_seen(box) for box in boxes] if self._turn[0] else boxes

    def _as_seen(self, box: _Box) -> _Box:
        turns, wide, high = self._turn
        left, bottom, right, top = box
        if turns == 1:
            return bottom, wide - right, top, wide - left
        if turns == 2:
            return wide - right, high - top, wide - left, high - bottom
        return high - top, left, high - bottom, right

    def _cuts(self, line: str, low: int, rects: list[_Box]) -> list[tuple[int, int]]:
        """Where in the line there is a wide gap, and which rectangle follows it."""
        wide = _WIDE * max([top - bottom for _, bottom, _, top in rects])
        # A space of another font may have a rectangle of its own that comes after the words around it.
        reached = list(accumulate([right for _, _, right, _ in rects], max))
        gaps = [index for index in range(1, len(rects)) if rects[index][0] - reached[index - 1] > wide]
        if not gaps:
            return []
        spaces = [match.start() for match in _SPACE.finditer(line)]
        generated, handle, first = self._is_generated, self._handle, self._first + low
        between = [at for at in spaces if generated(handle, first + at) == 1]
        if len(between) == len(rects) - 1:
            # PDFium put a space between any two text objects of the line, so there is one for each gap.
            return [(between[index - 1], index) for index in gaps]
        found = ((self._place(spaces, low, rects[index][0]), index) for index in gaps)
        return [(place, index) for place, index in found if place is not None]

    def _between_two(self, line: str, low: int, rects: list[_Box]) -> int | None:
        """The space that PDFium put between two text objects, looked for where their widths make it likely."""
        wide = rects[0][2] - rects[0][0]
        guess = int(len(line) * wide / max(wide + rects[1][2] - rects[1][0], 1))
        before, after = line.rfind(" ", 0, guess), line.find(" ", guess)
        for _ in range(_LOOKS):
            nearer = before if after < 0 or (before >= 0 and guess - before < after - guess) else after
            if nearer < 0:
                return None
            if self._is_generated(self._handle, self._first + low + nearer) == 1:
                return nearer
            if nearer == before:
                before = line.rfind(" ", 0, before)
            else:
                after = line.find(" ", after + 1)
        return None

    def _place(self, spaces: list[int], low: int, edge: int) -> int | None:
        """The space before which everything stands left of `edge`: characters of a line go from left to right."""
        at = bisect_left(spaces, edge - 1, key=lambda space: self._left(low + space + 1))
        return spaces[at] if at < len(spaces) else None

    def _left(self, at: int) -> int:
        box = (ctypes.c_float * 4)()
        _calls().char_box(self._handle, self._first + at, ctypes.c_void_p(ctypes.addressof(box)))
        # FS_RECTF is left, top, right, bottom. A loose box starts a little before what is drawn.
        left, top, right, bottom = (int(value * 10) for value in box)
        seen = self._as_seen((left, bottom, right, top)) if self._turn[0] else (left,)
        return seen[0] + abs(top - bottom) // 5


def _apart(one: _Box, other: _Box) -> bool:
    gap = other[0] - one[2]
    return gap > _WIDE * (one[3] - one[1]) and gap > _WIDE * (other[3] - other[1])


def _union(boxes: list[_Box]) -> _Box:
    if len(boxes) < 2:
        return boxes[0] if boxes else (0, 0, 0, 0)
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def state(page: Handle, text: str, lost: int) -> str:
    """ "text", "picture" for a page that shows more than it says, or "blank"."""
    if lost > _FEW_CHARS and lost > _MOST_LOST * (lost + len(text)):
        return "picture"
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
