"""Segments of a page that does not simply run down: columns of prose are read one after the other, tables row by row.

Gives groups of segments in reading order; a group is one row, its segments from left to right. Columns are told from
tables by what stands in them: prose fills its column, cells do not. What is neither stays in the order of the file.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import TypeAlias

from kebab.parse.pdf.values import Segment

Group: TypeAlias = "list[Segment]"

# Lines shorter than this on average are no prose.
LEAST_CHARS = 10

_BINS = 240
# A segment wider than this share of the page's text is no part of a column.
_WIDE = 0.62
_MOST_COLUMNS = 4
_LEAST_LINES = 4
_LEAST_FILL = 0.55


def order(found: Sequence[Segment]) -> list[Group]:
    spans = _columns(found)
    if spans:
        return _read_columns(found, spans)
    return _read_rows(found)


def _columns(found: Sequence[Segment]) -> list[tuple[float, float]]:
    """Left and right of every column of prose, or nothing when the page has fewer than two."""
    left, right = min(part.left for part in found), max(part.right for part in found)
    span = max(right - left, 1)
    narrow = [part for part in found if part.right - part.left < _WIDE * span]
    if len(narrow) < 2 * _LEAST_LINES:
        return []
    covered = _coverage(narrow, left, span)
    gap = max(2.0, 0.7 * median(part.top - part.bottom for part in narrow) * _BINS / span)
    spans = [(left + low * span / _BINS, left + high * span / _BINS) for low, high in _islands(covered, gap)]
    if not 2 <= len(spans) <= _MOST_COLUMNS:
        return []
    return spans if all(_is_prose(narrow, low, high) for low, high in spans) else []


def _coverage(narrow: Sequence[Segment], left: int, span: int) -> list[int]:
    """How many segments stand above each other in each of the bins the page's width is cut into."""
    changes = [0] * (_BINS + 2)
    for part in narrow:
        changes[int((part.left - left) * _BINS / span)] += 1
        changes[int((part.right - left) * _BINS / span) + 1] -= 1
    return list(accumulate(changes))[: _BINS + 1]


def _islands(covered: Sequence[int], gap: float) -> list[tuple[int, int]]:
    """Stretches of bins that hold text, with at least `gap` bins between them that hold next to none."""
    floor = max(1, max(covered) // 12)
    found: list[list[int]] = []
    for at, count in enumerate(covered):
        if count <= floor:
            continue
        if found and at - found[-1][1] <= gap:
            found[-1][1] = at
        else:
            found.append([at, at])
    return [(low, high + 1) for low, high in found]


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
    places = [_place(part, spans) for part in found]
    if _already_in_order(places):
        return _as_given(found)
    full = sorted((part for part, place in zip(found, places, strict=True) if place < 0), key=lambda part: -part.top)
    heights = [-part.top for part in full]
    bands: dict[tuple[int, int], Group] = {}
    for part, place in zip(found, places, strict=True):
        if place >= 0:
            band = bisect_left(heights, -(part.top + part.bottom) / 2)
            bands.setdefault((band, place), []).append(part)
    ordered: list[Group] = []
    for band in range(len(full) + 1):
        for place in range(len(spans)):
            ordered += _by_baseline(bands.get((band, place), []))
        if band < len(full):
            _add_full(ordered, full[band])
    return ordered


def _add_full(ordered: list[Group], part: Segment) -> None:
    """Neighbours that share a baseline are one row, as a heading with its number is."""
    if ordered and _same_baseline(ordered[-1][0], part) and ordered[-1][-1].right <= part.left:
        ordered[-1].append(part)
    else:
        ordered.append([part])


def _place(part: Segment, spans: Sequence[tuple[float, float]]) -> int:
    """Which column a segment stands in; -1 for one that reaches over a gutter."""
    for index, (_, high) in enumerate(spans):
        following = spans[index + 1][0] if index + 1 < len(spans) else None
        if following is None or part.right <= following:
            reaches_back = index > 0 and part.left < spans[index - 1][1]
            return -1 if reaches_back else index
        if part.left < high:
            return -1
    return len(spans) - 1


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
    beside = [group for group in groups if len({part.line for part in group}) > 1]
    if not beside:
        return _as_given(found)
    top, bottom = beside[0][0].top, beside[-1][0].bottom
    alone = sum(1 for group in groups if len(group) == 1 and bottom <= group[0].bottom and group[0].top <= top)
    return groups if alone <= 2 * len(beside) else _as_given(found)


def _by_baseline(found: Sequence[Segment]) -> list[Group]:
    """From top to bottom, what stands at the same height together, from left to right."""
    groups: list[Group] = []
    for part in sorted(found, key=lambda part: -(part.top + part.bottom)):
        if groups and _same_baseline(groups[-1][0], part):
            groups[-1].append(part)
        else:
            groups.append([part])
    return list(_left_to_right(groups))


def _left_to_right(groups: Sequence[Group]) -> Iterator[Group]:
    for group in groups:
        yield sorted(group, key=lambda part: part.left) if len(group) > 1 else group


def _same_baseline(one: Segment, other: Segment) -> bool:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > 0.5 * min(one.top - one.bottom, other.top - other.bottom)
