"""The listener: a socket, uvicorn on it, and an end in good order when a signal comes."""

import asyncio
import importlib.util
import logging
import socket
import threading
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.errors import InvalidInput, IoFailure, MissingExtra
from kebab.ui.serving.guard import Policy, is_loopback
from kebab.ui.serving.state import ServerState

if TYPE_CHECKING:
    import uvicorn

    from kebab.ui.web.application import Agents
    from kebab.ui.web.live import Live
    from kebab.ui.web.watching import Watch

GRACE_SECONDS = 5
_MOST_CONNECTIONS = 512
_LOOK_SECONDS = 0.2
_PACKAGES = ("uvicorn", "starlette", "mcp")


class Served(NamedTuple):
    """What is served, to whom, and where it tells its news."""

    state: ServerState
    policy: Policy
    agents: "Agents"
    live: "Live"


def refuse_missing_extra() -> None:
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingExtra(f"the server needs {', '.join(missing)}", hint="pip install 'kebab[web]'", packages=missing)


def listener(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises InvalidInput for no host, IoFailure for a port that is taken."""
    try:
        family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        raise InvalidInput(f"--host: {host} is no address of this machine", hint="use 127.0.0.1") from error
    if is_loopback(host) and not is_loopback(str(place[0])):
        raise InvalidInput(f"--host: {host} is {place[0]} here, which is not this machine alone", hint="use 127.0.0.1")
    try:
        bound = socket.create_server(place[:2], family=family, backlog=128)
        # Without it an answer of two packets waits for the client's word on the first.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return bound
    except OSError as error:
        # Python adds the address to what the system says, as it writes it itself.
        why = str(error.strerror).partition(" (while")[0]
        raise IoFailure(f"cannot listen on {host}:{port}: {why}", hint="choose another --port", op="listen") from error


def url_of(host: str, bound: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{bound.getsockname()[1]}"


def serve(served: "Served", watch: "Watch", bound: socket.socket, stop: threading.Event) -> None:
    """Until SIGINT, SIGTERM or `stop`. Whoever handles signals is told of them again once everything has ended."""
    # What uvicorn and the SDK log is about single requests, and none of it is ours to print.
    logging.getLogger().addHandler(logging.NullHandler())
    server = make_server(served.state, served.policy, served.agents, watch)
    asyncio.run(_until(stop, server, bound, watch))


async def _until(stop: threading.Event, server: "uvicorn.Server", bound: socket.socket, watch: "Watch") -> None:
    served = asyncio.ensure_future(server.serve([bound]))
    while not served.done():
        # A signal that came before uvicorn listened for them was told to `stop` alone.
        server.should_exit = server.should_exit or stop.is_set()
        if server.should_exit:
            watch.live.end()
            watch.off()
        await asyncio.wait({served}, timeout=_LOOK_SECONDS)
    await served


def make_server(state: ServerState, policy: Policy, agents: "Agents", watch: "Watch | None" = None) -> "uvicorn.Server":
    import uvicorn

    from kebab.ui.serving.protocol import HEAD_BYTES, PatientProtocol
    from kebab.ui.web.application import make_app

    config = uvicorn.Config(
        make_app(state, policy, agents, watch),
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )
    return uvicorn.Server(config)
