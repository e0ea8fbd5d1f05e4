"""Names inside an element: the text of a heading, the headers of a table, the target of an image.

Gets the pyromark events inside the element, gives plain text without markup. Does not know lines or blocks.
"""

import re
from collections.abc import Iterable, Sequence

from pyromark.event import Event

from kebab.core.document import UserValue
from kebab.parse.markdown.names import one_line

MAX_TARGET = 1000

# `## Name {#anchor}`: an anchor for a site generator, not a part of the name.
_ANCHOR = re.compile(r"\{\s*#[^{}]*\}\s*$")
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|avif|heic)$", re.IGNORECASE)


def plain(events: Iterable[Event]) -> str:
    """The words of `events`, a line break as a space."""
    parts: list[str] = []
    for event in events:
        if isinstance(event, str):
            parts.append(" ")
        elif "Text" in event:
            parts.append(event["Text"])
        elif "Code" in event:
            parts.append(event["Code"])
    return "".join(parts)


def heading_text(events: Iterable[Event]) -> str:
    text = plain(events)
    return one_line(_ANCHOR.sub("", text) if text.endswith("}") else text)


def headers(events: Iterable[Event]) -> list[UserValue]:
    """One text for each cell of the head row, empty cells included."""
    cells: list[UserValue] = []
    cell: list[Event] = []
    for event in events:
        cell.append(event)
        if event == {"End": "TableCell"}:
            cells.append(one_line(plain(cell)))
            cell.clear()
    return cells


def image(events: Sequence[Event]) -> dict[str, UserValue] | None:
    """Target and alternative text, when one image is all that `events` hold."""
    match events[:1]:
        case [{"Start": {"Image": {"dest_url": str(target), "link_type": link_type}}}]:
            # `![[note]]` embeds a note in the same syntax; only a file name can tell.
            if isinstance(link_type, dict) and not _PICTURE.search(target):
                return None
        case _:
            return None
    if _close_of_first(events) != len(events) - 1:
        return None
    return {"src": one_line(target)[:MAX_TARGET], "alt": one_line(plain(events))}


def _close_of_first(events: Sequence[Event]) -> int:
    """Where the element that the first event opens is closed; -1 if it is not."""
    depth = 0
    for place, event in enumerate(events):
        if isinstance(event, str):
            continue
        depth += ("Start" in event) - ("End" in event)
        if not depth:
            return place
    return -1
