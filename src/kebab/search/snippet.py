"""A readable excerpt of a chunk around the words that matched, from its clean text."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from kebab.core.text import nfc

ELLIPSIS = "…"
_FRONT_MATTER = re.compile(r"\A(?:---\n.*?\n(?:---|\.\.\.)|\+\+\+\n.*?\n\+\+\+)(?:\n|\Z)", re.DOTALL)
# The headings that open a chunk: a hit shows them above its snippet already.
_LEADING_HEADINGS = re.compile(r"\A(?:\s*#{1,6}[ \t][^\n]*\n|\s*[^\n]+\n(?:=+|-{2,})[ \t]*\n)+(?=\s*\S)")
_COMMENT = re.compile(r"<!--|-->")
_HEADING_MARK = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*$", re.MULTILINE)
_ROW_ENDS = re.compile(r"^ ?\| ?| ?\| ?$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n]*$", re.MULTILINE)
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_WIKI = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]\n]*)\]\]")
# Bounded, so that marks without a partner cost little.
_EMPHASIS = re.compile(r"(\*\*|__|~~|`)(?=\S)([^\n]{1,120}?)(?<=\S)\1")
_MARKS = (
    (("```", "~~~"), _FENCE, " "),
    (("-", "*", "_", "="), _RULE, " "),
    (("|",), _ROW_ENDS, ""),
    (("# ", " #"), _HEADING_MARK, ""),
    ((">",), _QUOTE_MARK, ""),
    (("--",), _COMMENT, " "),
    (("](",), _LINK, r"\1"),
    (("]]",), _WIKI, r"\1"),
    (("**", "__", "~~", "`"), _EMPHASIS, r"\2"),
)
# How far an end may move to spare a word.
_REACH = 24
# All but single spaces, which are most.
_BLANKS = re.compile(r"[^\S\n]{2,}|[^\S\n ]")


class Snippet(NamedTuple):
    text: str
    highlights: tuple[tuple[int, int], ...]
    full: bool


def clean(text: str) -> str:
    """Chunk text on one line, without Markdown's marks and without the front matter and headings that open it."""
    body = _FRONT_MATTER.sub("", text)
    body = body if body.strip() else text.strip("-+\n ")
    # Long runs of blanks first: the patterns below would try every start in them.
    body = _LEADING_HEADINGS.sub("", _BLANKS.sub(" ", body))
    for marks, pattern, replacement in _MARKS:
        # Most chunks hold few kinds of marks, and looking for one costs far less than matching its pattern.
        if any(mark in body for mark in marks):
            body = pattern.sub(replacement, body)
    return " ".join(body.split())


def excerpt(text: str, locate: Callable[[str], list[tuple[int, int]]], width: int) -> Snippet:
    """At most `width` characters of the cleaned text, placed where most matches are."""
    cleaned = nfc(clean(text))
    ranges = locate(cleaned)
    if len(cleaned) <= width:
        return Snippet(cleaned, tuple(ranges), full=True)
    first, last = _focus(cleaned, ranges, width)
    start = max(0, min(first - width // 6, len(cleaned) - width))
    end = min(len(cleaned), start + width)
    start, end = _at_words(cleaned, (start, end), (first, last))
    lead = ELLIPSIS if start > 0 else ""
    tail = ELLIPSIS if end < len(cleaned) else ""
    shift = len(lead) - start
    inside = tuple((a + shift, b + shift) for a, b in ranges if a >= start and b <= end)
    return Snippet(f"{lead}{cleaned[start:end]}{tail}", inside, full=False)


def _focus(text: str, ranges: list[tuple[int, int]], width: int) -> tuple[int, int]:
    """The match from which a window holds the most distinct words, then the most matches; the first of equals."""
    if not ranges:
        return 0, 0
    words = [text[first:last].lower() for first, last in ranges]
    inside: Counter[str] = Counter()
    best, best_score = 0, (0, 0)
    end = 0
    for index, (first, _) in enumerate(ranges):
        while end < len(ranges) and ranges[end][0] < first + width * 3 // 4:
            inside[words[end]] += 1
            end += 1
        score = (len(inside), end - index)
        if score > best_score:
            best, best_score = index, score
        inside[words[index]] -= 1
        if not inside[words[index]]:
            del inside[words[index]]
    return ranges[best]


def _at_words(text: str, window: tuple[int, int], keep: tuple[int, int]) -> tuple[int, int]:
    """Moves both ends inwards to a space if one is near and outside `keep`; text without spaces is cut where it is."""
    start, end = window
    if start > 0:
        space = text.find(" ", start, min(start + _REACH, keep[0]))
        start = space + 1 if space >= 0 else start
    if end < len(text):
        space = text.rfind(" ", max(keep[1], end - _REACH), end)
        end = space if space > start else end
    return start, end
