"""A model server over HTTP: JSON out, JSON in, with limits on time, size and attempts. Knows no API and no vectors."""

import json
import os
import threading
import time
import weakref
from typing import TYPE_CHECKING

from kebab.core.errors import ConfigInvalid, KebabError
from kebab.embed import failures
from kebab.embed.address import Address, read_address

if TYPE_CHECKING:
    import httpx2

CONNECT_S = 2.0
MAX_REPLY = 256 * 1024 * 1024
# Waits before the second and the third attempt; there is no fourth.
PAUSES_S = (0.2, 0.6)
LONGEST_PAUSE_S = 5.0

_MAX_REFUSAL = 64 * 1024
_KEY_NAME = "models.embedding.api_key_env"


class _Passing(Exception):
    """A failure that may be over in a moment, and how long the server asks to wait."""

    def __init__(self, failure: KebabError, wait_s: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.wait_s = wait_s


class ModelServer:
    """Connects at the first request and keeps its connections. May be used by several threads at a time."""

    def __init__(self, service: failures.Service, timeout_s: float) -> None:
        self._service = service
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._opened: tuple[Address, httpx2.Client] | None = None

    def ask(self, path: str, body: object = None) -> object:
        """The JSON of the reply. Without a body it is a GET, asked once; a POST has two more attempts."""
        pauses = iter(() if body is None else PAUSES_S)
        while True:
            try:
                return self._once(path, body)
            except _Passing as passing:
                pause = next(pauses, None)
                if pause is None or passing.wait_s > LONGEST_PAUSE_S:
                    raise passing.failure from passing.__cause__
                time.sleep(max(pause, passing.wait_s))

    def _once(self, path: str, body: object) -> object:
        import httpx2

        key = _key(self._service.key_variable)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        address, client = self._open()
        method = "GET" if body is None else "POST"
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        until = time.monotonic() + self._timeout_s
        try:
            with client.stream(method, address.join(path), content=content, headers=headers) as response:
                raw = self._read(response, until)
        except httpx2.RequestError as error:
            raise self._failed(error) from error
        if not response.is_success:
            raise self._refused(response, raw, key)
        return self._parse(raw, key)

    def _read(self, response: "httpx2.Response", until: float) -> bytes:
        limit = MAX_REPLY if response.is_success else _MAX_REFUSAL
        raw = bytearray()
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

    def _parse(self, raw: bytes, key: str) -> object:
        try:
            value: object = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise failures.invalid(self._service, "answered with something that is not JSON") from error
        if isinstance(value, dict) and value.get("error"):
            said = _line(failures.said_in(value), key)
            raise failures.invalid(self._service, f"answered with an error: {said}")
        return value

    def _failed(self, error: "httpx2.RequestError") -> KebabError | _Passing:
        import httpx2

        if isinstance(error, httpx2.ConnectTimeout):
            return failures.unreachable(self._service, f"no connection within {CONNECT_S:g} s")
        if isinstance(error, httpx2.TimeoutException):
            return failures.timed_out(self._service, self._timeout_s)
        if isinstance(error, httpx2.DecodingError):
            return failures.invalid(self._service, "sent a reply that cannot be decompressed")
        failure = failures.unreachable(self._service, _reason(error))
        dropped = (httpx2.ReadError, httpx2.WriteError, httpx2.CloseError, httpx2.RemoteProtocolError)
        return _Passing(failure) if isinstance(error, dropped) else failure

    def _refused(self, response: "httpx2.Response", raw: bytes, key: str) -> KebabError | _Passing:
        if response.is_redirect:
            return failures.redirected(self._service, _line(response.headers.get("location", ""), key))
        failure = failures.refused(self._service, response.status_code, _line(failures.words_of(raw), key))
        if failures.is_passing(response.status_code):
            return _Passing(failure, _wait(response.headers.get("retry-after", "")))
        return failure

    def _open(self) -> "tuple[Address, httpx2.Client]":
        with self._lock:
            if self._opened is None:
                address = read_address(self._service.endpoint)
                client = _client(address, self._timeout_s)
                weakref.finalize(self, client.close)
                self._opened = (address, client)
            return self._opened


def _client(address: Address, timeout_s: float) -> "httpx2.Client":
    import ssl

    import httpx2

    # Certificates take 50 ms to load and are of no use to plain HTTP, which is what local servers speak.
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if address.is_plain else True
    timeout = httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))
    try:
        return httpx2.Client(
            headers={"User-Agent": "kebab", "Content-Type": "application/json", "Accept": "application/json"},
            verify=verify,
            timeout=timeout,
            # A proxy of the environment has no business with what stays on this machine.
            trust_env=not address.is_local,
            follow_redirects=False,
        )
    except (httpx2.InvalidURL, ImportError, OSError, ValueError) as error:
        problem = "a proxy or the certificates named by the environment cannot be used"
        raise ConfigInvalid(problem, hint="correct HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE") from error


def _key(variable: str) -> str:
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    # A header cannot carry anything else, and the HTTP library would repeat the key in its complaint.
    if key.isascii() and key.isprintable() and key:
        return key
    problem = "holds characters that no key has" if key else "is not set"
    raise ConfigInvalid(
        f"{_KEY_NAME} names the variable {variable}, which {problem}",
        hint=f"set {variable} to the server's key, or `kebab config set {_KEY_NAME} ''`",
        key=_KEY_NAME,
    )


def _line(words: str, key: str) -> str:
    """The key is taken out before the words are shortened, which could leave a part of it."""
    return failures.one_line(words.replace(key, "[key]") if key else words)


def _reason(error: Exception) -> str:
    """`[Errno 111] Connection refused` without its number."""
    text = str(error) or type(error).__name__
    return text.partition("] ")[2] or text if text.startswith("[Errno") else text


def _wait(retry_after: str) -> float:
    """Seconds; the form with a date is not worth a clock that both sides agree on."""
    return float(retry_after) if retry_after.strip().isdecimal() else 0.0
