"""One call from the event loop to a lane and back: progress on the way, the outcome at the end, and a way to stop."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.ui.serving.lanes import Lane


class Progress(NamedTuple):
    """How far a call has come; `total` is None where nobody knows."""

    done: float
    total: float | None = None
    message: str | None = None


class Call(NamedTuple):
    """What a tool works with: the index, its checked arguments, whether to stop, and whom to tell how far it is."""

    app: "App"
    values: Mapping[str, Any]
    cancel: threading.Event
    tell: Callable[[Progress], None]


Work: TypeAlias = "Callable[[App, threading.Event, Callable[[Progress], None]], Json]"
Report: TypeAlias = Callable[[Progress], Awaitable[None]]


async def performed(lane: "Lane", work: Work, report: Report | None = None) -> Json:
    """What `work` gives, run in the lane. Whoever is cancelled waits no more, and the work is asked to stop."""
    exchange = _Exchange(work, wanted=report is not None)
    lane.submit(exchange.job)
    try:
        while isinstance(update := await exchange.updates.get(), Progress):
            if report is not None:
                await report(update)
    finally:
        exchange.cancel.set()
    if isinstance(update, Exception):
        raise update
    return update


class _Exchange:
    """What passes between the thread of a lane and the loop; made in the loop."""

    def __init__(self, work: Work, *, wanted: bool) -> None:
        self.updates: asyncio.Queue[Progress | Json | Exception] = asyncio.Queue()
        self.cancel = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._work = work
        self._wanted = wanted

    def job(self, index: "Callable[[], App]") -> None:
        if self.cancel.is_set():
            return
        try:
            self._post(self._work(index(), self.cancel, self._tell))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever called, not to the lane
            self._post(error)

    def _tell(self, progress: Progress) -> None:
        if self._wanted:
            self._post(progress)

    def _post(self, update: Progress | Json | Exception) -> None:
        with suppress(RuntimeError):  # the loop is gone, and the client with it
            self._loop.call_soon_threadsafe(self.updates.put_nowait, update)
