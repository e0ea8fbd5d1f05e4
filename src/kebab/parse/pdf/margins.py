"""Running headers and footers: lines at the edge of most pages that differ at most in a number that counts the pages.

Gives which rows to leave out. A number that changes otherwise, as that of an invoice, is what a page is about, so such
a line stays.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from kebab.parse.pdf.values import Page

# Odd and even pages often have a header each.
_SHARE = 0.4
_LEAST_PAGES = 3
_DEPTH = 2
_LONGEST = 200
_TALL = 1.35
_NUMBER = re.compile(r"\d{1,9}")


class Margins(NamedTuple):
    """Indices of rows by page number, and one example of each line that repeats."""

    rows: dict[int, set[int]]
    headers: list[str]
    footers: list[str]


class _Line(NamedTuple):
    page: int
    row: int
    text: str


_Lines: TypeAlias = "defaultdict[str, list[_Line]]"


def find(pages: Sequence[Page], headings: Collection[str] = ()) -> Margins:
    """`headings` are lines that are known to be none of this, such as those the outline names."""
    written = [page for page in pages if page.rows]
    needed = max(_LEAST_PAGES, _SHARE * len(written))
    found = Margins({}, [], [])
    if len(written) < _LEAST_PAGES:
        return found
    for candidates, examples in zip(_at_edges(written, headings), (found.headers, found.footers), strict=True):
        for template, lines in candidates.items():
            if len(lines) >= needed and _counts_along(lines):
                same = len({line.text for line in lines}) == 1
                examples.append(lines[0].text if same else template)
                for line in lines:
                    found.rows.setdefault(line.page, set()).add(line.row)
    for page in written:
        # A page that says nothing else is still a page one may look for.
        if len(found.rows.get(page.number, ())) == len(page.rows):
            del found.rows[page.number]
    return found


def _at_edges(pages: Sequence[Page], headings: Collection[str]) -> tuple[_Lines, _Lines]:
    """Lines that may repeat, by what they have in common: those at the top of pages, and those at the bottom."""
    upper: _Lines = defaultdict(list)
    lower: _Lines = defaultdict(list)
    for page in pages:
        tops = [row.top for row in page.rows]
        heights = [row.top - row.bottom for row in page.rows]
        down = sorted(range(len(tops)), key=tops.__getitem__, reverse=True)
        # What is set larger than the rest is a heading, wherever it stands.
        tall = _TALL * sorted(heights)[len(heights) // 2]
        for edge, lines in ((down[:_DEPTH], upper), (down[-_DEPTH:], lower)):
            for row in edge:
                text = page.rows[row].text
                if heights[row] <= tall and len(text) <= _LONGEST and text not in headings:
                    lines[_NUMBER.sub("#", text)].append(_Line(page.number, row, text))
    return upper, lower


def _counts_along(lines: Sequence[_Line]) -> bool:
    """Whether every number in the line is either always the same or as far from the page's number as on other pages."""
    numbers = [[int(number) for number in _NUMBER.findall(line.text)] for line in lines]
    for column in zip(*numbers, strict=True):
        offsets = Counter(number - line.page for number, line in zip(column, lines, strict=True))
        steady = max(offsets.most_common(1)[0][1], Counter(column).most_common(1)[0][1])
        if steady < 0.8 * len(lines):
            return False
    return True
