"""The title a recording bears, from the commonest kinds of tags: ID3 of MP3, `©nam` of M4A and MP4, Vorbis comments.

Looks at a bounded part of the bytes and trusts no length in them. Anything odd is no title.
"""

import re
from collections.abc import Callable

_LONGEST = 200
_WITHIN = 256 * 1024
_ENCODINGS = ("latin-1", "utf-16", "utf-16-be", "utf-8")
_VORBIS = re.compile(rb"(.{4})title=", re.IGNORECASE | re.DOTALL)
_ID3_HEAD, _FRAME_HEAD = 10, 10


def title(raw: bytes) -> str:
    """Empty when there is none."""
    readers: tuple[Callable[[bytes], str], ...] = (_id3, _mp4, _vorbis)
    for read in readers:
        if found := _one_line(read(raw)):
            return found
    return ""


def _id3(raw: bytes) -> str:
    if raw[:3] != b"ID3" or len(raw) < _ID3_HEAD:
        return ""
    version, at = raw[3], _ID3_HEAD
    end = min(_ID3_HEAD + _synchsafe(raw[6:10]), _WITHIN, len(raw))
    while at + _FRAME_HEAD < end and raw[at : at + 4].isalnum():
        head = raw[at + 4 : at + 8]
        size = _synchsafe(head) if version == 4 else int.from_bytes(head, "big")
        body = raw[at + _FRAME_HEAD : min(at + _FRAME_HEAD + size, end)]
        if raw[at : at + 4] == b"TIT2":
            return _decoded(body[1:], _ENCODINGS[body[0]]) if body and body[0] < len(_ENCODINGS) else ""
        at += _FRAME_HEAD + size
    return ""


def _mp4(raw: bytes) -> str:
    """`©nam` holds a box `data`: its length, its name, eight bytes about it, and the text."""
    if raw[4:8] != b"ftyp":
        return ""
    at = raw.find(b"\xa9nam")
    if at < 0 or raw[at + 8 : at + 12] != b"data":
        return ""
    size = int.from_bytes(raw[at + 4 : at + 8], "big")
    return _decoded(raw[at + 20 : at + 4 + min(size, 4 * _LONGEST)], "utf-8")


def _vorbis(raw: bytes) -> str:
    if raw[:4] not in (b"fLaC", b"OggS"):
        return ""
    found = _VORBIS.search(raw, 0, _WITHIN)
    if found is None:
        return ""
    size = int.from_bytes(found[1], "little") - len("title=")
    return _decoded(raw[found.end() : found.end() + size], "utf-8") if 0 < size <= 4 * _LONGEST else ""


def _synchsafe(four: bytes) -> int:
    """Seven bits of each byte."""
    size = 0
    for byte in four:
        size = size << 7 | byte & 0x7F
    return size


def _decoded(body: bytes, encoding: str) -> str:
    return body.decode(encoding, "replace").partition("\x00")[0]


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text[:_LONGEST]).split())
