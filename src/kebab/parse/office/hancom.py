"""Hancom's outline styles: which names of styles make a paragraph a heading, in the zipped and in the older format."""

import re

MAX_LEVEL = 6

_OUTLINE = re.compile(r"(?:개요|제목|outline|heading)\s*([0-9]{0,2})", re.IGNORECASE)


def outline_level(style: str) -> int:
    """The level of a heading style by its name; 0 for any other style."""
    match = _OUTLINE.fullmatch(style.strip()[:100])
    return min(max(int(match[1] or 1), 1), MAX_LEVEL) if match else 0
