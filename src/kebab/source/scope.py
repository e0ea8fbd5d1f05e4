"""The include and exclude globs of a source: gitignore-style, relative to its root. Knows no files.

Exclude works like an ignore file. Include turns that round: a file is in if it or a folder above it fits, the nearest
one deciding.
"""

from kebab.core.asset import Source
from kebab.source.gitignore import Glob, Rules, is_plain, parse


class Scope:
    __slots__ = ("_exclude", "_include", "_leads", "_spelled")

    def __init__(self, source: Source) -> None:
        globs = [glob for line in source.include if (glob := parse(line)) is not None and not glob.negated]
        self._exclude = Rules(source.exclude) if source.exclude else None
        self._include = Rules(source.include) if source.include else None
        self._leads = tuple(_lead(glob) for glob in globs)
        self._spelled = frozenset(segment for glob in globs for segment in glob.segments if is_plain(segment))

    @property
    def takes_all(self) -> bool:
        return self._include is None

    def excludes(self, path: str, name: str) -> bool:
        if self._exclude is None:
            return False
        rule = self._exclude.match(path, name)
        return rule is not None and not rule.negated

    def includes(self, path: str, name: str, *, inherited: bool) -> bool:
        """`inherited`: whether the folder that holds the entry is included."""
        if self._include is None:
            return True
        rule = self._include.match(path, name)
        return inherited if rule is None else not rule.negated

    def may_hold(self, path: str, name: str) -> bool:
        """Whether anything in a folder that is not included itself could still be: not if a `!` glob says so."""
        if self._include is None:
            return True
        if self._include.match(path, name) is not None:
            return False
        return any(lead.startswith(path) or path.startswith(lead) for lead in self._leads)

    def spells(self, name: str) -> bool:
        """Whether an include glob names this entry outright, as `.notes/**` does: then it is meant, hidden or not."""
        return name in self._spelled


def _lead(glob: Glob) -> str:
    """The folders a glob starts with before its first wildcard, as `notes/2024/`; empty when it may fit anywhere."""
    if glob.anywhere:
        return ""
    lead = ""
    for segment in glob.segments[:-1]:
        if not is_plain(segment):
            break
        lead += f"{segment}/"
    return lead
