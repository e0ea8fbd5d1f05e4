"""A log: one JSON line per event, a file a day, kept `logging.keep_days`. Never the reason a command fails."""

import json
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

from kebab.core.clock import now

_LEVELS = ("debug", "info", "warning", "error")


class Journal:
    """Silent when its folder cannot be written, because a log must not stop the work."""

    def __init__(self, folder: Path | None, level: str, keep_days: int) -> None:
        self._folder = folder
        self._threshold = _LEVELS.index(level)
        self._keep_days = keep_days
        self._out: TextIO | None = None
        self._path: Path | None = None

    def write(self, level: str, event: str, **fields: object) -> None:
        if self._folder is None or _LEVELS.index(level) < self._threshold:
            return
        line = json.dumps(
            {"ts": now(), "level": level, "event": event, "pid": os.getpid(), **fields}, ensure_ascii=False
        )
        try:
            self._open(self._folder).write(line + "\n")
        except OSError:
            self._folder = None

    def _open(self, folder: Path) -> TextIO:
        """The file of today; a long run moves on to the next one at midnight."""
        path = folder / f"kebab-{datetime.now(UTC):%Y-%m-%d}.log"
        if self._out is None or self._path != path:
            self.close()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._path = path
            # Line by line, so that a killed run has said what it did.
            self._out = open(handle, "a", encoding="utf-8", errors="replace", buffering=1, opener=None)  # noqa: PTH123, SIM115 - from a handle, closed by close()
        return self._out

    def close(self) -> None:
        if self._out is not None:
            with suppress(OSError):
                self._out.close()
            self._out = None

    def prune(self) -> None:
        """Drops the files of days past."""
        if self._folder is None:
            return
        oldest = f"kebab-{datetime.now(UTC) - timedelta(days=self._keep_days):%Y-%m-%d}.log"
        try:
            for path in self._folder.glob("kebab-*.log"):
                if path.name < oldest:
                    path.unlink(missing_ok=True)
        except OSError:
            self._folder = None
