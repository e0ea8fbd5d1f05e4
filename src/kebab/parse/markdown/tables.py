"""Tables that are not: a row and a separator whose columns differ, which Markdown reads as a paragraph.

Gets the source of a paragraph, gives the place of such a row, so that the writer can be told.
"""

import re

_BAR = re.compile(r"(?<!\\)\|")


def malformed_row(text: str) -> int | None:
    """The line (from 0) of the first would-be header row in `text`."""
    if "|" not in text or "-" not in text or "\n" not in text:
        return None
    lines = text.split("\n")
    for number in range(1, len(lines)):
        row, separator = lines[number - 1], lines[number]
        if _is_separator(separator) and _BAR.search(row) and _columns(row) != _columns(separator):
            return number - 1
    return None


def _is_separator(line: str) -> bool:
    return "-" in line and "|" in line and not line.strip("|:- \t")


def _columns(row: str) -> int:
    cells = _BAR.split(row.strip())
    # The bars at both ends of a row are its border.
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")
