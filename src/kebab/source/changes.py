"""What changes below some folders, as batches of paths: told by the system, or found by looking again and again.

A batch ends when nothing has changed for a moment, or after a few seconds of changes that do not end. Who reads them
gets an empty batch now and then while nothing happens.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kebab.source.builtin import CACHE_MARKER, VENV_MARKER
from kebab.source.ignore import GITIGNORE, KEBABIGNORE

QUIET_MS = 300
LONGEST_MS = 5000
IDLE_MS = 500
POLL_SECONDS = 2.0
# Looking takes at most this part of the time.
_POLL_SHARE = 10

# What such a file says is about everything beside and below it.
_RULE_FILES = frozenset({GITIGNORE, KEBABIGNORE, VENV_MARKER, CACHE_MARKER, "Cargo.toml"})
_GIT = ".git"
_REMOTE = frozenset(
    {
        *(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "afs",
            "ceph",
            "lustre",
            "9p",
            "virtiofs",
            "vboxsf",
            "drvfs",
            "davfs",
        ),
        *("fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse", "fuse.glusterfs", "fuse.vmhgfs-fuse"),
    }
)

Paths = frozenset[str]


class CannotNotify(Exception):
    """Why the system does not tell of changes here; looking again and again still works."""


def notified(roots: Sequence[Path], stop: threading.Event) -> Iterator[Paths]:
    """Batches as the system tells of them. The first one, often empty, comes when it does. Raises CannotNotify."""
    try:
        import watchfiles
    except ImportError as error:
        raise CannotNotify("the package watchfiles is not installed") from error
    batches = watchfiles.watch(
        *roots,
        watch_filter=None,
        debounce=LONGEST_MS,
        step=QUIET_MS,
        rust_timeout=IDLE_MS,
        yield_on_timeout=True,
        stop_event=stop,
        raise_interrupt=False,
        force_polling=False,
        # Else it would keep every other failure to itself too, such as the limit on watched folders.
        ignore_permission_denied=False,
    )
    try:
        for batch in batches:
            yield frozenset(_posix(path) for _, path in batch)
    except (OSError, RuntimeError) as error:
        # The limit fs.inotify.max_user_watches, a folder that may not be read, a name that is not UTF-8.
        raise CannotNotify(str(error)) from error


def polled(roots: Sequence[Path], stop: threading.Event, seconds: float = POLL_SECONDS) -> Iterator[Paths]:
    """Batches by comparing what lies there with what lay there before. Seldom, where looking takes long."""
    before, spent = _timed(roots)
    yield frozenset()
    while not stop.wait(max(seconds, spent * _POLL_SHARE)):
        now, spent = _timed(roots)
        yield frozenset(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
        before = now


Stamps = dict[str, tuple[int, ...]]


def _timed(roots: Sequence[Path]) -> tuple[Stamps, float]:
    started = time.monotonic()
    found: Stamps = {}
    folders = [str(root) for root in roots]
    while folders:
        _look(folders.pop(), found, folders)
    return found, time.monotonic() - started


def _look(folder: str, found: Stamps, folders: list[str]) -> None:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and entry.name != _GIT:
                    folders.append(entry.path)
                elif (stamp := _stamp(entry)) is not None:
                    found[_posix(entry.path)] = stamp
    except OSError:
        # It went away while we looked, or is not ours to read; the ingest has its own word about that.
        return


def _stamp(entry: os.DirEntry[str]) -> tuple[int, ...] | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _posix(path: str) -> str:
    return path if os.sep == "/" else path.replace(os.sep, "/")


def affected(path: str, root: str) -> str | None:
    """What to read again when `path` has changed, which lies below `root`: more than itself for a file of rules.

    None for what git keeps for itself.
    """
    below = path[len(root) :].strip("/").split("/") if path != root else []
    if _GIT in below:
        return root if below[-2:] == ["info", "exclude"] else None
    return path.rpartition("/")[0] if below and below[-1] in _RULE_FILES else path


def is_remote(path: Path, mounts: Path = Path("/proc/self/mounts")) -> bool:
    """Whether `path` is on a network or shared file system, which tells nobody what others change. Linux only."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return False
    place, kind = "", ""
    for line in lines:
        _, mounted, found, *_ = (*line.split(" "), "", "", "")
        mounted = mounted.replace("\\040", " ")
        inside = str(path) == mounted or str(path).startswith(f"{mounted.rstrip('/')}/")
        if inside and len(mounted) >= len(place):
            place, kind = mounted, found
    return kind in _REMOTE


def identity(root: Path) -> tuple[int, int] | None:
    """Tells whether a folder is the one that was watched; None while there is none."""
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
