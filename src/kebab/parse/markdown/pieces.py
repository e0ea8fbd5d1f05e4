"""Markdown text to pieces: its top-level elements in order, each with its lines and what the events tell of it.

Gets text with LF newlines, gives `Piece`s. Knows pyromark's events and nothing else: ids, heading paths and the lines
that belong to no element are for `blocks`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import pyromark
from pyromark import Options
from pyromark.event import Event, Range

from kebab.core.document import BlockKind, UserValue
from kebab.core.span import LineSpan
from kebab.core.text import LineMap
from kebab.parse.markdown.inline import headers, heading_text, image
from kebab.parse.markdown.names import one_line

MAX_LINES = 60
MAX_HEADING_LINES = 5
MAX_INNER = 2000
MAX_LANG = 40
# Marks and line ends that a note may hold: the parser keeps some 80 bytes for each of them.
MAX_MARKS = 2_000_000

Payload: TypeAlias = dict[str, UserValue]

# Tags not listed are paragraphs: HTML and footnote definitions are text to search, whatever they are to a browser.
_KINDS: dict[str, BlockKind | None] = {
    "Rule": None,
    "Heading": BlockKind.HEADING,
    "List": BlockKind.LIST,
    "CodeBlock": BlockKind.CODE,
    "Table": BlockKind.TABLE,
    "BlockQuote": BlockKind.QUOTE,
}
_MARKS = tuple(bytes([mark]) for mark in b"\n[]!*_`~<>&|\\:$^")
_FENCE_WORD = re.compile(r"[^\s,{}.][^\s,{}]*")
_NAMELESS = ("HtmlBlock", "CodeBlock")
_SPLITTABLE = (BlockKind.LIST, BlockKind.QUOTE)

_MARKDOWN = pyromark.Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_WIKILINKS
)


class Piece(NamedTuple):
    """An element of the text. A thematic break has no kind: it separates, and holds no word."""

    kind: BlockKind | None
    span: LineSpan
    payload: Payload


class _Element(NamedTuple):
    """A top-level element in byte offsets: where its children begin, and the events that hold its names."""

    tag: str
    detail: object
    start: int
    end: int
    children: list[int]
    inner: list[Event]


class TooManyMarks(ValueError):
    """No note has so much structure, and reading it would take gigabytes."""


def read(text: str, lines_before: int = 0) -> list[Piece]:
    """The elements of `text`, whose first line is line `lines_before + 1` of the source."""
    raw = text.encode()
    if len(raw) > MAX_MARKS and sum(map(raw.count, _MARKS)) > MAX_MARKS:
        raise TooManyMarks
    lines = LineMap(raw)
    found: list[Piece] = []
    for element in _elements(text, raw):
        first = lines.line_at(element.start)
        last = lines.line_at(_last_mark(raw, element.start, element.end))
        kind, payload = _describe(element, last - first + 1)
        piece = Piece(kind, LineSpan(first + lines_before, last + lines_before), payload)
        if last - first >= MAX_LINES and kind in _SPLITTABLE:
            found += _split(piece, [lines.line_at(child) + lines_before for child in element.children])
        else:
            found.append(piece)
    return found


def _elements(text: str, raw: bytes) -> Iterator[_Element]:
    events = _MARKDOWN.events_with_range(text)
    for event, where in events:
        start, end = where["start"], where["end"]
        if isinstance(event, str):
            yield _Element(event, None, start, end, [], [])
        elif "Start" in event:
            opened = event["Start"]
            tag, detail = (opened, None) if isinstance(opened, str) else next(iter(opened.items()))
            element = _Element(tag, detail, start, end, [], [])
            if tag in _NAMELESS or (tag == "Paragraph" and not raw.startswith(b"![", start)):
                _skip(tag, events)
            else:
                _enter(element, events)
            yield element


def _skip(tag: str, events: Iterator[tuple[Event, Range]]) -> None:
    """Read on to the end of an element that holds none of its kind: most events are there, and none is needed."""
    closing = {"End": tag}
    for event, _ in events:
        if event == closing:
            return


def _enter(element: _Element, events: Iterator[tuple[Event, Range]]) -> None:
    """Read on to the end of `element`, keeping where its children begin and the events that hold its names."""
    names_end = element.end if element.tag in ("Heading", "Paragraph") else 0
    depth = 1
    for event, where in events:
        if isinstance(event, str):
            pass
        elif "Start" in event:
            if depth == 1:
                element.children.append(where["start"])
                if event["Start"] == "TableHead":
                    names_end = where["end"]
            depth += 1
        elif "End" in event:
            depth -= 1
            if not depth:
                return
        if where["start"] < names_end and len(element.inner) < MAX_INNER:
            element.inner.append(event)


def _last_mark(raw: bytes, start: int, end: int) -> int:
    """The last byte that is not space: a range may run through blank lines into the indent of the next element."""
    last = end - 1
    while last > start and raw[last] in b" \t\n\v\f":
        last -= 1
    return max(last, start)


def _describe(element: _Element, lines: int) -> tuple[BlockKind | None, Payload]:
    kind = _KINDS.get(element.tag, BlockKind.PARAGRAPH)
    # Dashes under a long paragraph make it a heading by the letter of the standard, and by nobody's intent.
    if kind is BlockKind.PARAGRAPH or (kind is BlockKind.HEADING and lines > MAX_HEADING_LINES):
        picture = image(element.inner) if element.inner else None
        return (BlockKind.IMAGE_REF, picture) if picture else (BlockKind.PARAGRAPH, {})
    if kind is BlockKind.HEADING:
        return kind, {"level": _level(element.detail), "text": heading_text(element.inner)}
    if kind is BlockKind.LIST:
        return kind, {"ordered": element.detail is not None, "items": len(element.children)}
    if kind is BlockKind.CODE:
        return kind, {"lang": _language(element.detail)}
    if kind is BlockKind.TABLE:
        return kind, {"headers": headers(element.inner), "rows": max(lines - 2, 0)}
    return kind, {}


def _level(detail: object) -> int:
    return int(detail["level"][1:]) if isinstance(detail, dict) else 1


def _language(detail: object) -> str | None:
    """The language of a fence: the first word of what follows it, as `py` of `py title="x"` and of `{.py}`."""
    info = detail["Fenced"] if isinstance(detail, dict) else ""
    words = _FENCE_WORD.findall(info[:MAX_LANG])
    return one_line(words[0]).lower() or None if words else None


def _split(piece: Piece, starts: Sequence[int]) -> Iterator[Piece]:
    """A long list or quote in pieces of at most `MAX_LINES` lines where its children allow it."""
    first, items = piece.span.start, 0
    bounds = [*starts, piece.span.end + 1][1:]
    for start, after in zip(starts, bounds, strict=True):
        if items and after - first > MAX_LINES and start > first:
            yield _part(piece, first, start - 1, items)
            first, items = start, 0
        items += 1
    yield _part(piece, first, piece.span.end, items)


def _part(piece: Piece, first: int, last: int, items: int) -> Piece:
    payload = {**piece.payload, "items": items} if piece.kind is BlockKind.LIST else {}
    return Piece(piece.kind, LineSpan(first, last), payload)
