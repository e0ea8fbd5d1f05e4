"""A mail message as its headers and leaf parts, from untrusted bytes.

Gets bytes, gives parts in order. Parts in parts are worked off a list up to a depth, as the standard library's parser
recurses into them and compares every line with every open boundary.
"""

import binascii
import quopri
import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from kebab.parse.web.charset import read

MAX_DEPTH = 20
MAX_PARTS = 1000
MAX_HEADERS = 500
MAX_HEADER = 10_000

_LINE_END = ord("\n")
_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n|\r[ \t]*\r")
_HEADER = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:[ \t]*(.*(?:\r?\n[ \t]+.*)*)", re.MULTILINE)
_PARAMETER = re.compile(r';\s*([\w*%-]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))')


class Part(NamedTuple):
    """One part: header values by lower-case name (the first of each), and the bytes below them."""

    headers: dict[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "text/plain").partition(";")[0].strip().lower() or "text/plain"

    def parameter(self, header: str, name: str) -> str:
        """A parameter of a header, decoded in the two ways mail writes names that are not English."""
        found = {key.lower(): a or b for key, a, b in _PARAMETER.findall(self.headers.get(header, ""))}
        if name in found:
            return words(re.sub(r"\\(.)", r"\1", found[name]))
        pieces = [value for key, value in sorted(found.items(), key=_order) if key.startswith(f"{name}*")]
        charset, _, rest = "".join(pieces).partition("'")
        quoted = rest.partition("'")[2] if "'" in rest else "".join(pieces)
        return read(unquote_to_bytes(quoted), charset if "'" in rest else None).text

    @property
    def name(self) -> str:
        return self.parameter("content-disposition", "filename") or self.parameter("content-type", "name")

    @property
    def attached(self) -> bool:
        disposition = self.headers.get("content-disposition", "").partition(";")[0].strip().lower()
        return disposition == "attachment" or not self.media_type.startswith("text/") or bool(self.name)

    def text(self) -> tuple[str, bool]:
        """The words of a text part, and whether some bytes were lost."""
        decoded = read(self.decoded(), self.parameter("content-type", "charset") or None)
        return decoded.text, decoded.lossy

    def decoded(self) -> bytes:
        """The bytes of the part before they were made fit for mail."""
        return _transfer(self.body, self.headers)


def _order(entry: tuple[str, str]) -> tuple[int, str]:
    digits = re.sub(r"[^0-9]", "", entry[0])[:6]
    return int(digits or 0), entry[0]


def split(raw: bytes) -> Part:
    """A message or part, cut where its headers end."""
    raw = raw.lstrip(b"\r\n")
    blank = _BLANK.search(raw)
    top = raw[: blank.start()] if blank else raw
    headers: dict[str, str] = {}
    for match in _HEADER.finditer(top):
        if len(headers) >= MAX_HEADERS:
            break
        value = read(re.sub(rb"\r?\n[ \t]+", b" ", match[2][:MAX_HEADER]), None).text
        headers.setdefault(match[1].decode("ascii").lower(), value.strip())
    return Part(headers, raw[blank.end() :] if blank else b"")


def leaves(message: Part) -> Iterator[Part]:
    """The parts that hold something themselves, in order; what lies too deep is left out.

    Of the same words as plain text and as HTML, only the plain text is given.
    """
    waiting = [(message, 0, False)]
    seen = 0
    while waiting and seen < MAX_PARTS:
        part, depth, said = waiting.pop()
        seen += 1
        boundary = part.parameter("content-type", "boundary")
        if not part.media_type.startswith("multipart/") or not boundary:
            if not (said and part.media_type == "text/html" and not part.attached):
                yield part
        elif depth < MAX_DEPTH:
            inside = [split(each) for each in _between(part.body, boundary)]
            plain = part.media_type == "multipart/alternative" and any(map(_says_plainly, inside))
            waiting += [(each, depth + 1, said or plain) for each in reversed(inside)]


def _says_plainly(part: Part) -> bool:
    return part.media_type == "text/plain" and not part.attached and bool(part.body.strip())


def _between(body: bytes, boundary: str) -> list[bytes]:
    # A pattern that begins with plain bytes is found many times faster than one that begins with a line end.
    mark = re.compile(rb"--" + re.escape(boundary[:200].encode("utf-8", "replace")) + rb"(?:--)?[ \t]*(?=\r?\n|$)")
    marks = (each for each in mark.finditer(body) if each.start() == 0 or body[each.start() - 1] == _LINE_END)
    edges = [each.span() for each in islice(marks, MAX_PARTS)]
    # What stands before the first boundary is for programs that know no parts.
    starts = [end for _, end in edges]
    ends = [max(start - 1, 0) for start, _ in edges[1:]] + [len(body)]
    pieces = (body[start:end].removesuffix(b"\r") for start, end in zip(starts, ends, strict=False))
    return [piece for piece in pieces if piece.strip()]


def _transfer(body: bytes, headers: dict[str, str]) -> bytes:
    encoding = headers.get("content-transfer-encoding", "").strip().lower()
    if encoding == "quoted-printable":
        return quopri.decodestring(body)
    if encoding != "base64":
        return body
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
    try:
        return binascii.a2b_base64(kept[: len(kept) // 4 * 4] + _padded(kept[len(kept) // 4 * 4 :]))
    except binascii.Error:
        return b""


def _padded(rest: bytes) -> bytes:
    return rest.ljust(4, b"=") if len(rest) > 1 else b""


def words(value: str) -> str:
    """A header's words, decoded where they are encoded, each piece in its own charset."""
    if "=?" not in value:
        return value
    try:
        pieces = decode_header(value[:MAX_HEADER])
    except (HeaderParseError, ValueError):
        return value
    return "".join(_piece(piece, charset) for piece, charset in pieces)


def _piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    # What was not encoded comes back escaped.
    return read(piece, charset).text if charset else piece.decode("raw-unicode-escape", "replace")
