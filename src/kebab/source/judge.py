"""The rules in one place: whether an entry is left aside, and why. Opens nothing.

The order decides which reason is counted: secret, built-in list, exclude, ignore files. `.kebabignore` can bring back
what the built-in list or the secrets keep out by spelling its name (`!credentials.json`), an include glob what the
built-in list does (`.notes/**`).
"""

from collections.abc import Container

from kebab.core.asset import Source
from kebab.source import builtin
from kebab.source.entry import Entry, Folder
from kebab.source.result import Skip
from kebab.source.scope import Scope


class Judge:
    """`honour`: False leaves only the secrets in force."""

    __slots__ = ("_honour", "_scope")

    def __init__(self, source: Source, *, honour: bool) -> None:
        self._scope = Scope(source)
        self._honour = honour

    @property
    def takes_all(self) -> bool:
        return self._scope.takes_all or not self._honour

    def includes(self, folder: Folder, entry: Entry) -> bool:
        return not self._honour or self._scope.includes(entry.rel, entry.name, inherited=folder.included)

    def reason(self, folder: Folder, entry: Entry, *, included: bool) -> Skip | None:
        is_dir = entry.place.is_dir
        reason = builtin.reason(entry.name.removesuffix("/"), is_dir=is_dir, in_crate=folder.in_crate)
        if reason is Skip.SECRET and not folder.ignores.spares(entry.rel, entry.name):
            return reason
        if not self._honour:
            return None
        if reason is Skip.BUILTIN_BLACKLIST and not self._is_meant(folder, entry.rel, entry.name):
            return reason
        if self._scope.excludes(entry.rel, entry.name):
            return Skip.EXCLUDED
        if is_dir and not included and not self._scope.may_hold(entry.rel, entry.name):
            return Skip.EXCLUDED
        return folder.ignores.reason(entry.rel, entry.name)

    def suspects(self, folder: Folder, names: Container[str]) -> bool:
        """Whether what a folder holds says that a tool made it; a cache tag still has to be looked into."""
        if not self._honour or not folder.rel:
            return False
        marked = builtin.VENV_MARKER in names or builtin.CACHE_MARKER in names
        return marked and not self._is_meant(folder, folder.rel, folder.name)

    def _is_meant(self, folder: Folder, rel: str, name: str) -> bool:
        return self._scope.spells(name.removesuffix("/")) or folder.ignores.spares(rel, name)
