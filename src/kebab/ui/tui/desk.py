"""Work for threads: each has an index of its own, and what it finds comes back to the thread that draws.

Nobody waits here. Work that nobody wants any more is not begun, and what it found is not delivered.
"""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kebab.core.errors import KebabError
from kebab.ui.serving.lanes import Lane
from kebab.ui.tui.workers import Pace

if TYPE_CHECKING:
    from kebab.app.facade import App

Found = TypeVar("Found")
Deliver = Callable[[Callable[[], None]], None]
Failed = Callable[[KebabError], None]
# Faster than this nobody can read.
_BETWEEN_SECONDS = 0.05


class Turn:
    """Which of several requests for the same place on the screen is the last one."""

    def __init__(self) -> None:
        self._latest = 0

    def next(self) -> Callable[[], bool]:
        """Makes every earlier request stale; tells whether this one still is not."""
        self._latest += 1
        number = self._latest
        return lambda: number == self._latest

    def drop(self) -> None:
        self._latest += 1


class Desk:
    def __init__(self, lane: Callable[[Pace], Lane], deliver: Deliver) -> None:
        """`deliver` calls a function on the thread that draws, or drops it when nothing is drawn any more."""
        self._lane = lane
        self._deliver = deliver
        self._cancels: list[threading.Event] = []

    def cancellation(self) -> threading.Event:
        """Stops one piece of work when it is set; `stop` sets it too."""
        self._cancels = [each for each in self._cancels if not each.is_set()]
        self._cancels.append(threading.Event())
        return self._cancels[-1]

    def stop(self) -> None:
        """Asks what still runs to end in good order."""
        for cancel in self._cancels:
            cancel.set()

    def run(
        self,
        pace: Pace,
        work: "Callable[[App], Found]",
        done: Callable[[Found], None],
        failed: Failed,
        wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        def job(index: "Callable[[], App]") -> None:
            if wanted():
                self._hand_over(attempt(lambda: work(index()), done, failed), wanted)

        self._lane(pace).submit(job)

    def follow(
        self,
        pace: Pace,
        start: "Callable[[App], Iterator[Found]]",
        each: Callable[[Found], None],
        failed: Failed,
        fleeting: Callable[[Found], bool] = lambda _: False,
    ) -> None:
        """Every event as it comes; a `fleeting` one is left out when another was shown just before."""

        def job(index: "Callable[[], App]") -> None:
            def work() -> None:
                shown = 0.0
                for event in start(index()):
                    now = time.monotonic()
                    if not fleeting(event):
                        self._deliver(partial(each, event))
                    elif now - shown >= _BETWEEN_SECONDS:
                        shown = now
                        self._deliver(partial(each, event))

            self._hand_over(attempt(work, lambda _: None, failed), lambda: True)

        self._lane(pace).submit(job)

    def _hand_over(self, result: Callable[[], None], wanted: Callable[[], bool]) -> None:
        self._deliver(lambda: result() if wanted() else None)


def attempt(work: Callable[[], Found], done: Callable[[Found], None], failed: Failed) -> Callable[[], None]:
    """What is to be called with the outcome. Nothing that goes wrong in a thread is lost or ends the app."""
    try:
        found = work()
    except KebabError as error:
        return partial(failed, error)
    except Exception as error:  # noqa: BLE001 - shown like every other failure
        fault = KebabError(f"{type(error).__name__}: {error}", hint="this is a fault in kebab")
        return partial(failed, fault)
    return partial(done, found)
