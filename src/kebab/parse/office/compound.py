"""OLE compound files: the streams of an old Office container by name, from untrusted bytes.

Gets bytes, gives the bytes of streams. The directory is read as the flat list it is stored as; chains of sectors are
followed at most once through the file, so that a chain that goes round ends.
"""

import struct
from collections.abc import Sequence

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAX_ENTRIES = 20_000

_LAST = 0xFFFFFFFA
_ENTRY = 128
_SMALL_SECTOR = 64
_STREAM, _ROOT = 2, 5


class Broken(ValueError):
    """The container does not hold together."""


class Compound:
    def __init__(self, raw: bytes) -> None:
        if len(raw) < 512 or not raw.startswith(SIGNATURE):
            raise Broken("no compound file")
        shift = struct.unpack_from("<H", raw, 30)[0]
        if shift not in (9, 12):
            raise Broken("unknown sector size")
        self._raw = raw
        self._size = 1 << shift
        self._sectors = len(raw) // self._size
        directory, self._small_limit, small_table = struct.unpack_from("<I4xII", raw, 48)
        self._table = self._allocation()
        self._streams, root = self._directory(directory)
        self._small = self._chain(*root) if root else b""
        self._small_table = _numbers(self._chain(small_table, None))

    @property
    def names(self) -> list[str]:
        return list(self._streams)

    def read(self, name: str) -> bytes:
        """A stream whole. Raises Broken when there is none, or its chain is broken."""
        if name not in self._streams:
            raise Broken(f"no stream {name}")
        start, size = self._streams[name]
        if size >= self._small_limit:
            return self._chain(start, size)
        parts = [
            self._small[each * _SMALL_SECTOR : (each + 1) * _SMALL_SECTOR]
            for each in _follow(self._small_table, start, -(-size // _SMALL_SECTOR))
        ]
        return b"".join(parts)[:size]

    def _allocation(self) -> Sequence[int]:
        """The table that says which sector follows which, put together from the sectors the header lists."""
        listed = list(struct.unpack_from("<109I", self._raw, 76))
        extra, count = struct.unpack_from("<II", self._raw, 68)
        for _ in range(min(count, self._sectors)):
            if extra >= _LAST:
                break
            numbers = _numbers(self._sector(extra))
            listed += numbers[:-1]
            extra = numbers[-1]
        kept = [each for each in dict.fromkeys(listed) if each < self._sectors]
        return _numbers(b"".join(self._sector(each) for each in kept))

    def _directory(self, start: int) -> tuple[dict[str, tuple[int, int]], tuple[int, int] | None]:
        raw = self._chain(start, None)
        found: dict[str, tuple[int, int]] = {}
        root = None
        for at in range(0, min(len(raw), MAX_ENTRIES * _ENTRY) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", raw, at + 64)
            place = struct.unpack_from("<II", raw, at + 116)
            name = raw[at : at + min(max(length - 2, 0), 62)].decode("utf-16-le", "replace")
            if kind == _ROOT:
                root = place
            elif kind == _STREAM:
                found.setdefault(name, place)
        return found, root

    def _chain(self, start: int, size: int | None) -> bytes:
        most = self._sectors if size is None else min(-(-size // self._size), self._sectors)
        data = b"".join(self._sector(each) for each in _follow(self._table, start, most))
        return data if size is None else data[:size]

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self._size
        piece = self._raw[at : at + self._size]
        if not piece:
            raise Broken("a sector lies outside the file")
        return piece.ljust(self._size, b"\x00")


def _numbers(raw: bytes) -> Sequence[int]:
    return struct.unpack(f"<{len(raw) // 4}I", raw[: len(raw) // 4 * 4])


def _follow(table: Sequence[int], start: int, most: int) -> list[int]:
    """The sectors of a chain, at most so many."""
    found: list[int] = []
    while start < _LAST and len(found) < most:
        if start >= len(table):
            raise Broken("a chain of sectors is broken")
        found.append(start)
        start = table[start]
    return found
