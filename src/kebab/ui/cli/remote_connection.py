"""The way to a running `kebab serve`: requests out, wire objects in. By the standard library, which starts fast."""

import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from kebab.core.errors import Canceled, InvalidInput, KebabError, ServerUnreachable
from kebab.wire.error import decode_error

_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 600.0
_LOOK_SECONDS = 0.1
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_STREAM = "text/event-stream"

Given = Mapping[str, Any]


def parsed(url: str) -> SplitResult:
    """Raises InvalidInput."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        usable = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput(f"--server: {url} is not an address", hint="such as http://127.0.0.1:7787")
    return parts


def is_this_machine(parts: SplitResult) -> bool:
    return parts.hostname in (*_LOOPBACK, socket.gethostname().lower())


class Connection:
    """One at a time, kept open between requests."""

    def __init__(self, parts: SplitResult, token: str | None) -> None:
        self._parts = parts
        self._headers = {"accept": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
        self._open: HTTPConnection | None = None
        self._socket: socket.socket | None = None

    @property
    def url(self) -> str:
        return self._parts.geturl().rstrip("/")

    def close(self) -> None:
        if self._socket is not None:
            # An answer that is still being read holds the socket open; the other side is to know at once.
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        if self._open is not None:
            self._open.close()
        self._open = self._socket = None

    def get(self, path: str, words: list[tuple[str, str]]) -> Given:
        return self._object(self._send("GET", f"{path}?{urlencode(words)}" if words else path))

    def post(self, path: str, value: Given) -> Given:
        return self._object(self._send("POST", path, value))

    def events(self, path: str, value: Given, cancel: threading.Event | None) -> Iterator[Given]:
        """Server-sent events as they come. Setting `cancel` hangs up, which stops the work there."""
        response = self._send("POST", path, value, accept=_STREAM)
        if response.status != 200:
            self._object(response)
        lines: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()
        threading.Thread(target=_read_lines, args=(response, lines), daemon=True).start()
        kind = ""
        while line := self._next(lines, cancel):
            name, _, text = line.decode().rstrip("\r\n").partition(": ")
            if name == "event":
                kind = text
            elif name == "data":
                event = json.loads(text)
                if kind == "error":
                    raise self._refusal(response.status, event)
                yield event
        self.close()
        if kind != "final":
            raise self._unreachable(EOFError("the answer ended in the middle"))

    def _next(self, lines: "queue.SimpleQueue[bytes | Exception]", cancel: threading.Event | None) -> bytes:
        while True:
            try:
                line = lines.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                if cancel is not None and cancel.is_set():
                    self.close()
                    raise Canceled("interrupted") from None
                continue
            if isinstance(line, Exception):
                raise self._unreachable(line) from line
            return line

    def _send(self, method: str, path: str, value: Given | None = None, accept: str | None = None) -> HTTPResponse:
        body = None if value is None else json.dumps(value).encode()
        headers = self._headers | ({"content-type": "application/json"} if body is not None else {})
        if accept is not None:
            headers["accept"] = accept
        reused = self._open is not None
        try:
            return self._once(lambda to: to.request(method, f"{self._parts.path.rstrip('/')}{path}", body, headers))
        except (OSError, HTTPException) as error:
            self.close()
            # A connection that was kept may have been closed there meanwhile; a fresh one tells.
            if reused:
                return self._send(method, path, value, accept)
            raise self._unreachable(error) from error

    def _once(self, ask: Callable[[HTTPConnection], None]) -> HTTPResponse:
        if self._open is None:
            kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
            self._open = kind(str(self._parts.hostname), self._parts.port, timeout=_CONNECT_SECONDS)
            self._open.connect()
            self._socket = self._open.sock
            self._socket.settimeout(_ANSWER_SECONDS)
        ask(self._open)
        return self._open.getresponse()

    def _object(self, response: HTTPResponse) -> Given:
        """Raises what the server says went wrong."""
        try:
            value = json.loads(response.read())
        except (ValueError, RecursionError) as error:
            raise self._stranger() from error
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error
        if not isinstance(value, dict) or "schema_version" not in value:
            raise self._stranger()
        if response.status != 200:
            raise self._refusal(response.status, value)
        return value

    def _refusal(self, status: int, value: Given) -> KebabError:
        if status == 401:
            return ServerUnreachable(
                f"{self.url} wants a token", hint="set KEBAB_SERVER_TOKEN to what `kebab serve --new-token` printed"
            )
        try:
            return decode_error(value)
        except (KeyError, TypeError):
            return self._stranger()

    def _stranger(self) -> KebabError:
        return ServerUnreachable(f"{self.url} does not answer as kebab does", hint="check --server and KEBAB_SERVER")

    def _unreachable(self, error: Exception) -> KebabError:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return ServerUnreachable(
            f"no kebab answers at {self.url}: {why}", hint="start it with `kebab serve`", url=self.url
        )


def _read_lines(response: HTTPResponse, lines: "queue.SimpleQueue[bytes | Exception]") -> None:
    try:
        while line := response.readline():
            lines.put(line)
        lines.put(b"")
    except (OSError, ValueError, AttributeError, HTTPException) as error:
        # Closed under our hands, or cut.
        lines.put(error)
