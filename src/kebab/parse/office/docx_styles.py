"""Word's styles, as far as they say what a paragraph is: a heading, an item of a list, or an entry of a contents list.

Gets the events of the styles part, gives one `Look` per style id. Names count before ids: ids are translated, names of
built-in styles are not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kebab.parse.office.body import PLAIN, Look
from kebab.parse.xml import START, Event, number

MAX_STYLES = 10_000
MAX_CHAIN = 20

_HEADING = re.compile(r"(?:heading|제목|개요)\s*([1-9])", re.IGNORECASE)
_CONTENTS = re.compile(r"toc\s*[1-9]|table of figures|목차\s*[1-9]?", re.IGNORECASE)


@dataclass(slots=True)
class _Style:
    name: str = ""
    parent: str = ""
    outline: int | None = None
    item: int | None = None


class Styles:
    """What each style makes of a paragraph."""

    def __init__(self, stream: Iterable[Event]) -> None:
        self._styles = _read(stream)
        self._looks: dict[str, Look | None] = {}

    def look(self, style: str) -> Look | None:
        """None for entries of a contents list, which repeat the headings."""
        if style not in self._looks:
            self._looks[style] = self._resolve(style)
        return self._looks[style]

    def _resolve(self, style: str) -> Look | None:
        """The nearest word in the chain of parents; a chain that goes round ends somewhere."""
        for _ in range(MAX_CHAIN):
            known = self._styles.get(style)
            if known is None:
                break
            if _CONTENTS.fullmatch(known.name):
                return None
            if (level := _level(known)) is not None:
                return Look(heading=level) if level else PLAIN
            if known.item is not None:
                return Look(item=known.item)
            style = known.parent
        return PLAIN


def _level(style: _Style) -> int | None:
    if style.outline is not None:
        return style.outline + 1 if style.outline < 9 else 0
    if match := _HEADING.fullmatch(style.name):
        return int(match[1])
    return 1 if style.name.lower() in ("title", "제목") else None


def _read(stream: Iterable[Event]) -> dict[str, _Style]:
    styles: dict[str, _Style] = {}
    style = _Style()
    for kind, element, attributes in stream:
        if kind is not START:
            continue
        value = attributes.get("w:val")
        if element == "w:style":
            style = _Style()
            if attributes.get("w:type", "paragraph") == "paragraph" and len(styles) < MAX_STYLES:
                styles[attributes.get("w:styleId", "")] = style
        elif element == "w:name":
            style.name = (value or "")[:100].strip()
        elif element == "w:basedOn":
            style.parent = value or ""
        elif element == "w:outlineLvl":
            style.outline = number(value, 9)
        elif element == "w:numId":
            style.item = (style.item or 0) if number(value) else None
        elif element == "w:ilvl":
            style.item = number(value)
    return styles
