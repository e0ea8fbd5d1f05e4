"""`kebab watch`: files change, and soon after the index says the same as if everything were ingested anew.

What was told of is ingested at once, part by part. Notifications can be lost, and links show a file at two places, so
that everything is looked at again once it has become quiet, at the start, and when a watched folder was replaced.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kebab.app.asides import Told
from kebab.app.scope import ScopeRequest
from kebab.app.watch_parts import FLOOD, Ground, ground_of, is_ours, scope_of
from kebab.core.errors import IndexLocked, KebabError
from kebab.core.events import AssetStarted, EmbedBatchFinished, IngestEvent, IngestFinished, IngestReport
from kebab.source.changes import CannotNotify, Paths, identity, is_remote, notified, polled

if TYPE_CHECKING:
    from kebab.app.facade import App

# Seconds without a change after which everything is looked at again, and seconds after which it is in any case.
SETTLED = 30.0
AT_LEAST = 600.0
_LOCK_SECONDS = 0.5
_LOOK_AGAIN = 5.0
# Seconds between two words on how far a run is.
_WORD_EVERY = 0.5


class Ingested(NamedTuple):
    """A run is over. `told` counts the changed paths it was for; 0 for a look at everything."""

    report: IngestReport
    told: int


class Noted(NamedTuple):
    """Something a person may want to know."""

    text: str


class Working(NamedTuple):
    """How far a run is that takes a while; `path` is empty while vectors are made."""

    done: int
    total: int
    path: str


WatchEvent: TypeAlias = Ingested | Noted | Working


def watch(app: "App", stop: threading.Event, *, poll: bool = False) -> Iterator[WatchEvent]:
    """Ends when `stop` is set, after the file at hand."""
    return _Watch(app, stop, poll=poll).events()


class _Run(threading.Event):
    """Set to end one run, as whoever cancels its job does; set as well once the whole watch is to end."""

    def __init__(self, watch: threading.Event) -> None:
        super().__init__()
        self._watch = watch

    def is_set(self) -> bool:
        return super().is_set() or self._watch.is_set()


class _Watch:
    def __init__(self, app: "App", stop: threading.Event, *, poll: bool) -> None:
        self._app = app
        self._stop = stop
        self._poll = poll
        self._changed_at: float | None = None
        self._looked_at = 0.0
        self._spoke_at = time.monotonic()
        self._told = Told()

    def events(self) -> Iterator[WatchEvent]:
        ground: Ground | None = self._ground()
        while not self._stop.is_set():
            try:
                yield from self._follow(ground or self._ground())
            except CannotNotify as error:
                self._poll = True
                yield Noted(f"the system does not tell of changes ({error}); looking every few seconds instead")
            except KebabError as error:
                yield Noted(f"{error.message}; trying again")
                self._stop.wait(_LOOK_AGAIN)
            ground = None

    def _ground(self) -> Ground:
        from kebab.app.writing import known_sources

        sources = [source for source in known_sources(self._app.config) if identity(source.root) is not None]
        if not sources:
            # An ingest says which folder is missing, and why that matters.
            list(self._app.ingest(ScopeRequest(), dry_run=True))
        return ground_of(self._app.config, sources)

    def _follow(self, ground: Ground) -> Iterator[WatchEvent]:
        """Until a folder is another one than before, or there are other folders."""
        watched = {root: identity(root) for root in ground.roots}
        batches = self._batches(ground)
        first = next(batches, frozenset())
        yield Noted(f"watching {', '.join(str(root) for root in watched)}")
        yield from self._everything()
        yield from self._batch(first, ground)
        for batch in batches:
            if self._stop.is_set():
                return
            if {root: identity(root) for root in watched} != watched:
                # A moment, for what replaces a folder to be complete.
                self._stop.wait(_LOCK_SECONDS)
                return
            yield from self._batch(batch, ground)
            if self._is_due():
                yield from self._everything()
                if self._ground() != ground:
                    return

    def _batches(self, ground: Ground) -> Iterator[Paths]:
        roots = ground.roots
        if self._poll or any(is_remote(root) for root in roots):
            return polled(roots, self._stop)
        return notified(roots, self._stop)

    def _batch(self, paths: Paths, ground: Ground) -> Iterator[WatchEvent]:
        theirs = [path for path in paths if not is_ours(path, self._app.config, ground)]
        if len(theirs) > FLOOD:
            yield from self._everything(len(theirs))
        elif (scope := scope_of(theirs, ground)) is not None:
            from kebab.app.writing import ingest_scope

            self._changed_at = time.monotonic()
            yield from self._run(lambda: ingest_scope(self._app, scope, _Run(self._stop)), len(theirs))

    def _everything(self, told: int = 0) -> Iterator[WatchEvent]:
        self._changed_at, self._looked_at = None, time.monotonic()
        yield from self._run(lambda: self._app.ingest(ScopeRequest(), cancel=_Run(self._stop)), told)

    def _is_worth_a_word(self) -> bool:
        now = time.monotonic()
        if now - self._spoke_at < _WORD_EVERY:
            return False
        self._spoke_at = now
        return True

    def _is_due(self) -> bool:
        now = time.monotonic()
        settled = self._changed_at is not None and now - self._changed_at > SETTLED
        return settled or now - self._looked_at > AT_LEAST

    def _run(self, begin: Callable[[], Iterator[IngestEvent]], told: int) -> Iterator[WatchEvent]:
        """One ingest, once nobody else writes. What fails is looked at again later."""
        waited = False
        while not self._stop.is_set():
            try:
                for event in begin():
                    if isinstance(event, IngestFinished):
                        yield Ingested(self._told.once(event.report), told)
                    elif (working := _working(event)) is not None and self._is_worth_a_word():
                        yield working
                return
            except IndexLocked as error:
                if not waited:
                    yield Noted(f"{error.message}; waiting for it")
                waited = True
                self._stop.wait(_LOCK_SECONDS)
            except KebabError as error:
                self._changed_at = time.monotonic()
                yield Noted(f"{error.message}; trying again later")
                return


def _working(event: IngestEvent) -> Working | None:
    if isinstance(event, AssetStarted):
        return Working(event.idx, event.total, event.path)
    return Working(event.done, event.total, "") if isinstance(event, EmbedBatchFinished) else None
