"""Reading a file that someone may be writing: bytes and the stamp they belong to, or an IoFailure.

Never opens what is not a regular file: a pipe swapped in must not hang the run, a link swapped in must not lead out of
the root. Callers pass resolved paths, as the scan gives them.
"""

import errno
import os
import stat
import time
from pathlib import Path

from kebab.core.asset import FileStamp
from kebab.core.errors import IoFailure

_ATTEMPTS = 4
_PAUSE_SECONDS = 0.02
_CHUNK_BYTES = 1 << 18
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_stable(path: Path, stamp: FileStamp, limit: int) -> tuple[bytes, FileStamp]:
    """The whole file, at most `limit` bytes, and the stamp of what was read.

    `stamp` is what the scan saw. A file that differs from it is believed only once two looks in a row agree, because
    an editor may be between emptying the file and writing it.
    """
    expected = stamp
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE_SECONDS * attempt)
        raw, before, after = _read_once(path, limit)
        if len(raw) > limit:
            raise _failure(path, f"is larger than {limit} bytes")
        if _same(before, after) and _same(after, expected):
            return raw, after
        expected = after
    raise _failure(path, "changed while being read", hint="it is being written; ingest again when that is done")


def read_regular(path: str | Path, limit: int) -> bytes:
    """At most `limit` bytes of a regular file. Raises OSError."""
    descriptor = _open_regular(path)
    try:
        return _read_up_to(descriptor, limit)
    finally:
        os.close(descriptor)


def file_stamp(status: os.stat_result) -> FileStamp:
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ino)


def _read_once(path: Path, limit: int) -> tuple[bytes, FileStamp, FileStamp]:
    try:
        descriptor = _open_regular(path)
        try:
            before = file_stamp(os.fstat(descriptor))
            raw = _read_up_to(descriptor, limit + 1)
            return raw, before, file_stamp(os.fstat(descriptor))
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise _failure(path, "is no longer there") from error
    except OSError as error:
        raise _failure(path, error.strerror or str(error)) from error


def _open_regular(path: str | Path) -> int:
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return descriptor


def _read_up_to(descriptor: int, count: int) -> bytes:
    parts: list[bytes] = []
    while count > 0 and (part := os.read(descriptor, min(count, _CHUNK_BYTES))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _same(one: FileStamp, other: FileStamp) -> bool:
    # Some file systems know no inode numbers and report 0.
    same_inode = one.inode == other.inode or not (one.inode and other.inode)
    return same_inode and (one.size, one.mtime_ns) == (other.size, other.mtime_ns)


def _failure(path: Path, what: str, hint: str | None = None) -> IoFailure:
    return IoFailure(f"{path}: {what}", hint=hint, op="read", path=str(path))
