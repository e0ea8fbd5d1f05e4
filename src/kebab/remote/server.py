"""A model server over HTTP: JSON out, JSON or lines in, with limits on time, size and attempts. Knows no API."""

import json
import threading
import time
import weakref
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from kebab.core.errors import KebabError
from kebab.remote import failures
from kebab.remote.address import Address, read_address
from kebab.remote.attempts import PAUSES_S, Passing, asked_wait, patiently
from kebab.remote.client import CONNECT_S, authorization, open_client, without_key
from kebab.remote.lines import LineTooLong, cut_lines

if TYPE_CHECKING:
    import httpx2

PROBE_S = 2.0
MAX_REPLY = 256 * 1024 * 1024
MAX_STREAM = 64 * 1024 * 1024
MAX_LINE = 1024 * 1024
# A reply that comes in lines may take this many times the longest silence within it.
TIMEOUTS_PER_STREAM = 4

_MAX_REFUSAL = 64 * 1024
# Compressed, lines would come in lumps.
_AS_LINES = {"Accept": "application/x-ndjson, text/event-stream, application/json", "Accept-Encoding": "identity"}


class ModelServer:
    """Connects at the first request and keeps its connections. May be used by several threads at a time."""

    def __init__(self, service: failures.Service, timeout_s: float) -> None:
        self._service = service
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._opened: tuple[Address, httpx2.Client] | None = None

    def ask(self, path: str, body: object = None) -> object:
        """The JSON of the reply. Without a body it is a GET, asked once; a POST has two more attempts."""
        return patiently(lambda: self._once(path, body), () if body is None else PAUSES_S)

    def lines(self, path: str, body: object) -> Generator[bytes, None, None]:
        """The lines of the reply as they come. Closing the iterator hangs up, at which a server stops its work.

        A reply that has begun is not asked for again: the one after it would be another.
        """
        until = time.monotonic() + TIMEOUTS_PER_STREAM * self._timeout_s
        response = patiently(lambda: self._begin(path, body, _AS_LINES), PAUSES_S)
        with closing(response):
            try:
                yield from cut_lines(self._parts(response, until), MAX_LINE)
            except LineTooLong as error:
                raise failures.invalid(self._service, f"sent a line of more than {MAX_LINE // 1024} KB") from error

    def value_of(self, raw: bytes) -> object:
        """The JSON of a reply or of a line. What says that something went wrong is an error, whatever its status."""
        try:
            value: object = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise failures.invalid(self._service, "answered with something that is not JSON") from error
        if isinstance(value, dict) and value.get("error"):
            said = without_key(self._service, failures.said_in(value))
            raise failures.invalid(self._service, f"answered with an error: {said}")
        return value

    def _once(self, path: str, body: object) -> object:
        until = time.monotonic() + self._timeout_s
        with closing(self._begin(path, body, {})) as response:
            return self.value_of(self._read(response, until))

    def _begin(self, path: str, body: object, headers: Mapping[str, str]) -> "httpx2.Response":
        """A reply that is a success and has not been read; the caller closes it."""
        own = {**authorization(self._service), **headers}
        address, client = self._open()
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        method = "GET" if body is None else "POST"
        until = time.monotonic() + self._timeout_s
        with self._reported():
            request = client.build_request(method, address.join(path), content=content, headers=own)
            response = client.send(request, stream=True)
        if response.is_success:
            return response
        with closing(response):
            raise self._refused(response, self._read(response, until))

    def _read(self, response: "httpx2.Response", until: float) -> bytes:
        limit = MAX_REPLY if response.is_success else _MAX_REFUSAL
        raw = bytearray()
        with self._reported():
            for part in response.iter_bytes():
                raw += part
                if len(raw) > limit:
                    break
                # The client's own limit is for each read; a server may also send a byte at a time.
                if time.monotonic() > until:
                    raise failures.timed_out(self._service, self._timeout_s)
        if response.is_success and len(raw) > limit:
            raise failures.invalid(self._service, f"sent a reply of more than {limit // 1024} KB")
        return bytes(raw)

    def _parts(self, response: "httpx2.Response", until: float) -> Iterator[bytes]:
        import httpx2

        size = 0
        try:
            for part in response.iter_bytes():
                size += len(part)
                if size > MAX_STREAM:
                    raise failures.invalid(self._service, f"sent a reply of more than {MAX_STREAM // 1024} KB")
                given = time.monotonic()
                if given > until:
                    limit = TIMEOUTS_PER_STREAM * self._timeout_s
                    raise failures.timed_out(self._service, limit, "did not end its reply")
                yield part
                # A reader who takes a break is not the server's fault.
                until += time.monotonic() - given
        except httpx2.TimeoutException as error:
            raise failures.timed_out(self._service, self._timeout_s, "did not go on with its reply") from error
        except httpx2.RequestError as error:
            failure = self._failed(error)
            raise failures.broken_off(self._service) if isinstance(failure, Passing) else failure from error

    @contextmanager
    def _reported(self) -> Iterator[None]:
        import httpx2

        try:
            yield
        except httpx2.RequestError as error:
            raise self._failed(error) from error

    def _failed(self, error: "httpx2.RequestError") -> KebabError | Passing:
        import httpx2

        if isinstance(error, httpx2.ConnectTimeout):
            return failures.unreachable(self._service, f"no connection within {CONNECT_S:g} s")
        if isinstance(error, httpx2.TimeoutException):
            return failures.timed_out(self._service, self._timeout_s)
        if isinstance(error, httpx2.DecodingError):
            return failures.invalid(self._service, "sent a reply that cannot be decompressed")
        failure = failures.unreachable(self._service, _reason(error))
        dropped = (httpx2.ReadError, httpx2.WriteError, httpx2.CloseError, httpx2.RemoteProtocolError)
        return Passing(failure) if isinstance(error, dropped) else failure

    def _refused(self, response: "httpx2.Response", raw: bytes) -> KebabError | Passing:
        if response.is_redirect:
            target = without_key(self._service, response.headers.get("location", ""))
            return failures.redirected(self._service, target)
        words = without_key(self._service, failures.words_of(raw))
        failure = failures.refused(self._service, response.status_code, words)
        if failures.is_passing(response.status_code):
            return Passing(failure, asked_wait(response.headers.get("retry-after", "")))
        return failure

    def _open(self) -> "tuple[Address, httpx2.Client]":
        with self._lock:
            if self._opened is None:
                address = read_address(self._service.endpoint, self._service.setting("endpoint"))
                client = open_client(address, self._timeout_s)
                weakref.finalize(self, client.close)
                self._opened = (address, client)
            return self._opened


def probe(service: failures.Service, path: str) -> object:
    """The reply to a GET that costs the server nothing, asked once and not waited for long."""
    return ModelServer(service, PROBE_S).ask(path)


def _reason(error: Exception) -> str:
    """`[Errno 111] Connection refused` without its number."""
    text = str(error) or type(error).__name__
    return text.partition("] ")[2] or text if text.startswith("[Errno") else text
