"""Wiki-links in the source of a block: `[[target]]`, `[[target|alias]]`, `[[target#heading]]`.

Gets source text, gives the targets without alias and heading. Does not know whether a target exists.
"""

import re

from kebab.core.document import UserValue
from kebab.parse.markdown.names import one_line

# `[[1]](url)` is an ordinary link whose text is `[1]`.
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\](?!\()")
# Close enough to a code span or a fence: `[[ -f x ]]` is shell, not a link.
_CODE = re.compile(r"`+[^`]*`+")


def wiki_links(text: str) -> list[UserValue]:
    """Each target once, in order."""
    if "[[" not in text:
        return []
    if "`" in text:
        text = _CODE.sub(" ", text)
    # In a table the bar before an alias is escaped, so the target ends in a backslash.
    targets = (one_line(match.rstrip("\\")) for match in _LINK.findall(text))
    return list(dict.fromkeys(target for target in targets if target))
