"""A worker: calls a function by name on a file's bytes in another process, and gets plain values back, one by one.

One call at a time. A process that crashes, hangs or takes too much is replaced, and the call raises `WorkerFailed`.
"""

import threading
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from kebab.core.errors import KebabError
from kebab.parse.worker import frames
from kebab.parse.worker.frames import BadFrame, Json
from kebab.parse.worker.limits import MB, Limits
from kebab.parse.worker.running import Running, out_of_memory

_NOTHING: Mapping[str, Json] = MappingProxyType({})


class WorkerFailed(KebabError):
    """A file was too much for the parser that read it. The next call finds a new worker."""


class Reply(NamedTuple):
    """One value of a result, and the bytes that came with it, if any."""

    value: Json
    data: bytes = b""


class Worker:
    """`name` is who failed in messages: "PDF reader". Nothing starts before the first call."""

    def __init__(self, limits: Limits | None = None, name: str = "parser") -> None:
        self._limits = limits or Limits()
        self._name = name
        self._running: Running | None = None
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._calls = self._given = 0

    @property
    def pid(self) -> int | None:
        return self._running.pid if self._running else None

    def call(self, target: str, raw: bytes, arguments: Mapping[str, Json] = _NOTHING) -> Json:
        """What the function `package.module:name` gives; of one that yields, the first value."""
        values = [reply.value for reply in self.stream(target, raw, arguments)]
        return values[0] if values else None

    def stream(
        self, target: str, raw: bytes, arguments: Mapping[str, Json] = _NOTHING, *, together: bool = True
    ) -> Iterator[Reply]:
        """What the function yields, as it comes. Without `together` nothing is held back to travel in company.

        Leaving the iterator early ends the process, since it is still at work.
        """
        if self._owner == threading.get_ident():
            raise RuntimeError("a worker that is asked within its own answer would wait for itself")
        with self._lock:
            self._owner = threading.get_ident()
            done = False
            try:
                yield from self._ask(target, raw, arguments, together=together)
                done = True
            finally:
                self._owner = None
                if not done:
                    self._end()

    def close(self) -> None:
        """Ends the process. Another call would start one again."""
        self._end()

    def _ask(self, target: str, raw: bytes, arguments: Mapping[str, Json], *, together: bool) -> Iterator[Reply]:
        running = self._fresh(len(raw))
        limits = self._limits
        call: dict[str, Json] = {
            "target": target,
            "arguments": dict(arguments),
            "memory_mb": limits.memory_mb,
            "cpu_s": limits.cpu_s,
            "together": together,
        }
        # A worker that dies while it is written to has the reason in how it ended, which reading finds out.
        running.write(frames.pack(call), raw)
        left = limits.result_mb * MB
        while True:
            frame = self._next(running, left)
            left -= len(frame.body)
            if frame.kind == frames.END:
                return
            yield from self._replies(running, frame, left)

    def _replies(self, running: Running, frame: frames.Frame, left: int) -> Iterator[Reply]:
        try:
            value = frames.unpack(frame.body)
        except BadFrame:
            raise self._failed("gave an answer that makes no sense") from None
        if frame.kind == frames.ITEMS and isinstance(value, list):
            yield from map(Reply, value)
        elif frame.kind == frames.BLOB:
            # The bytes of a result are handed on and forgotten; only what a caller keeps is limited as a whole.
            yield Reply(value, self._next(running, max(left, self._limits.result_mb * MB)).body)
        elif frame.kind == frames.ERROR and isinstance(value, dict):
            starved = value.get("memory") is True
            raise self._failed(out_of_memory(self._limits) if starved else f"failed: {value.get('message')}")
        else:
            raise self._failed("gave an answer that makes no sense")

    def _next(self, running: Running, largest: int) -> frames.Frame:
        try:
            frame = running.read(max(largest, 0))
        except BadFrame:
            raise self._failed(f"gave more than {self._limits.result_mb} MB") from None
        if frame is None:
            self._running = None
            raise self._failed(running.end())
        return frame

    def _fresh(self, size: int) -> Running:
        """A process with room for another file."""
        self._calls += 1
        self._given += size
        full = self._calls > self._limits.calls or self._given > self._limits.given_mb * MB
        if full or (self._running is not None and not self._running.alive):
            self._end()
        if self._running is None:
            self._running = Running(self._limits)
            self._calls, self._given = 1, size
        return self._running

    def _failed(self, how: str) -> WorkerFailed:
        return WorkerFailed(f"the {self._name} {' '.join(how.split())}")

    def _end(self) -> None:
        if self._running is not None:
            self._running.end()
            self._running = None
