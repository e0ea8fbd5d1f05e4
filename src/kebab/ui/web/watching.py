"""The watch beside the server, switched on and off while it runs: at most one, in a thread with an index of its own.

What it does is told to `Live`, and so to every tab. Switched off, it ends after the file at hand; switched on again
before that, it begins anew afterwards.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from kebab.core.errors import KebabError
from kebab.ui.serving.state import ServerState
from kebab.ui.serving.watch_words import news
from kebab.ui.web.live import Live
from kebab.wire.facets import encode_watch
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.watch import WatchEvent

Heard: TypeAlias = "Callable[[WatchEvent], None]"
# How long whoever switches it on waits to hear whether it could begin; a large folder takes longer, and is no failure.
_FIRST_WAIT = 2.0
_LAST_WAIT = 5.0


class _Run:
    """From on to off. `known` is set once it is clear whether it could begin. Raises ReadonlyMode."""

    def __init__(self, state: ServerState) -> None:
        from kebab.app.facade import App

        self.stop = threading.Event()
        self.known = threading.Event()
        self.failure: Exception | None = None
        self.app = App(state.config, readonly=state.readonly)
        self.events = self.app.watch(self.stop)


class Watch:
    """`heard` is called with every event, in the thread of the watch."""

    def __init__(self, state: ServerState, live: Live, heard: Heard = lambda _event: None) -> None:
        self.live = live
        self._state = state
        self._heard = heard
        self._text = ""
        self._passing = False
        self._guard = threading.RLock()
        self._run: _Run | None = None
        self._thread: threading.Thread | None = None

    def begin(self) -> _Run:
        """The run that is under way, or a new one. Waits for nothing."""
        with self._guard:
            if self._run is None or self._run.stop.is_set():
                self._run = _Run(self._state)
                self._say("", watching=True)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
                self._thread.start()
            return self._run

    def switch(self, *, on: bool) -> Json:
        """How it stands afterwards. Raises why it cannot begin, where that is clear soon."""
        if on:
            run = self.begin()
            run.known.wait(_FIRST_WAIT)
            if run.failure is not None:
                raise run.failure
        else:
            self.off()
        return self.state()

    def off(self) -> None:
        with self._guard:
            if self._run is not None and not self._run.stop.is_set():
                self._run.stop.set()
                self._say("", watching=False)

    def close(self) -> None:
        """Off, and over if that is soon."""
        thread = self._thread
        self.off()
        if thread is not None:
            thread.join(_LAST_WAIT)

    def state(self) -> Json:
        hint = None if self._state.allow_ingest else "start it with --allow-ingest"
        return encode_watch(watching=self.live.watching, hint=hint, text=self._text or None)

    def _say(self, text: str, *, watching: bool) -> None:
        self._text = text
        self.live.watching = watching
        self.live.tell(text)

    def _work(self) -> None:
        done: _Run | None = None
        while (run := self._after(done)) is not None:
            self._follow(run)
            done = run

    def _after(self, done: _Run | None) -> _Run | None:
        """The run that was begun while another one ended; without one the thread is over."""
        with self._guard:
            if self._run is done:
                self._run = self._thread = None
            return self._run

    def _follow(self, run: _Run) -> None:
        try:
            for event in run.events:
                self._tell(run, event)
                run.known.set()
        except Exception as error:  # noqa: BLE001 - the last door of this thread: whatever it is, it is told
            run.failure = error
            self._fail(run, _reason(error))
        finally:
            run.known.set()
            run.app.close()

    def _tell(self, run: _Run, event: "WatchEvent") -> None:
        from kebab.app.watch import Working

        self._heard(event)
        text = news(event)
        with self._guard:
            if text is None and self._passing:
                # Where a run is that is over by now.
                text = ""
            # What is left to do after it was switched off is no news: nobody watches any more.
            if text is not None and not run.stop.is_set():
                self._passing = isinstance(event, Working)
                self._say(text, watching=True)

    def _fail(self, run: _Run, why: str) -> None:
        from kebab.app.watch import Noted

        with self._guard:
            if not run.stop.is_set():
                run.stop.set()
                self._say(why, watching=False)
        with suppress(OSError):  # nobody reads what is printed; that may be why it failed
            self._heard(Noted(f"no longer watching: {why}"))


def _reason(error: Exception) -> str:
    if not isinstance(error, KebabError):
        return f"{type(error).__name__}: {error}"
    return f"{error.message}; {error.hint}" if error.hint else error.message
