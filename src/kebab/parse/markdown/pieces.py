"""Markdown text to pieces: its top-level elements in order, each with its lines and what the events tell of it.

Gets text with LF newlines, gives `Piece`s. Knows pyromark's events and nothing else: ids, heading paths and the lines
that belong to no element are for `blocks`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import pyromark
from pyromark import Options
from pyromark.event import Event, Range

from kebab.core.document import BlockKind, LineSpan, UserValue
from kebab.core.text import LineMap
from kebab.parse.markdown.inline import headers, heading_text, image
from kebab.parse.markdown.names import one_line

MAX_LINES = 60
MAX_INNER = 2000
MAX_LANG = 40

Payload: TypeAlias = dict[str, UserValue]

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

    tag: str | Mapping[str, object]
    start: int
    end: int
    children: list[int]
    inner: list[Event]


def read(text: str, lines_before: int = 0) -> list[Piece]:
    """The elements of `text`, whose first line is line `lines_before + 1` of the source."""
    raw = text.encode()
    lines = LineMap(raw)
    found: list[Piece] = []
    for element in _elements(text, raw):
        first = lines.line_at(element.start)
        last = lines.line_at(_last_mark(raw, element.start, element.end))
        kind, payload = _describe(element, last - first + 1)
        piece = Piece(kind, LineSpan(first + lines_before, last + lines_before), payload)
        if last - first >= MAX_LINES and kind in (BlockKind.LIST, BlockKind.QUOTE):
            found += _split(piece, [lines.line_at(child) + lines_before for child in element.children])
        else:
            found.append(piece)
    return found


def _elements(text: str, raw: bytes) -> Iterator[_Element]:
    events = _MARKDOWN.events_with_range(text)
    for event, where in events:
        if isinstance(event, str):
            yield _Element(event, where["start"], where["end"], [], [])
        elif "Start" in event:
            element = _Element(event["Start"], where["start"], where["end"], [], [])
            _enter(element, events, where["end"] if _is_named(element, raw) else 0)
            yield element


def _is_named(element: _Element, raw: bytes) -> bool:
    """Whether the events inside matter: for most elements they do not, which is what keeps this quick."""
    if isinstance(element.tag, str):
        return element.tag == "Paragraph" and raw.startswith(b"![", element.start)
    return "Heading" in element.tag


def _enter(element: _Element, events: Iterator[tuple[Event, Range]], names_end: int) -> None:
    """Read on to the end of `element`, keeping the events that begin before `names_end`."""
    is_container = not isinstance(element.tag, str)
    depth = 1
    for event, where in events:
        if isinstance(event, str):
            pass
        elif "Start" in event:
            if depth == 1 and is_container:
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
    match element.tag:
        case "Rule":
            return None, {}
        case {"Heading": {"level": str(level)}}:
            return BlockKind.HEADING, {"level": int(level[1:]), "text": heading_text(element.inner)}
        case {"List": first_number}:
            return BlockKind.LIST, {"ordered": first_number is not None, "items": len(element.children)}
        case {"CodeBlock": {"Fenced": str(info)}}:
            return BlockKind.CODE, {"lang": _language(info)}
        case {"CodeBlock": _}:
            return BlockKind.CODE, {"lang": None}
        case {"BlockQuote": _}:
            return BlockKind.QUOTE, {}
        case {"Table": _}:
            return BlockKind.TABLE, {"headers": headers(element.inner), "rows": max(lines - 2, 0)}
    picture = image(element.inner)
    return (BlockKind.IMAGE_REF, picture) if picture else (BlockKind.PARAGRAPH, {})


def _language(info: str) -> str | None:
    """The language of a fence: the first word of what follows it, as `py` of `py title="x"` and of `{.py}`."""
    words = info.replace(",", " ").replace("{", " ").replace("}", " ").split()
    return one_line(words[0].lstrip("."))[:MAX_LANG].lower() or None if words else None


def _split(piece: Piece, starts: Sequence[int]) -> Iterator[Piece]:
    """A long list or quote in pieces of at most `MAX_LINES` lines where its children allow it."""
    first, items = piece.span.start, 0
    bounds = [*starts[1:], piece.span.end + 1]
    for start, after in zip(starts, bounds, strict=True):
        if items and after - first > MAX_LINES and start > first:
            yield _part(piece, first, start - 1, items)
            first, items = start, 0
        items += 1
    yield _part(piece, first, piece.span.end, items)


def _part(piece: Piece, first: int, last: int, items: int) -> Piece:
    payload = {**piece.payload, "items": items} if piece.kind is BlockKind.LIST else {}
    return Piece(piece.kind, LineSpan(first, last), payload)
