"""Entries of a folder as the walk sees them: what they are, where they really lie, and whether a link may be followed.

A link is followed only to a place inside the root that exists, and never back to a folder on the way that led here. Its
content appears under the link's own path, while the path to open is the resolved one. Judges no rule but one: a link to
a secret is as secret as its target.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from kebab.core.text import nfc
from kebab.source.builtin import is_secret
from kebab.source.ignore import Ignores
from kebab.source.result import Skip


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to be listed. `rel` is its NFC path below the root, ending in `/`; the root's is empty.

    `trail`: the real folders in which the links on the way here lay. `in_crate`: it holds a Cargo.toml.
    """

    path: str
    rel: str
    ignores: Ignores
    included: bool
    raw_is_nfc: bool = True
    trail: tuple[str, ...] = ()
    in_crate: bool = False

    @property
    def name(self) -> str:
        return self.rel[self.rel.rfind("/", 0, -1) + 1 :]


@dataclass(frozen=True, slots=True)
class Place:
    """What lies at an entry, links resolved. `fault`: why it cannot be used whatever the rules say."""

    path: str
    is_dir: bool = False
    trail: tuple[str, ...] = ()
    fault: Skip | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """`name` and `rel` are NFC and end in `/` for a folder."""

    name: str
    rel: str
    raw_is_nfc: bool
    place: Place


class Links:
    """Resolves links below one root, once per scan."""

    __slots__ = ("_entered", "_follow", "_real_root", "_root")

    def __init__(self, root: str, real_root: str, *, follow: bool) -> None:
        self._root = root
        self._real_root = real_root
        self._follow = follow
        self._entered: set[str] = set()

    def look(self, folder: Folder, raw: os.DirEntry[str]) -> Entry:
        """Raises OSError when the file system does not even tell what the entry is."""
        place = self._place(folder, raw)
        name = nfc(raw.name)
        shown = f"{name}/" if place.is_dir else name
        return Entry(shown, folder.rel + shown, folder.raw_is_nfc and name == raw.name, place)

    def _place(self, folder: Folder, raw: os.DirEntry[str]) -> Place:
        if raw.is_symlink() or _is_junction(raw):
            return self._follow_link(folder, raw.path) or Place(raw.path, fault=Skip.SYMLINK)
        if raw.is_dir(follow_symlinks=False):
            return Place(raw.path, is_dir=True, trail=folder.trail)
        return Place(raw.path, fault=None if raw.is_file(follow_symlinks=False) else Skip.SPECIAL)

    def _follow_link(self, folder: Folder, path: str) -> Place | None:
        if not self._follow:
            return None
        try:
            target = os.path.realpath(path, strict=True)
            mode = Path(target).lstat().st_mode
        except OSError:
            return None
        if not is_inside(target, self._real_root):
            return None
        is_dir = stat.S_ISDIR(mode)
        if self._is_secret(target, is_dir=is_dir):
            return Place(target, is_dir, fault=Skip.SECRET)
        if not is_dir:
            return Place(target, fault=None if stat.S_ISREG(mode) else Skip.SPECIAL)
        trail = (*folder.trail, self._real(folder))
        return Place(target, is_dir=True, trail=trail) if self._may_enter(target, trail) else None

    def _may_enter(self, target: str, trail: tuple[str, ...]) -> bool:
        if any(is_inside(left, target) for left in trail):
            return False
        # Folders full of links to each other have factorially many paths: behind a link, each target is entered once.
        if len(trail) > 1 and target in self._entered:
            return False
        self._entered.add(target)
        return True

    def _real(self, folder: Folder) -> str:
        if folder.trail:
            return folder.path
        return str(Path(self._real_root, os.path.relpath(folder.path, self._root)))

    def _is_secret(self, target: str, *, is_dir: bool) -> bool:
        names = Path(os.path.relpath(target, self._real_root)).parts
        return any(is_secret(name, is_dir=is_dir or name_at < len(names)) for name_at, name in enumerate(names, 1))


def is_inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies below it; both absolute and normalised."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_junction(raw: os.DirEntry[str]) -> bool:
    # Windows only, and known to Python from 3.12 on.
    check = getattr(raw, "is_junction", None)
    return check is not None and bool(check())
