"""What `kebab serve` and `kebab web` share: a listener, a watch beside it if wanted, and an end in good order."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kebab.core.errors import InvalidInput
from kebab.ui.cli.interrupt import stop_on_signals
from kebab.ui.cli.session import Session

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from kebab.app.watch import WatchEvent
    from kebab.ui.web.live import Live
    from kebab.ui.web.server import Served

_LAST_WAIT = 5.0


def refuse_contradiction(session: Session, *, allow_ingest: bool) -> None:
    if allow_ingest and session.readonly:
        raise InvalidInput("--allow-ingest writes, and --readonly was given", hint="leave one of them out")


def serve_until_stopped(
    session: Session, served: "Served", bound: "socket.socket", begun: "Callable[[], None]"
) -> None:
    """Calls `begun` when requests are taken in. Closes the state."""
    from kebab.ui.web.server import serve

    with stop_on_signals() as stop, _watch(session, served, stop):
        begun()
        try:
            serve(served, bound, stop)
        finally:
            served.state.close()


@contextmanager
def _watch(session: Session, served: "Served", stop: threading.Event) -> Iterator[None]:
    """Beside the server, in a thread and with an index of its own."""
    live = served.live
    if not live.watching:
        yield
        return
    from kebab.app.facade import App

    app = App(served.state.config, readonly=session.readonly)
    events = app.watch(stop)

    def run() -> None:
        for event in events:
            _tell(session, live, event)

    thread = threading.Thread(target=run, name="watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_LAST_WAIT)
        app.close()


def _tell(session: Session, live: "Live", event: "WatchEvent") -> None:
    from kebab.app.watch import Noted
    from kebab.ui.cli.watch import is_worth_telling, lines, show

    show(session, event)
    if isinstance(event, Noted):
        live.tell(event.text)
    elif is_worth_telling(event):
        live.tell(lines(event)[0])
