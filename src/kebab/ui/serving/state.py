"""What all clients of one server share: the configuration, what is allowed, and the lanes in which calls run."""

import gc
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from kebab.config import Config
from kebab.core.errors import KebabError
from kebab.ui.serving.lanes import Lane

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.app.vector_side import VectorSide

_PATIENCE_SECONDS = 2.0
_LONG_CALLS = 3
# SQLite and numpy let others run meanwhile: two searches at once take two thirds of the time they take in turn.
_QUICK_CALLS = 2
_LOOKS = 2
# Some ten searches make so many objects that refer to each other.
_GC_THRESHOLDS = (10_000, 10, 10)


class Pace(StrEnum):
    """How long a call takes: a glance, a look at a document, a while, or as long as it has to, alone.

    A switch is not about the index at all; it waits for no call that is.
    """

    QUICK = "quick"
    LOOK = "look"
    LONG = "long"
    WRITE = "write"
    SWITCH = "switch"


class ServerState:
    """One per process. `close` ends its threads."""

    def __init__(self, config: Config, *, readonly: bool = False, allow_ingest: bool = False) -> None:
        self.config = config
        self.readonly = readonly
        self.allow_ingest = allow_ingest
        self._vectors: VectorSide | None = None
        self._sharing = threading.Lock()
        workers = {
            Pace.QUICK: min(_QUICK_CALLS, os.cpu_count() or 1),
            Pace.LOOK: _LOOKS,
            Pace.LONG: _LONG_CALLS,
            Pace.WRITE: 1,
            Pace.SWITCH: 1,
        }
        # What writes embeds in large batches, for which a search must not wait: it has a model of its own.
        ways = {Pace.WRITE: self._open}
        self._lanes = {
            pace: Lane(str(pace), ways.get(pace, self._open_shared), count) for pace, count in workers.items()
        }

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

    def _open_shared(self) -> "App":
        """With a connection of its own, and one model in memory for all."""
        from kebab.app.facade import App

        with self._sharing:
            app = App(self.config, readonly=self.readonly, vectors=self._vectors)
            self._vectors = app.vectors
        return app


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
