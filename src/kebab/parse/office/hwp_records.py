"""HWP 5 streams: inflated under a limit, cut into records, and the text of a paragraph's record as characters.

Gets the bytes of a stream, gives records. Knows their framing and the codes within text, not what they mean together.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

MAX_INFLATED = 100 * 1024 * 1024
MAX_RECORDS = 5_000_000

STYLE, PARAGRAPH, TEXT, CONTROL, LIST = 26, 66, 67, 71, 72

# Codes that stand for one character; every other code below 32 is followed by seven more that belong to it.
_SINGLE = {0: "", 10: "\n", 13: "", 24: "-", 25: "", 26: "", 27: "", 28: "", 29: "", 30: "\u00a0", 31: " "}
_TAB = 9
_WIDE = 8


class Record(NamedTuple):
    tag: int
    level: int
    data: bytes


def inflate(raw: bytes) -> bytes:
    """A compressed stream, at most up to the limit. Raises zlib.error."""
    return zlib.decompressobj(-15).decompress(raw, MAX_INFLATED)


def records(data: bytes) -> Iterator[Record]:
    """The records in order; one that is cut off is the last."""
    at = 0
    for _ in range(MAX_RECORDS):
        if at + 4 > len(data):
            return
        (head,) = struct.unpack_from("<I", data, at)
        at += 4
        size = head >> 20
        if size == 0xFFF:
            if at + 4 > len(data):
                return
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
        yield Record(head & 0x3FF, head >> 10 & 0x3FF, data[at : at + size])
        at += size


def characters(data: bytes) -> str:
    """The words of a paragraph: codes for objects are left out, tabs and line breaks kept."""
    units = struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])
    parts: list[str] = []
    start = at = 0
    while at < len(units):
        code = units[at]
        if code >= 32:
            at += 1
            continue
        parts.append(data[start * 2 : at * 2].decode("utf-16-le", "replace"))
        parts.append(_SINGLE.get(code, "\t" if code == _TAB else ""))
        at += 1 if code in _SINGLE else _WIDE
        start = at
    parts.append(data[start * 2 : len(units) * 2].decode("utf-16-le", "replace"))
    return "".join(parts)


def style_names(data: bytes) -> list[tuple[str, str]]:
    """The local and the English name of every style, in the order paragraphs refer to them."""
    found = []
    for record in records(data):
        if record.tag == STYLE:
            local, rest = _name(record.data)
            found.append((local, _name(rest)[0]))
    return found


def _name(data: bytes) -> tuple[str, bytes]:
    if len(data) < 2:
        return "", b""
    end = 2 + 2 * struct.unpack_from("<H", data)[0]
    return data[2:end].decode("utf-16-le", "replace"), data[end:]
