"""A log: one JSON line per event, a file a day, kept `logging.keep_days`. Never the reason a command fails."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kebab.core.clock import now

_LEVELS = ("debug", "info", "warning", "error")


class Journal:
    """Silent when its folder cannot be written, because a log must not stop the work."""

    def __init__(self, folder: Path | None, level: str, keep_days: int) -> None:
        self._folder = folder
        self._threshold = _LEVELS.index(level)
        self._keep_days = keep_days

    def write(self, level: str, event: str, **fields: object) -> None:
        if self._folder is None or _LEVELS.index(level) < self._threshold:
            return
        line = json.dumps(
            {"ts": now(), "level": level, "event": event, "pid": os.getpid(), **fields}, ensure_ascii=False
        )
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._folder / f"kebab-{datetime.now(UTC):%Y-%m-%d}.log"
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8", errors="replace") as out:
                out.write(line + "\n")
        except OSError:
            self._folder = None

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
