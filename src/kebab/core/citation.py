"""Citations: six ways to point into a source, each with one URI form that parses back to the same value.

`path#L5-L9` (line, code), `path#p=13`, `path#xywh=x,y,w,h`, `path#caption`,
`path#t=hh:mm:ss.mmm,hh:mm:ss.mmm&speaker=S1`.
`#`, `%` and spaces in a path are percent-encoded. A URI names a place; what is only known beside it (section, symbol,
language, caption model) is not part of it, so `parse` returns those fields empty.
"""

import re
from dataclasses import dataclass
from typing import ClassVar, TypeAlias
from urllib.parse import quote, unquote

from kebab.core.errors import InvalidInput
from kebab.core.span import CaptionPlace, CodePlace, PagePlace, Place, RegionPlace


def _quote_path(path: str) -> str:
    # Only what would be misread is escaped, so that Korean paths stay readable.
    return "".join(quote(char, safe="") if char in "#% " or ord(char) < 32 or char == "\x7f" else char for char in path)


def _lines(start: int, end: int) -> str:
    return f"L{start}" if start == end else f"L{start}-L{end}"


def _clock(ms: int) -> str:
    seconds, millis = divmod(ms, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{millis:03d}"


def _clock_ms(text: str) -> int:
    hours, minutes, seconds = text.split(":")
    whole, millis = seconds.split(".")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 1000 + int(millis)


@dataclass(frozen=True, slots=True)
class LineCitation:
    kind: ClassVar[str] = "line"
    path: str
    start: int
    end: int
    section: str | None = None

    def to_uri(self) -> str:
        return f"{_quote_path(self.path)}#{_lines(self.start, self.end)}"


@dataclass(frozen=True, slots=True)
class PageCitation:
    kind: ClassVar[str] = "page"
    path: str
    page: int
    section: str | None = None

    def to_uri(self) -> str:
        return f"{_quote_path(self.path)}#p={self.page}"


@dataclass(frozen=True, slots=True)
class RegionCitation:
    kind: ClassVar[str] = "region"
    path: str
    x: int
    y: int
    w: int
    h: int

    def to_uri(self) -> str:
        return f"{_quote_path(self.path)}#xywh={self.x},{self.y},{self.w},{self.h}"


@dataclass(frozen=True, slots=True)
class CaptionCitation:
    kind: ClassVar[str] = "caption"
    path: str
    model: str | None = None

    def to_uri(self) -> str:
        return f"{_quote_path(self.path)}#caption"


@dataclass(frozen=True, slots=True)
class TimeCitation:
    kind: ClassVar[str] = "time"
    path: str
    start_ms: int
    end_ms: int
    speaker: str | None = None

    def to_uri(self) -> str:
        speaker = f"&speaker={quote(self.speaker, safe='')}" if self.speaker is not None else ""
        return f"{_quote_path(self.path)}#t={_clock(self.start_ms)},{_clock(self.end_ms)}{speaker}"


@dataclass(frozen=True, slots=True)
class CodeCitation:
    kind: ClassVar[str] = "code"
    path: str
    line_start: int
    line_end: int
    symbol: str | None = None
    lang: str | None = None

    def to_uri(self) -> str:
        return f"{_quote_path(self.path)}#{_lines(self.line_start, self.line_end)}"


Citation: TypeAlias = LineCitation | PageCitation | RegionCitation | CaptionCitation | TimeCitation | CodeCitation


def cited(place: Place, path: str, lines: tuple[int, int], section: str | None) -> Citation:
    """The citation of a place; `lines` are those of the text that was read off it."""
    if isinstance(place, CodePlace):
        return CodeCitation(path, *lines, place.symbol, place.lang)
    if isinstance(place, PagePlace):
        return PageCitation(path, place.page, section)
    if isinstance(place, RegionPlace):
        return RegionCitation(path, *place)
    if isinstance(place, CaptionPlace):
        return CaptionCitation(path, place.model)
    return TimeCitation(path, *place)


_NUMBER = r"(0|[1-9][0-9]{0,17})"
_CLOCK = r"([0-9]{2,15}:[0-5][0-9]:[0-5][0-9]\.[0-9]{3})"
# Kept as text: writing a citation is common, reading one is rare, and `re` remembers what it compiled.
_FRAGMENTS = {
    "line": r"L([1-9][0-9]{0,17})(?:-L([1-9][0-9]{0,17}))?",
    "page": r"p=([1-9][0-9]{0,17})",
    "region": rf"xywh={_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}",
    "caption": r"caption",
    "time": rf"t={_CLOCK},{_CLOCK}(?:&speaker=([^&#]*))?",
}


def parse_citation(uri: str) -> Citation:
    """The inverse of `to_uri`. A code citation reads back as a line citation: their URIs are the same place."""
    raw_path, hash_sign, fragment = uri.partition("#")
    if not raw_path or not hash_sign:
        raise InvalidInput(f"not a citation: {uri!r}", hint="a citation looks like notes/a.md#L5-L9 or paper.pdf#p=13")
    path = unquote(raw_path)
    for kind, pattern in _FRAGMENTS.items():
        if (match := re.fullmatch(pattern, fragment)) is not None:
            return _build(kind, path, match, uri)
    raise InvalidInput(
        f"unknown citation fragment: #{fragment}", hint="use #L5, #L5-L9, #p=13, #xywh=, #caption or #t="
    )


def _build(kind: str, path: str, match: re.Match[str], uri: str) -> Citation:
    if kind == "page":
        return PageCitation(path, int(match[1]))
    if kind == "region":
        return RegionCitation(path, int(match[1]), int(match[2]), int(match[3]), int(match[4]))
    if kind == "caption":
        return CaptionCitation(path)
    if kind == "time":
        speaker = unquote(match[3]) if match[3] is not None else None
        start, end = _clock_ms(match[1]), _clock_ms(match[2])
        if end < start:
            raise InvalidInput(f"the citation ends before it starts: {uri}")
        return TimeCitation(path, start, end, speaker)
    first = int(match[1])
    last = int(match[2]) if match[2] is not None else first
    if last < first:
        raise InvalidInput(f"the citation ends before it starts: {uri}")
    return LineCitation(path, first, last)
