"""A page to its columns of text: empty stretches part it from top to bottom, where lines of prose stand on both sides.

Cut across first where that lets the rest be cut down, so that a title over two columns is read before them. Gets a
picture, gives boxes in reading order that hold all of it; a page it cannot make out, and a table, stay whole.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_COLUMNS = 8

# The page is looked at from so far away that it is at most this wide.
_CELLS = 800
_CONTRAST = 48
# Of the page's width: the least that a column takes, and the least that keeps two apart.
_COLUMN = 0.2
_GUTTER = 0.015
_LINES = 4
# Prose fills its lines, of which the cells of a table hold less.
_FILLED = 0.55
# Cuts across that are tried at each step, widest first, and how often a page is cut at all.
_TRIES = 5
_DEPTH = 3


class _Area(NamedTuple):
    """Left, top, right and bottom, as Pillow gives them."""

    left: int
    top: int
    right: int
    bottom: int


def split(image: "Image") -> list[tuple[int, int, int, int]]:
    """Boxes as x, y, width and height."""
    step = max(1, -(-image.width // _CELLS))
    ink = _ink(image, step)
    areas = _cut(ink, _Area(0, 0, *ink.size), _DEPTH)
    if not 1 < len(areas) <= MOST_COLUMNS:
        return [(0, 0, *image.size)]
    found = []
    for area in areas:
        right, bottom = min(area.right * step, image.width), min(area.bottom * step, image.height)
        x, y = area.left * step, area.top * step
        found.append((x, y, right - x, bottom - y))
    return found


def _ink(image: "Image", step: int) -> "Image":
    """What stands out from the commonest shade, of which a page of text has most."""
    grey = image.convert("L")
    shades = grey.histogram()
    paper = max(range(len(shades)), key=shades.__getitem__)
    return grey.point(lambda shade: 255 if abs(shade - paper) > _CONTRAST else 0).reduce(step)


def _cut(ink: "Image", area: _Area, depth: int) -> list[_Area]:
    across, down = ink.crop(area).getprojection()
    for start, end in _gaps(across, round(_GUTTER * ink.width)):
        at = area.left + (start + end) // 2
        left, right = area._replace(right=at), area._replace(left=at)
        if _is_column(ink, left) and _is_column(ink, right):
            return [*_cut(ink, left, depth - 1), *_cut(ink, right, depth - 1)] if depth else [left, right]
    widest = sorted(_gaps(down, 1), key=lambda gap: gap[0] - gap[1])[:_TRIES] if depth else []
    for start, end in widest:
        at = area.top + (start + end) // 2
        parts = [
            *_cut(ink, area._replace(bottom=at), depth - 1),
            *_cut(ink, area._replace(top=at), depth - 1),
        ]
        if len(parts) > 2:
            return parts
    return [area]


def _gaps(line: Sequence[int], least: int) -> Iterator[tuple[int, int]]:
    """Empty stretches between ink."""
    at = 0
    for filled, run in groupby(line):
        length = len(list(run))
        if not filled and length >= least and at > 0 and at + length < len(line):
            yield at, at + length
        at += length


def _is_column(ink: "Image", area: _Area) -> bool:
    part = ink.crop(area)
    if (bounds := part.getbbox()) is None or bounds[2] - bounds[0] < _COLUMN * ink.width:
        return False
    part = part.crop(bounds)
    lines = list(_runs(part.getprojection()[1]))
    if len(lines) < _LINES:
        return False
    widths = sorted(_width(part, top, bottom) for top, bottom in lines)
    return widths[len(widths) // 2] >= _FILLED * part.width


def _runs(line: Sequence[int]) -> Iterator[tuple[int, int]]:
    at = 0
    for filled, run in groupby(line):
        length = len(list(run))
        if filled:
            yield at, at + length
        at += length


def _width(part: "Image", top: int, bottom: int) -> int:
    bounds = part.crop((0, top, part.width, bottom)).getbbox()
    return bounds[2] - bounds[0] if bounds else 0
