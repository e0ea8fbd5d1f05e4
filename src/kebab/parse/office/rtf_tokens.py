"""RTF bytes to tokens: groups, control words, characters and plain text. Knows the meaning of no control word.

Every byte is looked at once; binary data is stepped over. Bytes stay bytes (as Latin-1), as only the reader of the
tokens knows the code page that holds where they stand.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

OPEN, CLOSE, WORD, TEXT, STAR = "{", "}", "word", "text", "*"

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?[0-9]{1,10})?[ ]?"
    r"|(?P<bytes>(?:\\'[0-9A-Fa-f]{2})+)"
    r"|\\(?P<symbol>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<break>[\r\n\x00]+)"
    r"|(?P<text>[^\\{}\r\n\x00]+)",
    re.DOTALL,
)
_SYMBOLS = {"~": "\xa0", "_": "-", "-": "", "\\": "\\", "{": "{", "}": "}", "\n": "\n", "\r": "\n", "\t": "\t"}


class Token(NamedTuple):
    """`text` is a control word's name or characters; `number` is a word's parameter."""

    kind: str
    text: str = ""
    number: int | None = None


def tokens(raw: bytes) -> Iterator[Token]:
    text = raw.decode("latin-1")
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            at += 1
            continue
        at = match.end()
        kind = match.lastgroup
        if kind in ("word", "number"):
            number = int(match["number"]) if match["number"] else None
            yield Token(WORD, match["word"], number)
            if match["word"] == "bin":
                at += max(number or 0, 0)
        elif kind == "bytes":
            yield Token(TEXT, bytes.fromhex(match["bytes"].replace("\\'", "")).decode("latin-1"))
        elif kind == "brace":
            yield Token(match["brace"])
        elif kind == "text":
            yield Token(TEXT, match["text"])
        elif kind == "symbol":
            yield Token(STAR) if match["symbol"] == "*" else _symbol(match["symbol"])


def _symbol(symbol: str) -> Token:
    shown = _SYMBOLS.get(symbol, "")
    # A backslash before a line end is a paragraph; the others are characters.
    return Token(WORD, "par") if shown == "\n" else Token(WORD, "char", ord(shown)) if shown else Token(TEXT)
