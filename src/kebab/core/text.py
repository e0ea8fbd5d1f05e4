"""Facts about text, in one place: Unicode form, paths, lines and sizes.

Every stage that counts lines or compares names comes here, so that a line number means the same thing in a
parser, in a citation and in an editor.
"""

import unicodedata
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple


def nfc(text: str) -> str:
    """The one Unicode form in which names and headings are compared and hashed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def to_posix(path: str) -> str:
    """A workspace path in its one form: POSIX slashes, NFC, no leading `./`, no doubled slash."""
    parts = [part for part in nfc(path).replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts)


def unify_newlines(text: str) -> str:
    """CRLF and lone CR become LF. Nothing else breaks a line: not U+2028, U+0085, VT or FF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_lines(text: str) -> list[str]:
    """The lines of `text` as an editor numbers them; a final newline does not open another line."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def token_estimate(text: str) -> int:
    """Tokens, estimated as UTF-8 bytes / 3: close for Korean, safe (high) for English."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // 3)


class Decoded(NamedTuple):
    """File bytes as text, and how they were read."""

    text: str
    encoding: str
    lossy: bool


_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decode(raw: bytes) -> Decoded:
    """Bytes to text with LF newlines: a BOM decides, else UTF-8, else CP949 if it fits, else UTF-8 with replacement."""
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return _decode_as(raw[len(bom) :], encoding)
    try:
        return Decoded(unify_newlines(raw.decode("utf-8")), "utf-8", lossy=False)
    except UnicodeDecodeError:
        pass
    try:
        # Old Korean notes are CP949; random bytes almost never decode under it to Hangul.
        text = raw.decode("cp949")
    except UnicodeDecodeError:
        return _decode_as(raw, "utf-8")
    if any("\uac00" <= char <= "\ud7a3" for char in text):
        return Decoded(unify_newlines(text), "cp949", lossy=False)
    return _decode_as(raw, "utf-8")


def _decode_as(raw: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(unify_newlines(raw.decode(encoding)), encoding, lossy=False)
    except UnicodeDecodeError:
        return Decoded(unify_newlines(raw.decode(encoding, "replace")), encoding, lossy=True)


class LineMap:
    """Offsets in a text to 1-based line numbers. Works for str (character) and bytes (byte) offsets alike."""

    __slots__ = ("_starts", "length")

    def __init__(self, text: str | bytes) -> None:
        lines = text.split(b"\n") if isinstance(text, bytes) else text.split("\n")
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        # A line starts after all lines before it and one newline for each of them.
        starts = [before + index for index, before in enumerate(accumulate(map(len, lines[:-1]), initial=0))]
        self._starts = starts
        self.length = len(text)

    @property
    def count(self) -> int:
        return len(self._starts)

    def line_at(self, offset: int) -> int:
        """The line that holds `offset`; an offset at the very end belongs to the last line."""
        return bisect_right(self._starts, offset)

    def start_of(self, line: int) -> int:
        """The offset at which `line` begins; one past the last line is the end of the text."""
        return self._starts[line - 1] if line <= len(self._starts) else self.length
