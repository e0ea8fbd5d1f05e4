"""A table's file of segments: opened as far as it is sound, extended at its end, or replaced as a whole."""

import mmap
import os
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from kebab.vectors.naming import make_private
from kebab.vectors.scan.layout import HEADER_BYTES, Header, Owner, decode, decode_header, encode
from kebab.vectors.scan.segment import Segment, last_key

MISSING = "missing"
_READ_BYTES = 1 << 20

Identity = tuple[int, int, int, int]


class Opened(NamedTuple):
    """The sound part of a file: its segments, where they end, and why the rest cannot be used."""

    segments: tuple[Segment, ...]
    end: int
    flaw: str | None
    identity: Identity | None


def identity(path: Path) -> Identity | None:
    """Tells whether a file is the one that was opened. None when there is none."""
    try:
        return _identity(path.stat())
    except (OSError, ValueError):
        return None


def _identity(status: os.stat_result) -> Identity:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def opened(path: Path, owner: Owner) -> Opened:
    """Maps the longest part of the file whose segments are sound, belong to `owner` and have growing keys."""
    try:
        with path.open("rb", buffering=0) as file:
            found = _identity(os.fstat(file.fileno()))
            places, end, flaw = _walk(file, found[2], owner)
            if not places:
                return Opened((), 0, flaw, found)
            mapped = mmap.mmap(file.fileno(), end, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return Opened((), 0, MISSING, None)
    except (OSError, ValueError):
        return Opened((), 0, "unreadable", identity(path))
    return _in_order(Opened(tuple(decode(mapped, *place) for place in places), end, flaw, found), places)


def _walk(file: FileIO, size: int, owner: Owner) -> tuple[list[tuple[int, Header]], int, str | None]:
    """The sound segments, where they end, and what is wrong behind them.

    Reads instead of mapping, because touching a mapping beyond the end of a file kills the process.
    """
    places: list[tuple[int, Header]] = []
    end = 0
    while end < size:
        file.seek(end)
        raw = file.read(HEADER_BYTES)
        if len(raw) < HEADER_BYTES:
            return places, end, "damaged"
        header, expected, checksum = decode_header(raw)
        flaw = header.flaw(owner)
        if flaw is None and _checksum(file, header.payload, checksum) != expected:
            flaw = "damaged"
        if flaw is not None:
            return places, end, flaw
        places.append((end + HEADER_BYTES, header))
        end += HEADER_BYTES + header.payload
    return places, end, None if places else "damaged"


def _checksum(file: FileIO, length: int, checksum: int) -> int | None:
    """Of the next `length` bytes; None when the file ends before."""
    buffer = memoryview(bytearray(min(_READ_BYTES, length)))
    while length:
        count = file.readinto(buffer[: min(len(buffer), length)])
        if not count:
            return None
        checksum = crc32(buffer[:count], checksum)
        length -= count
    return checksum


def _in_order(found: Opened, places: list[tuple[int, Header]]) -> Opened:
    """As far as keys grow, and each segment is the one that was written behind the one before it."""
    import numpy as np

    before = 0
    for number, (segment, (start, header)) in enumerate(zip(found.segments, places, strict=True)):
        follows = header.after == before < int(segment.keys[0])
        if not follows or not np.all(segment.keys[1:] > segment.keys[:-1]):
            return Opened(found.segments[:number], start - HEADER_BYTES, "damaged", found.identity)
        before = segment.last()
    return found


def append(path: Path, found: Opened, segments: Iterable[Segment], owner: Owner) -> None:
    """Adds segments behind those of an unharmed file. Does nothing when it was replaced meanwhile."""
    with path.open("r+b", buffering=0) as file:
        if _identity(os.fstat(file.fileno())) != found.identity:
            return
        file.seek(found.end)
        if _write(file, segments, owner, last_key(found.segments)):
            os.fsync(file.fileno())


def draft(path: Path, segments: Iterable[Segment], owner: Owner) -> tuple[Path, int]:
    """A new file beside `path`, whole and on disk, and the number of rows in it."""
    make_private(path.parent)
    name = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.draft")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(name, flags, 0o600), "wb", buffering=0) as file:
            rows = _write(file, segments, owner, 0)
            os.fsync(file.fileno())
    except BaseException:
        name.unlink(missing_ok=True)
        raise
    return name, rows


def promote(name: Path, path: Path) -> None:
    """The draft takes the place of the file. Fails where a mapped file cannot be replaced, and leaves no draft then."""
    try:
        if name.stat().st_size:
            name.replace(path)
        else:
            # A table without rows has no file: an empty one is always a damaged one.
            path.unlink(missing_ok=True)
            name.unlink()
    except OSError:
        with suppress(OSError):
            name.unlink()
        raise


def _write(file: FileIO, segments: Iterable[Segment], owner: Owner, after: int) -> int:
    """Gives the number of rows. A segment that could not be written whole is taken back."""
    rows = 0
    for segment in segments:
        assert int(segment.keys[0]) > after, "keys grow from segment to segment"
        start = file.tell()
        try:
            _write_all(file, encode(segment, after, owner))
        except OSError:
            with suppress(OSError):
                file.truncate(start)
            raise
        after = segment.last()
        rows += len(segment)
    return rows


def _write_all(file: FileIO, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        view = memoryview(piece)
        while view:
            view = view[file.write(view) :]


def sweep(path: Path) -> None:
    """Removes drafts that a killed process left."""
    for each in path.parent.glob(f"{path.name}.*.draft"):
        with suppress(OSError):
            each.unlink()
