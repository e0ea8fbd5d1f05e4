"""A configuration file to disk, whole or not at all. Imported only by commands that write."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kebab.core.errors import IoFailure

_PRIVATE_FILE = 0o600
_PRIVATE_DIR = 0o700


def write_config(path: Path, text: str) -> None:
    """Replaces `path` at once, keeping its mode; a new file is the user's alone. A link keeps pointing at its file."""
    with _reported(path):
        target = path.resolve()
        target.parent.mkdir(mode=_PRIVATE_DIR, parents=True, exist_ok=True)
        _replace(target, text.encode("utf-8"), _mode(target))


def write_backup(path: Path) -> Path:
    """A copy beside `path`: `config.toml.bak`, or `.bak.1` and so on where that name is taken."""
    with _reported(path):
        source = path.resolve()
        raw, mode = source.read_bytes(), _mode(source)
        number = 0
        while True:
            copy = source.with_name(f"{source.name}.bak{f'.{number}' if number else ''}")
            with suppress(FileExistsError):
                handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
                break
            number += 1
        with os.fdopen(handle, "wb") as opened:
            opened.write(raw)
        return copy


def keep_newlines(text: str, before: str) -> str:
    """`text`, which has LF, with the line ends the file had."""
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def _mode(target: Path) -> int:
    try:
        status = target.stat()
    except FileNotFoundError:
        return _PRIVATE_FILE
    # A rename would put a plain file in the place of a device, or pass over a write protection.
    if not stat.S_ISREG(status.st_mode):
        raise OSError(None, "not a regular file")
    if not os.access(target, os.W_OK):
        raise OSError(None, "the file is write-protected")
    return stat.S_IMODE(status.st_mode)


def _replace(target: Path, raw: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(raw)
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise IoFailure(
            f"cannot write {path}: {cause}",
            hint="check the permissions of the file and its folder",
            path=str(path),
            cause=cause,
        ) from error
