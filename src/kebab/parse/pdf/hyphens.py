"""Words that a line end broke are made whole again: `infor-` and `mation` become `information` on the upper line.

A hyphen that belongs to the word stays: after `well` or `non`, before a capital or a digit. Ligatures become letters.
Changes nothing else.
"""

import re
import unicodedata

from kebab.core.text import nfc
from kebab.parse.pdf.values import Row

# U+FFFE is PDFium's word for a hyphen it took for a line end's.
_MARK = "\ufffe"
_BROKEN = re.compile(r"([^\W_]+)([-\u2010\u00ad\ufffe])$")
_HYPHENS = ("-", "\u2010", "\u00ad", _MARK)
_MAY_BREAK = re.compile("[-\u2010\u00ad\ufffe]")
_HEAD = re.compile(r"[^\W_]+")
_LIGATURES = re.compile("[\ufb00-\ufb4f]")
# What stands before a hyphen in English that no line end put there.
_COMPOUNDS = frozenset(
    "well self non half so one two three four five six ten high low long short cross ex all full part real open left "
    "right top bottom front back end user time state multi single double first second third old new large small".split()
)


def mend(rows: list[Row]) -> list[Row]:
    """Rows of one page, in reading order."""
    broken = [row for row in rows[:-1] if row.text.endswith(_HYPHENS)]
    if not broken and not [row for row in rows if _MARK in row.text]:
        return rows
    mended: list[Row] = []
    for row in rows:
        text = row.text
        if mended and (joined := _join(mended[-1].text, text)) is not None:
            upper, text = joined
            mended[-1] = mended[-1]._replace(text=upper)
            if not text:
                continue
        mended.append(row if text == row.text else row._replace(text=text))
    return [row if _MARK not in row.text else row._replace(text=row.text.replace(_MARK, "-")) for row in mended]


def may_break(text: str) -> bool:
    """Whether anything in it could be a hyphen at the end of a line."""
    return _MAY_BREAK.search(text) is not None


def letters(text: str) -> str:
    if text.isascii():
        return text
    if _LIGATURES.search(text):
        text = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return nfc(text)


def _join(upper: str, lower: str) -> tuple[str, str] | None:
    if not upper.endswith(_HYPHENS):
        return None
    broken, head = _BROKEN.search(upper), _HEAD.match(lower)
    if not broken or not head:
        return None
    word, _, rest = lower.partition(" ")
    hyphen = "" if _is_one_word(broken[1], head[0]) or broken[2] == "\u00ad" else "-"
    return upper[: broken.end(1)] + hyphen + word, rest.lstrip()


def _is_one_word(stem: str, head: str) -> bool:
    if not (stem.isalpha() and head.isalpha() and head.islower() and len(head) > 1 and len(stem) > 1):
        return False
    return stem[1:].islower() and stem.lower() not in _COMPOUNDS
