"""Which git repository a file lies in: its name, branch and commit, read from git's own files. Runs no program.

Reads little and believes less: files are bounded, links are not followed, and a `.git` file may only lead to a folder
that names this very work tree in return. What cannot be told is left out; nothing here raises.
"""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from kebab.core.ports import Repository
from kebab.core.text import to_posix
from kebab.source.entry import is_inside
from kebab.source.git_refs import read_head, read_lines, remote_name

MAX_LEVELS = 128

_POINTER = "gitdir:"
_POINTER_BYTES = 4096


class _Facts(NamedTuple):
    top: str
    name: str
    branch: str | None = None
    commit: str | None = None


class Repositories:
    """The repositories of one run. A folder is looked at once, so what it says holds for all its files."""

    def __init__(self) -> None:
        self._of_folder: dict[str, _Facts | None] = {}
        self._told: dict[tuple[str, Path], Repository | None] = {}

    def repository_of(self, path: Path, source_root: Path) -> Repository | None:
        """The repository of a file; one that begins above the source is told too, with an empty `root`."""
        asked = (os.path.dirname(path), source_root)  # noqa: PTH120 - a string: this is asked for every file
        if asked not in self._told:
            try:
                facts = self._find(str(path.absolute().parent))
                self._told[asked] = None if facts is None else _as_repository(facts, source_root)
            except (OSError, ValueError):
                self._told[asked] = None
        return self._told[asked]

    def _find(self, folder: str) -> _Facts | None:
        unseen: list[str] = []
        found: _Facts | None = None
        for _level in range(MAX_LEVELS):
            if folder in self._of_folder:
                found = self._of_folder[folder]
                break
            unseen.append(folder)
            here = _look(folder)
            if here is not None:
                found = here if here.name else None
                break
            above = os.path.dirname(folder)  # noqa: PTH120 - as above
            if above == folder:
                break
            folder = above
        self._of_folder.update(dict.fromkeys(unseen, found))
        return found


def _as_repository(facts: _Facts, source_root: Path) -> Repository:
    root = str(source_root.absolute())
    for base in (root, os.path.realpath(root)):
        if is_inside(facts.top, base):
            return Repository(facts.name, facts.branch, facts.commit, to_posix(os.path.relpath(facts.top, base)))
    return Repository(facts.name, facts.branch, facts.commit, "")


def _look(folder: str) -> _Facts | None:
    """What a folder's `.git` says; None when it has none, nameless when it has one that is not to be believed."""
    git = Path(folder, ".git")
    try:
        mode = git.lstat().st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(mode):
        return _read(folder, git, git) if _is_file(git / "HEAD") else None
    if stat.S_ISREG(mode):
        return _follow(folder, git)
    # A link may lead anywhere; that this is a work tree is all it says.
    return _Facts(folder, _folder_name(folder)) if stat.S_ISLNK(mode) else _Facts(folder, "")


def _follow(folder: str, pointer: Path) -> _Facts:
    """A worktree or a submodule: its `.git` is a file that names the folder git uses."""
    lines = read_lines(pointer, _POINTER_BYTES)
    if len(lines) != 1 or not lines[0].startswith(_POINTER):
        return _Facts(folder, "")
    target = lines[0].removeprefix(_POINTER).strip()
    if not target or "\x00" in target:
        return _Facts(folder, "")
    git = Path(os.path.normpath(Path(folder, target)))
    if not _is_file(git / "HEAD"):
        return _Facts(folder, "")
    if not (_is_worktree(git, pointer) or _is_submodule(git, folder)):
        return _Facts(folder, _folder_name(folder))
    return _read(folder, git, _shared(git))


def _is_worktree(git: Path, pointer: Path) -> bool:
    """Git writes the way back into `gitdir`."""
    back = read_lines(git / "gitdir", _POINTER_BYTES)
    return len(back) == 1 and _same(Path(git, back[0].strip()), pointer)


def _is_submodule(git: Path, folder: str) -> bool:
    """Git keeps a submodule in `.git/modules` of the repository around it."""
    real = Path(os.path.realpath(git))
    holders = [part.parent for part in real.parents if part.name == "modules" and part.parent.name == ".git"]
    return any(is_inside(os.path.realpath(folder), str(holder.parent)) for holder in holders)


def _shared(git: Path) -> Path:
    """The folder with the settings and branches that all work trees of a repository share."""
    common = read_lines(git / "commondir", _POINTER_BYTES)
    if len(common) != 1 or "\x00" in common[0]:
        return git
    shared = Path(os.path.normpath(git / common[0].strip()))
    # It is an ancestor of the worktree's own folder, `<shared>/worktrees/<name>`.
    return shared if is_inside(str(git), str(shared)) else git


def _read(folder: str, git: Path, shared: Path) -> _Facts:
    name = remote_name(shared / "config")
    if name is None:
        # A worktree belongs to the repository it was made from: that of a folder's `.git`, or a bare one.
        home = folder if git == shared else str(shared.parent if shared.name == ".git" else shared)
        name = _folder_name(home).removesuffix(".git") or _folder_name(folder)
    head = read_head(git, shared)
    return _Facts(folder, name, head.branch, head.commit)


def _folder_name(folder: str) -> str:
    return to_posix(Path(folder).name)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):
        return False
