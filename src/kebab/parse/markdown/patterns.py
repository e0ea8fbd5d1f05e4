"""What the source of a block shows at a glance: wiki-links, and tables that Markdown does not take for tables.

Gets source text, gives link targets and places of rows. Does not know whether a target exists or what a block is.
"""

import re

from kebab.core.document import UserValue
from kebab.parse.markdown.names import one_line

# `[[target]]`, `[[target|alias]]`, `[[target#heading]]`; `[[1]](url)` is an ordinary link whose text is `[1]`.
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\](?!\()")
# Close enough to a code span or a fence: `[[ -f x ]]` is shell, not a link.
_CODE = re.compile(r"`+[^`]*`+")
_BAR = re.compile(r"(?<!\\)\|")


def wiki_links(text: str) -> list[UserValue]:
    """Each target once, in order, without alias and heading."""
    if "[[" not in text:
        return []
    if "`" in text:
        text = _CODE.sub(" ", text)
    # In a table the bar before an alias is escaped, so the target ends in a backslash.
    targets = (one_line(match.rstrip("\\")) for match in _LINK.findall(text))
    return list(dict.fromkeys(target for target in targets if target))


def malformed_row(text: str) -> int | None:
    """The line (from 0) of the first row in a paragraph whose separator row has another number of columns."""
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
