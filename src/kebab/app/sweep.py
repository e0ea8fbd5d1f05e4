"""Documents whose files are gone leave the index; nothing else does."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kebab.app.scope import Scope
from kebab.core.asset import Source
from kebab.core.text import to_posix
from kebab.source import ScanResult
from kebab.store.shelf import KnownFile

# An unmounted disk looks like a folder whose files were all deleted.
_SUSPICIOUS = 10


@dataclass(frozen=True, slots=True)
class Sweep:
    paths: tuple[str, ...]
    warning: str | None = None


def find_gone(source: Source, scope: Scope, scan: ScanResult, known: dict[str, KnownFile]) -> Sweep:
    """Which known documents of `source` the scan should have met and did not.

    Never: documents put in one by one, anything outside the scanned part, anything that could not be read or
    listed. When include or exclude were given on the command line, only files that are really gone.
    """
    seen = {file.workspace_path for file in scan.files} | {path for path, _ in scan.errors}
    covers = _coverage(source, scope)
    gone = [
        file.workspace_path
        for file in known.values()
        if file.workspace_path not in seen
        and not file.standalone
        and covers(file.workspace_path)
        and not any(file.workspace_path.startswith(folder) for folder in scan.unlisted)
        and (not scope.narrowed or is_gone(source, file.workspace_path, file.file_path))
    ]
    if len(gone) > _SUSPICIOUS and not scan.files and scope.subtree is None:
        warning = (
            f"{source.root} holds no files, but {len(gone)} of its documents are indexed; they were kept in "
            "case a disk is not mounted. `kebab reset --orphans-only` drops them"
        )
        return Sweep((), warning)
    return Sweep(tuple(sorted(gone)))


def is_gone(source: Source, workspace_path: str, file_path: str) -> bool:
    """Neither where the file was, nor where it would be if its folder was moved as a whole."""
    return _is_missing(Path(file_path)) and _is_missing(source.root / source.relative(workspace_path))


def _is_missing(path: Path) -> bool:
    """Only a clear answer counts; a permission error is not a deletion."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _coverage(source: Source, scope: Scope) -> Callable[[str], bool]:
    """Which workspace paths the scan looked at."""
    if scope.subtree is None:
        return lambda _path: True
    relative = to_posix(str(scope.subtree.relative_to(source.root.resolve())))
    place = source.workspace_path(relative)
    return lambda path: path == place or path.startswith(f"{place}/")
