"""The root of a scan and the part of it that is asked for. The only place of `source` that refuses to start."""

import os
import stat
from pathlib import Path

from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.text import nfc
from kebab.source.entry import is_inside
from kebab.source.result import ScanRequest


def usable_root(path: Path) -> str:
    """The absolute root, which is a folder; a link in it stays as the user wrote it."""
    root = str(path.resolve() if ".." in path.parts else path.absolute())
    try:
        mode = Path(root).stat().st_mode
    except OSError as error:
        raise unusable(root, error) from error
    if not stat.S_ISDIR(mode):
        raise InvalidInput(f"{root} is not a folder", hint="point at the folder that holds the file", path=root)
    return root


def unusable(root: str, error: OSError) -> IoFailure:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        hint = "check the path, and that its drive or share is mounted"
        return IoFailure(f"the folder {root} does not exist", hint=hint, op="scan", path=root)
    what = error.strerror or str(error)
    return IoFailure(f"the folder {root} cannot be read: {what}", hint="check its permissions", op="scan", path=root)


def names_to_subtree(request: ScanRequest, root: str) -> tuple[str, ...]:
    """The names (NFC) that lead from the root to the subtree; none for the whole root."""
    if request.subtree is None:
        return ()
    wanted = os.path.normpath(Path(root, request.subtree))
    real_root = os.path.realpath(root)
    # The subtree may be spelled through the root as given, through the real one, or through some other link.
    for base, path in ((root, wanted), (real_root, wanted), (real_root, os.path.realpath(wanted))):
        if is_inside(path, base):
            return tuple(nfc(name) for name in Path(os.path.relpath(path, base)).parts)
    raise InvalidInput(f"{wanted} is not inside {root}", hint="name a file or folder of the source", path=wanted)
