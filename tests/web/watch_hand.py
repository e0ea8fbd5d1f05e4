"""A watch that says what a test has it say, ends when the test lets it, and counts how many of it there are."""

import threading
from collections.abc import Iterator

from web_bench import TIMEOUT

from kebab.app.watch import Noted, WatchEvent


class Hand:
    """Stands for the watch of the app."""

    def __init__(self) -> None:
        self.begun = 0
        self.running = 0
        self.most = 0
        self.over = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()
        self.fails: Exception | None = None
        self.says: list[WatchEvent] = []
        self.waiting = threading.Event()
        self._guard = threading.Lock()

    def watch(self, stop: threading.Event) -> Iterator[WatchEvent]:
        with self._guard:
            self.begun += 1
            self.running += 1
            self.most = max(self.most, self.running)
        yield Noted(f"watching {self.begun}")
        if self.fails is not None:
            raise self.fails
        yield from self.says
        self.waiting.set()
        stop.wait(TIMEOUT)
        yield Noted("the file at hand")
        self.may_end.wait(TIMEOUT)
        with self._guard:
            self.running -= 1
        self.over.set()
