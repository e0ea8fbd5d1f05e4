"""What a worker and its owner say to each other: frames of a kind and some bytes over a pipe. JSON, never pickles.

to the worker      C {target, arguments}   then D the file's bytes
from the worker    I [value, ...] | B value, then D its bytes | E {error} | R the end
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple, TypeAlias

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

CALL, DATA, ITEMS, BLOB, ERROR, END = b"C", b"D", b"I", b"B", b"E", b"R"

_HEAD = struct.Struct(">cQ")
_PART = 1 << 20


class Frame(NamedTuple):
    kind: bytes
    body: bytes


class Attached(NamedTuple):
    """A result with bytes of its own, for a function that yields more than JSON can hold."""

    value: Json
    data: bytes


class BadFrame(Exception):
    """What came over the pipe is not a frame, or one larger than the reader takes."""


def write(pipe: IO[bytes], kind: bytes, body: bytes, *, flush: bool = True) -> None:
    head = _HEAD.pack(kind, len(body))
    if len(body) < _PART:
        pipe.write(head + body)
    else:
        pipe.write(head)
        pipe.write(body)
    if flush:
        pipe.flush()


def read(pipe: IO[bytes], largest: int) -> Frame | None:
    """The next frame; None when the other side is gone, also in the middle of a frame."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, size = _HEAD.unpack(head)
    if size > largest:
        raise BadFrame(f"a frame of {size} bytes")
    # In parts, so that a length that is only claimed takes no memory.
    parts = []
    while size:
        part = pipe.read(min(size, _PART))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return Frame(kind, parts[0] if len(parts) == 1 else b"".join(parts))


def pack(value: Json) -> bytes:
    return encode(value).encode("utf-8", "replace")


def unpack(body: bytes) -> Json:
    """Raises BadFrame for anything that is not JSON, or is nested beyond reason."""
    try:
        value: Json = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error
    return value
