"""A private folder beside a place, for files on their way there: gone at the end, or swept by the next one."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kebab.core.errors import IndexLocked, IoFailure
from kebab.store.lock import WriterLock

_PREFIX = ".kebab-draft-"
_LOCK = "lock"
# Between a folder and its lock another process may sweep it.
_ATTEMPTS = 20


@contextmanager
def draft_folder(place: Path) -> Iterator[Path]:
    """On the file system of `place`, so that a rename puts a finished file there at once."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(place)
        folder, lock = _claimed(place)
    except OSError as error:
        raise IoFailure(
            f"cannot write to {place}: {error.strerror}", hint="name another folder", path=str(place), op="write"
        ) from error
    try:
        yield folder
    finally:
        lock.__exit__(None, None, None)
        shutil.rmtree(folder, ignore_errors=True)


def _claimed(place: Path) -> tuple[Path, WriterLock]:
    for _ in range(_ATTEMPTS):
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        lock = WriterLock(folder / _LOCK)
        try:
            lock.__enter__()
        except (IndexLocked, IoFailure):
            continue
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if (folder / _LOCK).exists():
            return folder, lock
        lock.__exit__(None, None, None)
    raise IoFailure(f"cannot make a folder in {place}", hint="check its permissions", path=str(place), op="write")


def sweep(place: Path) -> None:
    """Drafts whose makers died: the system has dropped the locks they held."""
    for folder in place.glob(f"{_PREFIX}*"):
        if folder.is_symlink() or not folder.is_dir():
            continue
        try:
            with WriterLock(folder / _LOCK):
                shutil.rmtree(folder, ignore_errors=True)
        except (IndexLocked, IoFailure):
            continue
