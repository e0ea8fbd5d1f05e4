"""Text of a document that is shown as a name: a title, a heading, a label. One line, short, nothing invisible.

Gets any text, gives a name in NFC. A name is never where text is kept: the block it came from has all of it.
"""

import re

from kebab.core.text import nfc

MAX_NAME = 300

# C0 and C1 controls, and the marks that reorder or hide the text around them.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def one_line(text: str) -> str:
    """`text` as a name; empty when nothing of it can be seen."""
    if not text.isascii() or not text.isprintable():
        text = nfc(_UNSEEN.sub(" ", well_formed(text)))
    text = " ".join(text.split())
    return text if len(text) <= MAX_NAME else text[:MAX_NAME].rstrip()


def well_formed(text: str) -> str:
    """`text` without what UTF-8 and SQLite cannot hold: lone surrogates and NUL."""
    if text.isascii() and "\x00" not in text:
        return text
    return _SURROGATE.sub("\ufffd", text).replace("\x00", "\ufffd")
