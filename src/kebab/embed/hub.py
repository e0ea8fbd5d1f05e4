"""The hub models are pulled from: its address, whether it can be reached, and its failures as errors. Keeps nothing."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kebab.core.errors import ConfigInvalid, InvalidInput, IoFailure, ModelInvalid, ModelUnreachable, TimedOut
from kebab.remote.failures import one_line

if TYPE_CHECKING:
    import ssl

    import httpx2

HUB = "https://huggingface.co"
HUB_VARIABLE = "HF_ENDPOINT"
REVISION = "main"

_REACH_S = 1.5
_SILENCE_S = 30.0
_PORTS = {"https": 443, "http": 80}


def hub_of(environment: Mapping[str, str]) -> str:
    """The hub, or the mirror that the environment names. Raises InvalidInput."""
    hub = environment.get(HUB_VARIABLE, "").strip().rstrip("/") or HUB
    try:
        address = urlsplit(hub)
        usable = address.scheme in _PORTS and bool(address.hostname) and address.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise InvalidInput(f"{HUB_VARIABLE} is not an address with https:// or http://", hint=f"unset {HUB_VARIABLE}")
    return hub


def open_client() -> "httpx2.Client":
    import httpx2

    timeout = httpx2.Timeout(_SILENCE_S, connect=_REACH_S)
    try:
        return httpx2.Client(
            headers={"User-Agent": "kebab"}, timeout=timeout, follow_redirects=True, verify=_certificates()
        )
    except (ImportError, ValueError) as error:
        problem = "the proxy named by the environment cannot be used"
        raise ConfigInvalid(problem, hint="correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY") from error


@cache
def _certificates() -> "ssl.SSLContext":
    """Those every client would load anew, in a tenth of a second."""
    import httpx2

    return httpx2.create_ssl_context()


def check_reachable(hub: str, offline_hint: str) -> None:
    """Raises ModelUnreachable within two seconds.

    A client's own limit leaves out the look-up of the name and holds anew for each address of the host.
    """
    from urllib.request import getproxies, proxy_bypass

    address = urlsplit(hub)
    host = address.hostname or ""
    if getproxies() and not proxy_bypass(host):
        return
    answer: SimpleQueue[str] = SimpleQueue()
    place = (host, address.port or _PORTS[address.scheme])
    Thread(target=_try, args=(place, answer), daemon=True).start()
    try:
        problem = answer.get(timeout=_REACH_S)
    except Empty:
        problem = f"no connection within {_REACH_S:g} s"
    if problem:
        raise ModelUnreachable(f"cannot reach {host}: {problem}", hint=offline_hint, host=host)


def _try(place: tuple[str, int], answer: "SimpleQueue[str]") -> None:
    try:
        socket.create_connection(place, timeout=_REACH_S).close()
        answer.put("")
    except (OSError, UnicodeError) as error:
        answer.put(getattr(error, "strerror", None) or one_line(str(error)) or type(error).__name__)


@contextmanager
def reported(hub: str, folder: Path, retry: str) -> Iterator[None]:
    """Failures of the connection and of the disk, as errors that say what to do."""
    import httpx2

    host = urlsplit(hub).hostname or hub
    try:
        yield
    except httpx2.ReadTimeout as error:
        raise TimedOut(
            f"{host} did not answer within {_SILENCE_S:g} s", hint=f"try again: {retry}", host=host
        ) from error
    except httpx2.TransportError as error:
        problem = f"the connection to {host} failed: {one_line(str(error))}"
        raise ModelUnreachable(problem, hint=f"{retry} goes on where it stopped", host=host) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        hint = f"check {HUB_VARIABLE}, if it is set"
        raise ModelInvalid(f"{host} gave an unusable answer: {one_line(str(error))}", hint=hint, host=host) from error
    except OSError as error:
        cause = error.strerror or one_line(str(error))
        hint = "check the permissions of the folder and the space on its disk"
        raise IoFailure(f"cannot write to {folder}: {cause}", hint=hint, path=str(folder), op="write") from error
