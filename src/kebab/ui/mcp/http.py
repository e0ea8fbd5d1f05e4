"""The server over streamable HTTP: an ASGI application to be mounted, and a listener on a loopback address."""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kebab.core.errors import InvalidInput, IoFailure
from kebab.ui.mcp.server import make_server
from kebab.ui.serving.state import ServerState

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import uvicorn

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PATH = "/mcp"
MAX_QUESTION = 4 * 1024 * 1024
# Where texts may be indexed, one that the command line takes fits.
MAX_TEXT = 64 * 1024 * 1024
MAX_SESSIONS = 256
# Every session may hold a stream open beside its call.
_MOST_REQUESTS = 2 * MAX_SESSIONS
BODY_SECONDS = 20.0
_GRACE_SECONDS = 2
# An agent thinks between its questions.
_IDLE_SECONDS = 75


class Address(NamedTuple):
    host: str
    port: int

    @property
    def names(self) -> tuple[str, ...]:
        """What a client on this machine may call it."""
        hosts = {"127.0.0.1", "localhost", "[::1]", f"[{self.host}]" if ":" in self.host else self.host}
        named = [f"{host}:{self.port}" for host in sorted(hosts)]
        return (*named, *(sorted(hosts) if self.port == socket.getservbyname("http") else ()))

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{PATH}"


class McpEndpoint:
    """An ASGI application that answers at whatever path it is mounted. It works only while `running`."""

    def __init__(self, state: ServerState, names: Sequence[str] | None) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        security = TransportSecuritySettings(
            enable_dns_rebinding_protection=names is not None,
            allowed_hosts=list(names or ()),
            allowed_origins=[f"http://{name}" for name in names or ()],
        )
        self._state = state
        self._manager = StreamableHTTPSessionManager(
            make_server(state),
            security_settings=security,
            max_request_body_size=MAX_TEXT if state.allow_ingest else MAX_QUESTION,
            max_sessions=MAX_SESSIONS,
        )

    @asynccontextmanager
    async def running(self) -> "AsyncIterator[None]":
        """Once, around the life of the application that mounts it."""
        async with self._manager.run():
            self._state.warm_up()
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def mcp_asgi(state: ServerState, names: Sequence[str] | None = None) -> McpEndpoint:
    """The endpoint. `names` are the hosts a request may be addressed to; None where whoever mounts it checks that."""
    return McpEndpoint(state, names)


def address_of(text: str) -> Address:
    """`HOST:PORT` of this machine alone. Raises InvalidInput."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise InvalidInput(f"--http wants HOST:PORT, not {text}", hint="for example 127.0.0.1:8765")
    if not _is_loopback(host):
        raise InvalidInput(
            f"{host} can be reached from other machines, and this server asks for no token",
            hint="listen on 127.0.0.1, or use `kebab serve`, which has tokens",
        )
    return Address(host, int(port))


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def serve_http(state: ServerState, address: Address, announce: Callable[[str], None]) -> None:
    """Listens until a signal comes, which ends it with KeyboardInterrupt. `announce` gets the URL once it is open."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        listener = socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        raise IoFailure(
            f"cannot listen on {address.host}:{address.port}: {error.strerror}", hint="name another port", op="listen"
        ) from error
    # asyncio does this only for sockets it made itself; without it every answer waits 40 ms for the client's next word.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    bound = Address(address.host, listener.getsockname()[1])
    server = make_listener(state, bound)
    # uvicorn stops in good order on either signal, and then raises it again for whoever was there before.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    announce(bound.url)
    asyncio.run(server.serve([listener]))


def make_listener(state: ServerState, bound: Address) -> "uvicorn.Server":
    """The same door and the same patience with slow clients as `kebab serve` has."""
    import uvicorn

    from kebab.ui.serving.guard import Guard, Limits, Policy
    from kebab.ui.serving.protocol import HEAD_BYTES, PatientProtocol

    body = MAX_TEXT if state.allow_ingest else MAX_QUESTION
    limits = Limits(body=body, requests=_MOST_REQUESTS, read_seconds=BODY_SECONDS)
    config = uvicorn.Config(
        Guard(_Application(mcp_asgi(state, bound.names)), Policy(bound.host, limits=limits)),
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=2 * _MOST_REQUESTS,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )
    return uvicorn.Server(config)


class _Application:
    """The endpoint at its path, nothing elsewhere, and its life bound to that of the listener."""

    def __init__(self, endpoint: McpEndpoint) -> None:
        self._endpoint = endpoint
        self._life: AbstractAsyncContextManager[None] = endpoint.running()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and scope["path"] == PATH:
            await self._endpoint(scope, receive, send)
        elif scope["type"] == "http":
            await _plain(send, 404, f"there is only {PATH}")

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._life:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


async def _plain(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
