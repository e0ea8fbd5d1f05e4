"""The door of the server: who may ask, how much at once, how long a request may take to arrive. ASGI in, ASGI out.

A page in a browser can send requests to this machine, and make a name of its own point at it. So the `Host` must be one
of ours, an `Origin` the same as the host, and a body JSON, which no page can send elsewhere without being asked first.
What a browser says of the site a request comes from is believed too: a cookie goes to every port of this machine.
"""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from kebab.app.tokens import is_token
from kebab.ui.serving.replies import refuse
from kebab.ui.serving.sessions import Sessions, session_of

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Asgi: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

# A sign of life, and the page, which holds no data and can be opened from anywhere.
OPEN_PATHS = ("/healthz", "/", "/enter")
OPEN_FOLDER = "/page/"
# Whoever has no token yet has only that to send.
_OPEN_BODY = 4096
_OWN_SITES = ("same-origin", "none")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_WRITERS = ("POST", "PUT", "PATCH")
_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Limits(NamedTuple):
    """Bytes of a body, requests at once, and seconds for a body to arrive."""

    body: int = 8 * 1024 * 1024
    requests: int = 64
    read_seconds: float = 15.0


class Policy(NamedTuple):
    """`host` is the address listened on. `token` is needed for all but OPEN_PATHS, unless it is None.

    A browser may have a session instead; without `sessions` none can.
    """

    host: str
    token: str | None = None
    limits: Limits = Limits()
    sessions: Sessions | None = None

    def knows(self, name: str) -> bool:
        """Whether a request may be for a host of this name, in small letters."""
        if name in _LOOPBACK or name == self.host.lower():
            return True
        # On every address of the machine there is a token, and a page that has a name of its own has none.
        return self.host in ("0.0.0.0", "::") and (_is_address(name) or self.token is not None)  # noqa: S104


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDER)


def is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


class Guard:
    def __init__(self, app: Asgi, policy: Policy) -> None:
        self._app = app
        self._policy = policy
        self._running = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        sending = _sending(send)
        refusal = self._refusal(scope)
        if refusal is not None:
            await refuse(sending, *refusal)
            return
        # What is open to everybody is little, and must not use up what those who may ask share.
        counted = int(not _is_open(scope["path"]))
        self._running += counted
        try:
            await self._admitted(scope, receive, sending)
        finally:
            self._running -= counted

    def _refusal(self, scope: Message) -> tuple[int, str] | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = _host(headers.get("host", ""))
        if host is None or not self._policy.knows(host[0]):
            return 421, "this host is not served here"
        if "origin" in headers and _origin(headers["origin"]) != host:
            return 403, "requests from other sites are refused"
        if not _is_open(scope["path"]) and headers.get("sec-fetch-site", "none") not in _OWN_SITES:
            return 403, "requests from other sites are refused"
        if not self._may_ask(scope, headers):
            return 401, "a bearer token or a session of the page is needed"
        if scope["method"] in _WRITERS and _media(headers) != "application/json":
            return 415, "a request must be application/json"
        length, most = headers.get("content-length", "0"), self._most(scope)
        if not length.isdigit() or int(length) > most:
            return 413, f"a request may have at most {most} bytes"
        if self._running >= self._policy.limits.requests and not _is_open(scope["path"]):
            return 503, "too many requests at once"
        return None

    def _most(self, scope: Message) -> int:
        return min(self._policy.limits.body, _OPEN_BODY) if _is_open(scope["path"]) else self._policy.limits.body

    def _may_ask(self, scope: Message, headers: dict[str, str]) -> bool:
        policy = self._policy
        if policy.token is None or _is_open(scope["path"]):
            return True
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and is_token(token.strip(), policy.token):
            return True
        secret = session_of(headers.get("cookie", ""), (scope.get("server") or ("", 0))[1] or 0)
        return secret is not None and policy.sessions is not None and policy.sessions.knows(secret)

    async def _admitted(self, scope: Message, receive: Receive, send: Send) -> None:
        """With all of the body there, so that no slow client can hold what serves it."""
        most = self._most(scope)
        try:
            async with asyncio.timeout(self._policy.limits.read_seconds):
                body = await _body(receive, most)
        except TimeoutError:
            await refuse(send, 408, "the request took too long to arrive")
            return
        if body is None:
            await refuse(send, 413, f"a request may have at most {most} bytes")
            return
        await self._app(scope, _replayed(body, receive), send)


async def _body(receive: Receive, most: int) -> list[Message] | None:
    """The messages of a request; None when it is too large."""
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > most:
            return None
        if message["type"] != "http.request" or not message.get("more_body"):
            return messages


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def replay() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return replay


def _sending(send: Send) -> Send:
    """With the headers every answer has."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            own = [header for header in _HEADERS if header[0] not in given]
            message = {**message, "headers": [*message.get("headers", ()), *own]}
        await send(message)

    return sending


def _host(header: str) -> tuple[str, int | None] | None:
    """Name and port."""
    try:
        parts = urlsplit(f"//{header}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    return None if not name or parts.netloc != header or "@" in header else (name, port)


def _origin(header: str) -> tuple[str, int | None] | None:
    scheme, separator, host = header.partition("://")
    return _host(host) if separator and scheme in ("http", "https") else None


def _media(headers: dict[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
