"""The HTTP client for one model server, and the key it is shown. Sends nothing itself and keeps no key."""

import os
from typing import TYPE_CHECKING

from kebab.core.errors import ConfigInvalid
from kebab.remote.address import Address
from kebab.remote.failures import Service, one_line

if TYPE_CHECKING:
    import httpx2

CONNECT_S = 2.0


def open_client(address: Address, timeout_s: float) -> "httpx2.Client":
    """The limit is for each read and each write."""
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


def authorization(service: Service) -> dict[str, str]:
    """The header that carries the key, if one is named. Raises ConfigInvalid."""
    variable = service.key_variable
    if not variable:
        return {}
    key = _key(variable)
    # A header cannot carry anything else, and the HTTP library would repeat the key in its complaint.
    if key.isascii() and key.isprintable() and key:
        return {"Authorization": f"Bearer {key}"}
    problem = "holds characters that no key has" if key else "is not set"
    setting = service.setting("api_key_env")
    raise ConfigInvalid(
        f"{setting} names the variable {variable}, which {problem}",
        hint=f"set {variable} to the server's key, or `kebab config set {setting} ''`",
        key=setting,
    )


def without_key(service: Service, words: str) -> str:
    """Words of the server in one line. The key is taken out before they are cut, which could leave a part of it."""
    key = _key(service.key_variable) if service.key_variable else ""
    return one_line(words.replace(key, "[key]") if key else words)


def _key(variable: str) -> str:
    return os.environ.get(variable, "").strip()
