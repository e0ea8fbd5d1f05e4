"""A file of another program, read and replaced in one step: its mode is kept, and what it held stays beside it."""

import os
import stat
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from kebab.core.errors import InvalidInput, IoFailure

_LARGEST = 64 * 1024 * 1024
_NEW_MODE = 0o600
_BACKUP = ".kebab-backup"


class Found(NamedTuple):
    """A file as it was read; `content` is None where there is none yet. `path` has no link in its last part."""

    path: Path
    content: bytes | None
    mode: int = _NEW_MODE
    seen: tuple[int, int, int] | None = None


def found_at(path: Path) -> Found:
    """Raises InvalidInput for what is no plain file of this user, IoFailure for what cannot be read."""
    try:
        target = path.resolve()
        if not target.exists():
            return Found(target, None)
        facts = target.stat()
        _refuse_strange(path, facts)
        content = target.read_bytes()
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise IoFailure(f"cannot read {path}: {why}", path=str(path), op="read") from error
    return Found(target, content, stat.S_IMODE(facts.st_mode), _seen(facts))


def _refuse_strange(path: Path, facts: os.stat_result) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise InvalidInput(f"{path} is not a file", hint="name another with --path", path=str(path))
    if facts.st_size > _LARGEST:
        raise InvalidInput(f"{path} is larger than any settings are", path=str(path))
    # A file replaced by somebody else becomes theirs, and its program may not read it any more.
    if hasattr(os, "geteuid") and facts.st_uid != os.geteuid():
        raise InvalidInput(f"{path} belongs to another user", hint="run kebab as that user", path=str(path))


def _seen(facts: os.stat_result) -> tuple[int, int, int]:
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


def replaced(found: Found, content: bytes) -> Path | None:
    """Puts `content` in the file's place at once or not at all. Gives where the old content is kept, if there was any.

    Raises IoFailure, also when the file has changed since it was read.
    """
    path = found.path
    backup = path.with_name(path.name + _BACKUP)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as drafts:
            new = _draft(found, content, drafts)
            old = None if found.content is None else _draft(found, found.content, drafts)
            if found.seen != (_seen(path.stat()) if path.exists() else None):
                raise IoFailure(
                    f"{path} was changed by another program just now", hint="run it again", path=str(path), op="write"
                )
            if old is not None:
                old.replace(backup)
            new.replace(path)
    except OSError as error:
        raise IoFailure(f"cannot write {path}: {error.strerror}", path=str(path), op="write") from error
    return None if found.content is None else backup


def _draft(found: Found, content: bytes, drafts: ExitStack) -> Path:
    """A file beside it that nobody else can read while it is written, gone at the end unless it took another place."""
    handle, name = tempfile.mkstemp(prefix=f".{found.path.name}.", dir=found.path.parent)
    drafts.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    Path(name).chmod(found.mode)
    return Path(name)
