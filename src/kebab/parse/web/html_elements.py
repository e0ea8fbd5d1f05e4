"""The elements of HTML by what they mean for its words: which break a line, hold none, surround the text or are unseen.

Names and one question about an element; no state.
"""

import re

from kebab.parse.web.html_tokens import Attributes

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_DROPPED = frozenset(
    "script style template noscript iframe object svg canvas audio video select datalist button textarea noembed "
    "noframes xmp rt rp annotation annotation-xml map".split()
)
AROUND = frozenset({"nav", "aside"})
EDGES = frozenset({"header", "footer"})
MAIN = frozenset({"main", "article"})
BLOCKS = frozenset(
    "html head body title p div section article main header footer nav aside address figure figcaption form fieldset "
    "legend dl dt dd ul ol li blockquote pre hr table thead tbody tfoot tr td th caption h1 h2 h3 h4 h5 h6 details "
    "summary center hgroup search menu dialog".split()
)
# A second one ends the first, as nobody writes their end tags; a paragraph is ended by any block.
SELF_CLOSING = frozenset("p li td th tr dt dd option thead tbody".split())
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def unseen(name: str, attributes: Attributes) -> bool:
    """Whether a browser would show nothing of an element, or nothing that is text."""
    if name in _DROPPED or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if name == "dialog" and "open" not in attributes:
        return True
    return "style" in attributes and bool(_HIDDEN.search(attributes["style"]))
