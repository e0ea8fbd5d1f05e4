"""Segments of a page that does not simply run down: columns of prose are read one after the other, tables row by row.

Gives groups of segments in reading order; a group is one row, its segments from left to right. Columns are told from
tables by what stands in them: prose fills its column, cells do not. What is neither stays in the order of the file.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import attrgetter
from statistics import median
from typing import TypeAlias

from kebab.parse.pdf.values import Segment

Group: TypeAlias = "list[Segment]"

# Lines shorter than this on average are no prose.
LEAST_CHARS = 10

_BINS = 240
# A segment wider than this share of the page's text is no part of a column.
_WIDE = 0.62
# Cells of a table leave more of the width empty than lines of columns do.
_SPARSE = 0.5
# What continues a line begins closer to its end than this many heights of it.
_NEAR = 0.6
_MOST_COLUMNS = 4
_LEAST_LINES = 4
_LEAST_FILL = 0.55
# Columns on a part of a page may be short, so that their lines have to show more clearly that they are prose.
_LEAST_RUN = 3
_LEAST_RUN_FILL = 0.7
_LEAST_RUN_CHARS = 15
_MOSTLY = 0.8


def continued(found: Sequence[Segment]) -> list[Segment]:
    """Segments with those joined that stand on one line: PDFium begins another after a small raised number."""
    whole: list[Segment] = []
    for part in found:
        if whole and whole[-1].line != part.line and _continues(whole[-1], part):
            before = whole[-1]
            left, right = min(before.left, part.left), max(before.right, part.right)
            low, high = min(before.bottom, part.bottom), max(before.top, part.top)
            whole[-1] = Segment(f"{before.text} {part.text}", left, low, right, high, part.line)
        else:
            whole.append(part)
    return whole


def _continues(one: Segment, other: Segment) -> bool:
    gap = other.left - one.right
    return 0 <= gap < _NEAR * min(one.top - one.bottom, other.top - other.bottom) and _same_baseline(one, other)


def order(found: Sequence[Segment]) -> list[Group]:
    spans = _columns(found)
    if spans:
        return _read_columns(found, spans)
    return _read_rows(found)


def _columns(found: Sequence[Segment]) -> list[tuple[float, float]]:
    """Left and right of every column of prose, or nothing when the page has fewer than two."""
    left, right = min([part.left for part in found]), max([part.right for part in found])
    span = max(right - left, 1)
    narrow = [part for part in found if part.right - part.left < _WIDE * span]
    if len(narrow) < 2 * _LEAST_LINES:
        return []
    covered = _coverage(narrow, left, span)
    gap = max(2.0, 0.7 * median([part.top - part.bottom for part in narrow]) * _BINS / span)
    spans = [(left + low * span / _BINS, left + high * span / _BINS) for low, high in _islands(covered, gap)]
    if not 2 <= len(spans) <= _MOST_COLUMNS:
        return []
    return spans if all(_is_prose(narrow, low, high) for low, high in spans) else []


def _coverage(narrow: Sequence[Segment], left: int, span: int) -> list[int]:
    """How many segments stand above each other in each of the bins the page's width is cut into."""
    changes = [0] * (_BINS + 2)
    for _, low, _, high, _, _ in narrow:
        changes[(low - left) * _BINS // span] += 1
        changes[(high - left) * _BINS // span + 1] -= 1
    return list(accumulate(changes))[: _BINS + 1]


def _islands(covered: Sequence[int], gap: float) -> list[tuple[int, int]]:
    """Stretches of bins that hold text, with at least `gap` bins between them that hold next to none."""
    floor = max(1, max(covered) // 12)
    held = [at for at, count in enumerate(covered) if count > floor]
    if not held:
        return []
    breaks = [(before, after) for before, after in pairwise(held) if after - before > gap]
    starts = [held[0], *(after for _, after in breaks)]
    return list(zip(starts, [*(before + 1 for before, _ in breaks), held[-1] + 1], strict=True))


def _is_prose(narrow: Sequence[Segment], low: float, high: float) -> bool:
    slack = (high - low) * 0.05
    inside = [part for part in narrow if part.left >= low - slack and part.right <= high + slack]
    if len(inside) < _LEAST_LINES:
        return False
    filled = sum([part.right - part.left for part in inside])
    written = sum([len(part.text) for part in inside])
    return filled >= _LEAST_FILL * (high - low) * len(inside) and written >= LEAST_CHARS * len(inside)


def _read_columns(found: Sequence[Segment], spans: Sequence[tuple[float, float]]) -> list[Group]:
    """Text over the full width parts the page into bands; in each, the columns from left to right."""
    places = _places(found, spans)
    if _already_in_order(places):
        return _as_given(found)
    placed = list(zip(found, places, strict=True))
    full = _by_baseline([part for part, place in placed if place < 0])
    heights = [-max([part.top for part in group]) for group in full]
    bands: defaultdict[tuple[int, int], Group] = defaultdict(list)
    for part, place in placed:
        if place >= 0:
            bands[bisect_left(heights, -(part.top + part.bottom) / 2), place].append(part)
    ordered: list[Group] = []
    for band in range(len(full) + 1):
        for place in range(len(spans)):
            ordered += _by_baseline(bands.get((band, place), ()))
        if band < len(full):
            ordered.append(full[band])
    return ordered


def _places(found: Sequence[Segment], spans: Sequence[tuple[float, float]]) -> list[int]:
    """Which column each segment stands in; -1 for one that reaches over a gutter."""
    starts, ends = [low for low, _ in spans[1:]], [high for _, high in spans]
    # The last column that a segment's right side is in; it has begun there unless it lies over the one before.
    last = [bisect_left(starts, part.right) for part in found]
    places = [-1 if at and part.left < ends[at - 1] else at for part, at in zip(found, last, strict=True)]
    rows = _rows_of_cells(found, places, spans[-1][1] - spans[0][0])
    return [-1 if part.line in rows else at for part, at in zip(found, places, strict=True)] if rows else places


def _rows_of_cells(found: Sequence[Segment], places: Sequence[int], span: float) -> set[int]:
    """Lines of a table on a page of columns: some column holds two parts of the line, and most of it is empty."""
    of = [part.line for part in found]
    beside = zip(of, of[1:], places, places[1:], strict=False)
    lines = {line for line, following, one, other in beside if line == following and one == other >= 0}
    if not lines:
        return lines
    filled: Counter[int] = Counter()
    for part in found:
        filled[part.line] += part.right - part.left
    return {line for line in lines if filled[line] < _SPARSE * span}


def _already_in_order(places: Sequence[int]) -> bool:
    """Whether the file goes back to an earlier column only after something over the full width."""
    steps_back = sum(1 for before, after in pairwise(places) if 0 <= after < before)
    return steps_back == 0


def _as_given(found: Sequence[Segment]) -> list[Group]:
    ordered: list[Group] = []
    for part in found:
        if ordered and ordered[-1][-1].line == part.line:
            ordered[-1].append(part)
        else:
            ordered.append([part])
    return ordered


def _read_rows(found: Sequence[Segment]) -> list[Group]:
    """Row by row where segments of different lines stand beside each other as cells do, else as the file has it."""
    groups = _by_baseline(found)
    beside = [group for group in groups if len(group) > 1 and len({part.line for part in group}) > 1]
    if not beside or _runs_down(found, beside):
        return _as_given(found)
    top, bottom = beside[0][0].top, beside[-1][0].bottom
    alone = sum(1 for group in groups if len(group) == 1 and bottom <= group[0].bottom and group[0].top <= top)
    return groups if alone <= 2 * len(beside) else _as_given(found)


def _runs_down(found: Sequence[Segment], beside: Sequence[Group]) -> bool:
    """Whether what stands beside each other is mostly prose that the file has column by column.

    So it is where columns take up a part of a page only, and tables around them keep the page from being read as one.
    """
    sides = {part for group in beside for part in group}
    runs: list[Group] = []
    for part in found:
        if part in sides:
            if runs and _follows(runs[-1][-1], part):
                runs[-1].append(part)
            else:
                runs.append([part])
    prose = sum(_chars(run) for run in runs if _is_filled(run))
    return prose >= _MOSTLY * sum(map(_chars, runs))


def _follows(upper: Segment, lower: Segment) -> bool:
    below = lower.top + lower.bottom < 2 * upper.bottom
    return below and lower.left < upper.right and upper.left < lower.right


def _is_filled(run: Group) -> bool:
    """Whether lines are as long as their column is wide, and longer than what cells hold."""
    widths = [part.right - part.left for part in run]
    filled = sum(widths) >= _LEAST_RUN_FILL * max(widths) * len(run)
    return len(run) >= _LEAST_RUN and filled and _chars(run) >= _LEAST_RUN_CHARS * len(run)


def _chars(run: Group) -> int:
    return sum(len(part.text) for part in run)


def _by_baseline(found: Sequence[Segment]) -> list[Group]:
    """From top to bottom, what stands at the same height together, from left to right."""
    groups: list[Group] = []
    low = high = 0
    for part in sorted(found, key=_height, reverse=True):
        _, _, bottom, _, top, _ = part
        shared = (top if top < high else high) - (bottom if bottom > low else low)
        if groups and shared > 0.5 * min(top - bottom, high - low):
            groups[-1].append(part)
        else:
            groups.append([part])
            low, high = bottom, top
    for group in groups:
        if len(group) > 1:
            group.sort(key=attrgetter("left"))
    return groups


def _height(part: Segment) -> int:
    return part.top + part.bottom


def _same_baseline(one: Segment, other: Segment) -> bool:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > 0.5 * min(one.top - one.bottom, other.top - other.bottom)
