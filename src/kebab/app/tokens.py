"""The token of `kebab serve`: made once, kept in a file only its owner can read, compared without telling by time."""

import os
import stat
from pathlib import Path

from kebab.config import Config
from kebab.core.errors import ConfigInvalid, IoFailure

_FILE = "server.token"
_BYTES = 32
_LONGEST = 1024


def token_path(config: Config) -> Path:
    return config.storage.data_dir / _FILE


def new_token(config: Config) -> str:
    """Takes the place of an earlier one, which is worth nothing from then on."""
    import secrets

    path, token = token_path(config), secrets.token_urlsafe(_BYTES)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(f"{token}\n")
        draft.replace(path)
    except OSError as error:
        raise IoFailure(f"cannot write {path}: {error.strerror}", path=str(path), op="write") from error
    return token


def stored_token(config: Config) -> str | None:
    """None when there is none. Raises ConfigInvalid for a file that others could have read or that holds no token."""
    path = token_path(config)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(_LONGEST).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise IoFailure(f"cannot read {path}: {error.strerror}", path=str(path), op="read") from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise ConfigInvalid(f"{path} can be read by others", hint="make another with `kebab serve --new-token`")
    if len(text) < _BYTES or not text.isprintable():
        raise ConfigInvalid(f"{path} holds no token", hint="make one with `kebab serve --new-token`")
    return text


def is_token(given: str, token: str) -> bool:
    import hmac

    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
