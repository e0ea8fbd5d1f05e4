"""Threads that work for the server, each with an index of its own that stays open. Gets functions, calls them in turn.

A connection to the index must not be used by two threads at once, so every thread has one. More than a few would not
make searches faster, so a lane has few of them, and what takes long has lanes of its own.
"""

import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from kebab.app.facade import App

# Gets the way to the index, which may fail, and raises nothing.
Job: TypeAlias = "Callable[[Callable[[], App]], None]"


class Lane:
    """Up to `workers` threads, started when there is work for them."""

    def __init__(self, name: str, open_app: "Callable[[], App]", workers: int = 1) -> None:
        self._name = name
        self._open = open_app
        self._workers = workers
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._busy = 0

    def submit(self, job: Job) -> None:
        with self._guard:
            self._busy += 1
            if self._busy > len(self._threads) and len(self._threads) < self._workers:
                # A daemon: a search that hangs must not hold back the end of the process.
                thread = threading.Thread(target=self._work, name=f"{self._name}-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._jobs.put(job)

    def stop(self) -> list[threading.Thread]:
        """Begins no waiting job any more. Gives the threads, which end with the jobs at hand."""
        with suppress(queue.Empty):
            while True:
                self._jobs.get_nowait()
        for _ in self._threads:
            self._jobs.put(None)
        return self._threads

    def _work(self) -> None:
        index = OpenIndex(self._open)
        try:
            while (job := self._jobs.get()) is not None:
                try:
                    job(index.current)
                finally:
                    with self._guard:
                        self._busy -= 1
        finally:
            index.close()


class OpenIndex:
    """An App that is kept open, and opened anew when another file has taken the place of its index.

    So also when one was copied over it: who reads a mapped file beyond an end that has moved ends the process.
    """

    def __init__(self, open_app: "Callable[[], App]") -> None:
        self._open = open_app
        self._app: App | None = None
        self._file: _File | None = None

    def current(self) -> "App":
        app = self._app
        if app is not None:
            before, self._file = self._file, _file(app.config.storage.sqlite)
            if not _is_still(before, self._file):
                # `kebab reset` removed the file and an ingest made another; the old one stays readable, empty of news.
                self.close()
                app = None
        if app is None:
            app = self._app = self._open()
            self._file = _file(app.config.storage.sqlite)
        return app

    def close(self) -> None:
        if self._app is not None:
            self._app.close()
        self._app = None


class _File(NamedTuple):
    device: int
    number: int
    size: int


def _file(path: Path) -> _File | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked before every call, and half as dear
    except OSError:
        return None
    return _File(found.st_dev, found.st_ino, found.st_size)


def _is_still(before: _File | None, now: _File | None) -> bool:
    if before is None or now is None:
        return before is now
    return (before.device, before.number) == (now.device, now.number) and before.size <= now.size
