"""One writer at a time: a file lock the operating system drops when its holder dies, so it cannot go stale."""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from kebab.core.errors import IndexLocked, IoFailure

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        # Locks a byte far behind the pid, which stays readable.
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """Held for the length of a write command. The file keeps the holder's pid, for the message to the second one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def __enter__(self) -> Self:
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise IoFailure(
                f"cannot open the writer lock {self._path}: {error.strerror}",
                hint="check that the data directory can be written",
                path=str(self._path),
                op="write",
            ) from error
        try:
            _take(handle)
        except OSError as error:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise IndexLocked(
                f"another kebab{f' (process {holder})' if holder else ''} is writing to this index",
                hint="wait for it to finish, or stop it; searching works meanwhile",
                path=str(self._path),
                pid=int(holder) if holder.isdigit() else None,
            ) from error
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode("ascii"))
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = None
