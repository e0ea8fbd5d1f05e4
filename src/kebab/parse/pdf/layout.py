"""A page's segments to its rows in reading order, with paragraphs told apart and words mended that a line end broke.

Most pages are one column that runs down the page: they are taken as they come. Only where lines hold gaps or go up
again is the page looked at for columns and tables. Pure: text and boxes in, rows out.
"""

from collections.abc import Sequence
from itertools import pairwise

from kebab.parse.pdf import columns, hyphens
from kebab.parse.pdf.values import Row, Segment

# A gap this much larger than the usual one begins a paragraph; letters this much taller are a heading.
_GAP = 1.4
_TALL = 1.35
_FEW_JUMPS = 2
CELL_GAP = "  "


def rows(text: str, boxes: Sequence[int]) -> list[Row]:
    if not text:
        return []
    text = hyphens.letters(text)
    found = segments(text, boxes)
    if found is None or _is_sideways(found):
        ordered = [Row(CELL_GAP.join(line.split("\t")), 0, 0) for line in text.split("\n") if line.strip()]
    elif "\t" not in text and (_is_ordered(found) or _is_ordered(found := _downwards(found))):
        ordered = _paragraphs([Row(part.text, part.bottom, part.top) for part in found])
    else:
        ordered = _paragraphs([_row(group) for group in columns.order(found)])
    return hyphens.mend(ordered) if hyphens.may_be_in(text) else ordered


def segments(text: str, boxes: Sequence[int]) -> list[Segment] | None:
    """None when the boxes are not those of the text."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    quads = list(zip(boxes[0::4], boxes[1::4], boxes[2::4], boxes[3::4], strict=False))
    parts = [(part.strip(), number) for number, line in enumerate(lines) for part in line.split("\t")]
    if len(parts) != len(quads):
        return None
    return [Segment(part, *quad, number) for (part, number), quad in zip(parts, quads, strict=True)]


def _is_sideways(found: Sequence[Segment]) -> bool:
    """Lines that run up the page on a page that is not turned: PDFium's order is the best there is."""
    tall = [text for text, left, bottom, right, top, _ in found if top - bottom > 3 * (right - left) and len(text) > 4]
    return len(tall) * 2 > len(found)


def _downwards(found: Sequence[Segment]) -> list[Segment]:
    """Many programs draw the footer before the text."""
    return sorted(found, key=lambda part: part.top, reverse=True)


def _is_ordered(found: Sequence[Segment]) -> bool:
    """Whether lines go down the page, and up again only to start a column right of the one beside it."""
    done: int | None = None
    start = jumps = 0
    for index, (before, after) in enumerate(pairwise(found), 1):
        if after.top + after.bottom < 2 * before.bottom:
            jumps += after.left > before.right or after.right < before.left
        elif after.bottom > before.top:
            done = max((part.right for part in found[start:index] if part.bottom < after.top), default=before.right)
            start = index
        else:
            return False
        if done is not None and after.left < done:
            return False
    # Columns of a few letters each are a table; lines of two columns that take turns jump all the time.
    prose = done is None or sum(len(part.text) for part in found) >= columns.LEAST_CHARS * len(found)
    return jumps <= _FEW_JUMPS and prose


def _row(group: Sequence[Segment]) -> Row:
    if len(group) == 1:
        return Row(group[0].text, group[0].bottom, group[0].top)
    text = CELL_GAP.join(part.text for part in group)
    return Row(text, min(part.bottom for part in group), max(part.top for part in group), cells=len(group))


def _paragraphs(ordered: list[Row]) -> list[Row]:
    if len(ordered) < 2:
        return ordered
    bottoms, tops = [row.bottom for row in ordered], [row.top for row in ordered]
    steps = [
        min(bottom - next_bottom, top - next_top)
        for (bottom, next_bottom), (top, next_top) in zip(pairwise(bottoms), pairwise(tops), strict=True)
    ]
    down = sorted(step for step in steps if step > 0)
    wide = _GAP * down[len(down) // 4] if down else 0
    heights = [top - bottom for top, bottom in zip(tops, bottoms, strict=True)]
    tall = _TALL * sorted(heights)[len(heights) // 2]
    larger = [height > tall for height in heights]
    for index, step in enumerate(steps, 1):
        if step > wide or larger[index] != larger[index - 1]:
            ordered[index] = ordered[index]._replace(starts=True)
    return ordered
