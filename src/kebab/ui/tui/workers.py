"""The threads of the app by the pace of their work, each with an index of its own and one model in memory for all."""

import threading
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from kebab.ui.serving.lanes import Lane

if TYPE_CHECKING:
    from kebab.app.facade import App
    from kebab.app.vector_side import VectorSide
    from kebab.config import Config

_PATIENCE_SECONDS = 5.0


class Pace(StrEnum):
    """How long work takes: a glance, a while, or as long as it has to."""

    QUICK = "quick"
    LONG = "long"
    WRITE = "write"


class Workers:
    """One thread for each pace, started when there is work for it. `close` ends them."""

    def __init__(self, open_app: "Callable[[Pace], App]") -> None:
        self._lanes = {pace: Lane(f"tui-{pace}", partial(open_app, pace)) for pace in Pace}

    def lane(self, pace: Pace) -> Lane:
        return self._lanes[pace]

    def close(self) -> bool:
        """Lets what is at hand end; False when it does not do so soon."""
        until = time.monotonic() + _PATIENCE_SECONDS
        threads = [thread for lane in self._lanes.values() for thread in lane.stop()]
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)


def opener(config: "Config", *, readonly: bool) -> "Callable[[Pace], App]":
    """Apps that share what is large: only one that writes has a model of its own, because it uses it for long."""
    guard = threading.Lock()
    shared: list[VectorSide] = []

    def open_app(pace: Pace) -> "App":
        from kebab.app.facade import App

        if pace is Pace.WRITE:
            return App(config, readonly=readonly)
        with guard:
            app = App(config, readonly=readonly, vectors=shared[0] if shared else None, sparing=True)
            shared[:] = [app.vectors]
        return app

    return open_app
