"""`/v1/live`: news of the index as a stream: another revision, what a watch did, and a sign of life now and then.

Revisions are looked at once a second while somebody listens; another process may be the one that writes.
"""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from kebab.core.errors import KebabError
from kebab.ui.serving.calls import performed
from kebab.ui.serving.lanes import Lane
from kebab.ui.web.streams import line
from kebab.wire.facets import encode_live
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.app.facade import App

_LOOK_SECONDS = 1.0
_PING_SECONDS = 15.0
_MOST_WAITING = 100

_News: TypeAlias = "asyncio.Queue[str | None]"


class Live:
    """Where a watch tells what it did, from its own thread, and where streams hear of it."""

    def __init__(self, *, watching: bool = False) -> None:
        self.watching = watching
        self._guard = threading.Lock()
        self._listeners: dict[_News, asyncio.AbstractEventLoop] = {}
        self._over = False

    def tell(self, text: str) -> None:
        """Without a text, only whether somebody watches."""
        self._pass_on(text)

    def end(self) -> None:
        """Streams without end would hold back the end of the server."""
        self._over = True
        self._pass_on(None)

    def _pass_on(self, news: str | None) -> None:
        with self._guard:
            for queue, loop in self._listeners.items():
                with suppress(RuntimeError):  # the loop is gone, and whoever listened with it
                    loop.call_soon_threadsafe(_put, queue, news)

    async def events(self, lane: Lane) -> AsyncGenerator[str, None]:
        """Until the end of the server; begins with the revision of now."""
        queue: _News = asyncio.Queue(_MOST_WAITING)
        with self._guard:
            self._listeners[queue] = asyncio.get_running_loop()
        try:
            known, told = -1, time.monotonic()
            while not self._over:
                revision = await _revision(lane)
                if revision != known:
                    known, told = revision, time.monotonic()
                    yield self._line("revision", known)
                elif time.monotonic() - told > _PING_SECONDS:
                    told = time.monotonic()
                    yield self._line("ping", known)
                if (text := await _within(queue, _LOOK_SECONDS)) is not None:
                    yield self._line("watch", known, text)
        finally:
            with self._guard:
                del self._listeners[queue]

    def _line(self, kind: str, revision: int, text: str | None = None) -> str:
        return line("live", encode_live(kind, revision, watching=self.watching, text=text or None))


def _put(queue: _News, news: str | None) -> None:
    if not queue.full():
        queue.put_nowait(news)


async def _within(queue: _News, seconds: float) -> str | None:
    try:
        async with asyncio.timeout(seconds):
            return await queue.get()
    except TimeoutError:
        return None


async def _revision(lane: Lane) -> int:
    def work(app: "App", _cancel: object, _tell: object) -> Json:
        return {"revision": app.corpus_revision()}

    try:
        revision = (await performed(lane, work))["revision"]
    except KebabError:
        # An index that cannot be read is as good as none here; whoever asks it something is told why.
        return 0
    assert isinstance(revision, int)
    return revision
