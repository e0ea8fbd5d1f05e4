"""Who has been let in by a browser: a key that opens once, and the sessions it and the token open. Kept in memory.

The key is handed to a browser on its command line, which other people of the machine may read. Whoever is quicker than
the browser gets in, but not for long: a key that comes again soon was known to two, and the session of the first ends.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections import deque

_BYTES = 32
# As many browsers as one person has; the one that came first is let go.
_MOST_SESSIONS = 64
_SOON_SECONDS = 60.0


class Sessions:
    """Holds digests, never what a browser sends. May be used by several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._key: bytes | None = None
        self._used: tuple[bytes, bytes, float] | None = None
        self._open: deque[bytes] = deque(maxlen=_MOST_SESSIONS)

    def new_key(self) -> str:
        """A key for one entry; an earlier one that was not used is worth nothing from then on."""
        key = secrets.token_urlsafe(_BYTES)
        with self._guard:
            self._key = _digest(key)
        return key

    def enter(self, key: str) -> str | None:
        """The secret of a new session if this is the key, which no longer is one afterwards."""
        given = _digest(key)
        with self._guard:
            if self._key is not None and hmac.compare_digest(self._key, given):
                secret = self._begin()
                self._used, self._key = (given, _digest(secret), time.monotonic()), None
                return secret
            if self._used is not None and hmac.compare_digest(self._used[0], given):
                self._end_stolen(*self._used[1:])
        return None

    def _end_stolen(self, session: bytes, begun: float) -> None:
        if time.monotonic() - begun < _SOON_SECONDS and session in self._open:
            self._open.remove(session)

    def begin(self) -> str:
        """The secret of a new session, for a cookie."""
        with self._guard:
            return self._begin()

    def _begin(self) -> str:
        secret = secrets.token_urlsafe(_BYTES)
        self._open.append(_digest(secret))
        return secret

    def knows(self, secret: str) -> bool:
        given = _digest(secret)
        with self._guard:
            return any(hmac.compare_digest(each, given) for each in self._open)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def cookie_name(port: int) -> str:
    """Browsers keep the cookies of all ports of a host together."""
    return f"kebab_session_{port}"


def session_of(cookies: str, port: int) -> str | None:
    """What a `Cookie` header says of the session here."""
    name = cookie_name(port)
    for part in cookies.split(";"):
        key, equals, value = part.strip().partition("=")
        if equals and key == name:
            return value
    return None
