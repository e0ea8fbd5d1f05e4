"""What all clients of one server share: the configuration, what is allowed, and the lanes in which calls run."""

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from kebab.config import Config
from kebab.core.errors import KebabError
from kebab.ui.mcp.lanes import Lane

if TYPE_CHECKING:
    from kebab.app.facade import App

_PATIENCE_SECONDS = 2.0
_LONG_CALLS = 3
# Some ten searches make so many objects that refer to each other.
_GC_THRESHOLDS = (10_000, 10, 10)


class Pace(StrEnum):
    """How long a call takes: a glance, a while, or as long as it has to, alone."""

    QUICK = "quick"
    LONG = "long"
    WRITE = "write"


class ServerState:
    """One per process. `close` ends its threads."""

    def __init__(self, config: Config, *, readonly: bool = False, allow_ingest: bool = False) -> None:
        self.config = config
        self.readonly = readonly
        self.allow_ingest = allow_ingest
        workers = {Pace.QUICK: 1, Pace.LONG: _LONG_CALLS, Pace.WRITE: 1}
        self._lanes = {pace: Lane(str(pace), self._open, count) for pace, count in workers.items()}

    def lane(self, pace: Pace) -> Lane:
        return self._lanes[pace]

    def warm_up(self) -> None:
        """Loads what the first search would wait for, behind whatever is asked meanwhile."""
        self.lane(Pace.QUICK).submit(_warm)

    def close(self) -> None:
        """Lets what is at hand end, if it does so soon."""
        until = time.monotonic() + _PATIENCE_SECONDS
        for thread in [thread for lane in self._lanes.values() for thread in lane.stop()]:
            thread.join(max(0.0, until - time.monotonic()))

    def _open(self) -> "App":
        from kebab.app.facade import App

        return App(self.config, readonly=self.readonly)


def _warm(index: "Callable[[], App]") -> None:
    # Whoever asks first is told what is wrong.
    with suppress(KebabError, OSError):
        index().warm_up()
    _keep_tidy()


def _keep_tidy() -> None:
    """A command leaves its garbage to its end; a server must not, and need not look at what it was started with."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
