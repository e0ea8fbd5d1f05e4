"""How a segment lies in a file: a header that describes and guards it, then its columns. Knows bytes, opens nothing.

A header of 128 bytes, then record keys, chunk keys, document keys (int64), roles (uint8) and the words of bits (uint64,
the first word of all rows, then the second), each column at a multiple of 64 bytes, all little-endian. The checksum
covers header and columns. It is CRC-32, because every process that opens the file pays for it, and it guards against
accidents only.
"""

import struct
from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple
from zlib import crc32

from kebab.vectors.scan.segment import Segment, word_count

MAGIC = b"kebabSGM"
LAYOUT = 1
HEADER_BYTES = 128
_ALIGN = 64
_FIELDS = struct.Struct("<8sIIqqqqq16s")
_CHECKSUM = struct.Struct("<I")
_ROOM = HEADER_BYTES - _FIELDS.size - _CHECKSUM.size


class Owner(NamedTuple):
    """Whose rows a file holds."""

    fingerprint: bytes
    dimensions: int


class Header(NamedTuple):
    magic: bytes
    layout: int
    dimensions: int
    rows: int
    # The last key of the segment before, so that one that is lost is missed.
    after: int
    first: int
    last: int
    payload: int
    fingerprint: bytes

    def flaw(self, owner: Owner) -> str | None:
        """Why what follows cannot be used, as far as the header tells."""
        if self.magic != MAGIC or self.layout != LAYOUT:
            return "damaged"
        if (self.fingerprint, self.dimensions) != owner:
            return "of another table"
        if self.rows <= 0 or self.payload != payload_bytes(self.rows, self.dimensions):
            return "damaged"
        return None


def _columns(rows: int, dimensions: int) -> list[int]:
    """The sizes of the columns, each rounded up so that the next one is aligned."""
    sizes = (8 * rows, 8 * rows, 8 * rows, rows, 8 * rows * word_count(dimensions))
    return [-(-size // _ALIGN) * _ALIGN for size in sizes]


def payload_bytes(rows: int, dimensions: int) -> int:
    return sum(_columns(rows, dimensions))


def encode(segment: Segment, after: int, owner: Owner) -> Iterator[bytes]:
    """The bytes of a segment that follows the key `after`, in pieces."""
    rows, dimensions = len(segment), owner.dimensions
    fields = (rows, after, int(segment.keys[0]), segment.last(), payload_bytes(rows, dimensions))
    head = _FIELDS.pack(MAGIC, LAYOUT, dimensions, *fields, owner.fingerprint) + bytes(_ROOM)
    columns = (
        *(numbers.astype("<i8", copy=False).tobytes() for numbers in (segment.keys, segment.chunks, segment.docs)),
        segment.roles.tobytes(),
        segment.words.astype("<u8", copy=False).tobytes(),
    )
    sizes = _columns(rows, dimensions)
    pieces = [column.ljust(size, b"\0") for column, size in zip(columns, sizes, strict=True)]
    checksum = crc32(head)
    for piece in pieces:
        checksum = crc32(piece, checksum)
    yield head + _CHECKSUM.pack(checksum)
    yield from pieces


def decode_header(raw: bytes) -> tuple[Header, int, int]:
    """What the header says, the checksum it expects, and the checksum of the header itself."""
    guarded = raw[: HEADER_BYTES - _CHECKSUM.size]
    (expected,) = _CHECKSUM.unpack_from(raw, len(guarded))
    return Header(*_FIELDS.unpack_from(raw)), expected, crc32(guarded)


def decode(buffer: mmap, offset: int, header: Header) -> Segment:
    """The segment whose columns start at `offset`, without copying them."""
    import numpy as np

    starts = [offset]
    for size in _columns(header.rows, header.dimensions):
        starts.append(starts[-1] + size)
    words = word_count(header.dimensions)
    keys, chunks, docs = (np.frombuffer(buffer, "<i8", header.rows, start) for start in starts[:3])
    return Segment(
        keys,
        chunks,
        docs,
        np.frombuffer(buffer, np.uint8, header.rows, starts[3]),
        np.frombuffer(buffer, "<u8", header.rows * words, starts[4]).reshape(words, header.rows),
    )
