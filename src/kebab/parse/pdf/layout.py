"""A page's segments to its rows in reading order, with paragraphs told apart and words mended that a line end broke.

Most pages are one column that runs down the page: they are taken as they come. Only where lines hold gaps or go up
again is the page looked at for columns and tables. Pure: text and boxes in, rows out.
"""

from collections.abc import Sequence
from operator import attrgetter, ne, sub

from kebab.parse.pdf import columns, hyphens
from kebab.parse.pdf.values import Row, Segment, as_row, as_segment

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
    elif "\t" not in text and (plain := _running_down(found)):
        ordered = _paragraphs([(words, bottom, top, 1) for words, _, bottom, _, top, _ in plain])
    else:
        ordered = _paragraphs([_line(group) for group in columns.order(columns.continued(found))])
    return hyphens.mend(ordered) if hyphens.may_break(text) else ordered


def _running_down(found: list[Segment]) -> list[Segment] | None:
    """The segments of a page that simply runs down, in their order; None for any other page."""
    if _is_ordered(found):
        return found
    if _is_ordered(lower := _downwards(found)):
        return lower
    whole = columns.continued(found)
    return whole if len(whole) < len(found) and _is_ordered(whole) else None


def segments(text: str, boxes: Sequence[int]) -> list[Segment] | None:
    """None when the boxes are not those of the text."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    parts, numbers = list(map(str.strip, lines)), list(range(len(lines)))
    if "\t" in text:
        split = [line.split("\t") for line in lines]
        parts = [part.strip() for cells in split for part in cells]
        numbers = [number for number, cells in enumerate(split) for _ in cells]
    if len(parts) != len(boxes) // 4:
        return None
    lefts, bottoms, rights, tops = (boxes[side : 4 * len(parts) : 4] for side in range(4))
    return list(map(as_segment, zip(parts, lefts, bottoms, rights, tops, numbers, strict=True)))


def _is_sideways(found: Sequence[Segment]) -> bool:
    """Lines that run up the page on a page that is not turned: PDFium's order is the best there is."""
    tall = [text for text, left, bottom, right, top, _ in found if top - bottom > 3 * (right - left) and len(text) > 4]
    return len(tall) * 2 > len(found)


def _downwards(found: Sequence[Segment]) -> list[Segment]:
    """Many programs draw the footer before the text."""
    return sorted(found, key=attrgetter("top"), reverse=True)


def _is_ordered(found: Sequence[Segment]) -> bool:
    """Whether lines go down the page, and up again only to start a column right of the one beside it."""
    done: int | None = None
    start = jumps = 0
    _, before_left, before_bottom, before_right, before_top, _ = found[0]
    for index, (_, left, bottom, right, top, _) in enumerate(found):
        if top + bottom < 2 * before_bottom:
            if left > before_right or right < before_left:
                jumps += 1
        elif bottom > before_top:
            done = max((part.right for part in found[start:index] if part.bottom < top), default=before_right)
            start = index
        elif index:
            return False
        if done is not None and left < done:
            return False
        before_left, before_bottom, before_right, before_top = left, bottom, right, top
    # Columns of a few letters each are a table; lines of two columns that take turns jump all the time.
    prose = done is None or sum(len(part.text) for part in found) >= columns.LEAST_CHARS * len(found)
    return jumps <= _FEW_JUMPS and prose


def _line(group: Sequence[Segment]) -> tuple[str, int, int, int]:
    """What a row says, its bottom and top, and of how many cells it is."""
    if len(group) == 1:
        text, _, bottom, _, top, _ = group[0]
        return text, bottom, top, 1
    text = CELL_GAP.join([part.text for part in group])
    return text, min(part.bottom for part in group), max(part.top for part in group), len(group)


def _paragraphs(ordered: Sequence[tuple[str, int, int, int]]) -> list[Row]:
    texts, bottoms, tops, cells = zip(*ordered, strict=True)
    steps = list(map(min, map(sub, bottoms, bottoms[1:]), map(sub, tops, tops[1:])))
    down = sorted([step for step in steps if step > 0])
    wide = _GAP * down[len(down) // 4] if down else 0
    heights = list(map(sub, tops, bottoms))
    tall = _TALL * sorted(heights)[len(heights) // 2]
    larger = [height > tall for height in heights]
    changes = map(ne, larger, larger[1:])
    starts = [step > wide or change for step, change in zip(steps, changes, strict=True)]
    return list(map(as_row, zip(texts, bottoms, tops, (False, *starts), cells, strict=True)))
