"""The address of a model server as the configuration gives it: checked before use, and whether it is this machine."""

import ipaddress
from typing import NamedTuple

from kebab.core.errors import ConfigInvalid

_HIGHEST_PORT = 65535


class Address(NamedTuple):
    """`root` has no slash at its end; `path` is the part of it after the host."""

    root: str
    path: str
    is_local: bool
    is_plain: bool

    def join(self, path: str) -> str:
        """People give the address with or without the first part of the API's path; it is never sent twice."""
        first, _, rest = path.lstrip("/").partition("/")
        return f"{self.root}/{rest}" if self.path.endswith(f"/{first}") else self.root + path


def read_address(endpoint: str, setting: str) -> Address:
    """Raises ConfigInvalid, which names the setting and never repeats an address that may hold a password."""
    import httpx2

    try:
        url = httpx2.URL(endpoint.strip())
        url.host.encode("idna")
    except (httpx2.InvalidURL, UnicodeError):
        # Without the cause, which repeats parts of the address.
        raise _invalid(setting, "is not an address") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _invalid(setting, "does not start with http:// or https:// and a host")
    if url.port is not None and not 0 < url.port <= _HIGHEST_PORT:
        raise _invalid(setting, f"has the port {url.port}, which does not exist")
    if url.userinfo or url.query or url.fragment:
        raise _invalid(setting, "holds a password, a query or a fragment")
    root = str(url).rstrip("/")
    return Address(root, url.path.rstrip("/"), is_local=_is_local(url.host), is_plain=url.scheme == "http")


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    # A server that listens everywhere is often written down as 0.0.0.0, which leads to this machine.
    return address.is_loopback or address.is_unspecified


def _invalid(setting: str, problem: str) -> ConfigInvalid:
    hint = f"`kebab config set {setting} http://HOST:PORT`; a key goes into the variable that api_key_env names"
    return ConfigInvalid(f"{setting} {problem}", hint=hint, key=setting)
