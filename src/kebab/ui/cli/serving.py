"""What `kebab serve` and `kebab web` share: a listener, a watch beside it if wanted, and an end in good order."""

from functools import partial
from typing import TYPE_CHECKING

from kebab.core.errors import InvalidInput
from kebab.ui.cli.interrupt import stop_on_signals
from kebab.ui.cli.session import Session

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from kebab.ui.web.server import Served


def refuse_contradiction(session: Session, *, allow_ingest: bool) -> None:
    if allow_ingest and session.readonly:
        raise InvalidInput("--allow-ingest writes, and --readonly was given", hint="leave one of them out")


def serve_until_stopped(
    session: Session, served: "Served", bound: "socket.socket", begun: "Callable[[], None]"
) -> None:
    """Calls `begun` when requests are taken in. Closes the state."""
    from kebab.ui.cli.watch import show
    from kebab.ui.web.server import serve
    from kebab.ui.web.watching import Watch

    watch = Watch(served.state, served.live, partial(show, session))
    with stop_on_signals() as stop:
        if served.live.watching:
            watch.begin()
        begun()
        try:
            serve(served, watch, bound, stop)
        finally:
            served.state.close()
