"""Tables that are not: a row and a separator whose columns differ, which Markdown reads as a paragraph.

Gets the source of a paragraph, gives the place of such a row, so that the writer can be told.
"""

import re

_SEPARATOR = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?$", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")


def malformed_row(text: str) -> int | None:
    """The line (from 0) of the first would-be header row in `text`."""
    if "|" not in text or "-" not in text or "\n" not in text:
        return None
    lines = text.split("\n")
    for number in range(1, len(lines)):
        if _is_separator(lines[number]) and _BAR.search(lines[number - 1]):
            return number - 1
    return None


def _is_separator(line: str) -> bool:
    cells = line.strip()
    return "-" in cells and "|" in cells and not cells.strip("|:- \t")
