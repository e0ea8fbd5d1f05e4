"""Headings of rst and org, and the paragraphs between them: lines in, pieces out that hold every line with words."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kebab.core.document import BlockKind, UserValue
from kebab.parse.building import Piece

MAX_NAME = 300
# Deeper headings count as this deep, so that the path to a line stays short in any file.
MAX_LEVEL = 12

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
_STARS = re.compile(r"(\*+)[ \t]+(.*)")
_TODO = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELL?ED)\s+|\[#[A-Z0-9]\]\s*")
_TAGS = re.compile(r"\s:[\w@#%:]+:\s*$")
_ORG_TITLE = re.compile(r"#\+title:\s*(.+)", re.IGNORECASE)
_ORG_HEAD_LINES = 50


class Heading(NamedTuple):
    """Lines from `start` to `end`, both included."""

    start: int
    end: int
    level: int
    text: str


def outline(lines: Sequence[str], found: Sequence[Heading]) -> Iterator[Piece]:
    """Headings and paragraphs in order, each under the headings that enclose it."""
    above: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    following = 1
    for heading in found:
        yield from paragraphs(lines, following, heading.start - 1, path)
        while above and above[-1][0] >= heading.level:
            above.pop()
        above.append((heading.level, heading.text))
        path = tuple(text for _level, text in above if text)
        payload: dict[str, UserValue] = {"level": heading.level, "text": heading.text}
        yield Piece(BlockKind.HEADING, heading.start, heading.end, path, payload)
        following = heading.end + 1
    yield from paragraphs(lines, following, len(lines), path)


def paragraphs(lines: Sequence[str], first: int, last: int, path: tuple[str, ...]) -> Iterator[Piece]:
    """Runs of lines that are not blank, from line `first` to line `last`."""
    start = 0
    for number in range(first, last + 1):
        line = lines[number - 1]
        if line and not line.isspace():
            start = start or number
        elif start:
            yield Piece(BlockKind.PARAGRAPH, start, number - 1, path)
            start = 0
    if start:
        yield Piece(BlockKind.PARAGRAPH, start, last, path)


def rst(lines: Sequence[str]) -> list[Heading]:
    """Underlined titles, with a line above them or without. The first style met is the highest level."""
    found: list[Heading] = []
    styles: dict[tuple[str, bool], int] = {}
    end = 0
    for at in range(1, len(lines)):
        # `at` is the line of the rule counted from 0, and thereby the number of the title's line.
        title, rule = lines[at - 1], lines[at]
        if at <= end or not _is_underlined(title, rule):
            continue
        over = at >= 2 and at - 1 > end and lines[at - 2].strip() == rule.strip()
        before = at - 2 - over
        if before >= end and not _is_blank(lines[before]):
            continue
        if title[0].isspace() and not over:
            continue
        level = styles.setdefault((rule[0], over), len(styles) + 1)
        end = at + 1
        found.append(Heading(at - over, end, min(level, MAX_LEVEL), title.strip()[:MAX_NAME]))
    return found


def org(lines: Sequence[str]) -> list[Heading]:
    found: list[Heading] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("*") and (match := _STARS.match(line)):
            text = _TAGS.sub("", match[2][:MAX_NAME])
            while keyword := _TODO.match(text):
                text = text[keyword.end() :]
            found.append(Heading(number, number, min(len(match[1]), MAX_LEVEL), text.strip()))
    return found


def org_title(lines: Sequence[str]) -> str:
    """What `#+TITLE:` says near the top."""
    matches = (_ORG_TITLE.match(line) for line in lines[:_ORG_HEAD_LINES])
    return next((match[1].strip()[:MAX_NAME] for match in matches if match), "")


def _is_underlined(title: str, rule: str) -> bool:
    if _is_blank(title) or _RULE.fullmatch(rule) is None or _RULE.fullmatch(title):
        return False
    # Wide characters take two columns in an editor, and people count either way.
    return len(rule.rstrip()) >= min(len(title.strip()), 4)


def _is_blank(line: str) -> bool:
    return not line or line.isspace()
