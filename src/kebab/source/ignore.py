"""Ignore files: what `.kebabignore` and `.gitignore` at every level say about an entry.

Gets folders on the way down, gives a verdict per entry. The nearest file that says anything decides. A `.kebabignore`
outranks every `.gitignore`, so `!drafts/` there brings back what git ignores. As in git, an ignored folder is never
entered, so nothing inside it can be brought back. The user's global git excludes are not read.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from kebab.core.text import nfc
from kebab.source.gitignore import Rule, Rules, rules_of
from kebab.source.read import read_regular
from kebab.source.result import Skip

GITIGNORE = ".gitignore"
KEBABIGNORE = ".kebabignore"
_MAX_IGNORE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Level:
    """One ignore file and the chain of those outside it. `prefix + path[cut:]` is a path as this file sees it."""

    rules: Rules
    prefix: str
    cut: int
    outer: "Level | None"


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignore files in force in one folder."""

    kebab: Level | None = None
    git: Level | None = None

    def spares(self, path: str, name: str) -> bool:
        """Whether `.kebabignore` brings back this very name, which overrides even the built-in list and secrets.

        The name must be spelled out: the usual `*`, `!*/`, `!*.md` must not open every hidden folder.
        """
        rule = _decide(self.kebab, path, name)
        return rule is not None and rule.negated and rule.spelled

    def reason(self, path: str, name: str) -> Skip | None:
        if self.kebab is not None and (rule := _decide(self.kebab, path, name)) is not None:
            return None if rule.negated else Skip.KEBABIGNORE
        if self.git is not None and (rule := _decide(self.git, path, name)) is not None:
            return None if rule.negated else Skip.GITIGNORE
        return None

    def with_kebab(self, file: str, folder: str) -> "Ignores":
        """`file` read as the `.kebabignore` of `folder` (relative to the root, ending in `/` unless empty)."""
        rules = load(file)
        return Ignores(Level(rules, "", len(folder), self.kebab), self.git) if rules else self

    def with_git(self, file: str, folder: str) -> "Ignores":
        rules = load(file)
        return Ignores(self.kebab, Level(rules, "", len(folder), self.git)) if rules else self


def _decide(level: Level | None, path: str, name: str) -> Rule | None:
    while level is not None:
        if (rule := level.rules.match(level.prefix + path[level.cut :], name)) is not None:
            return rule
        level = level.outer
    return None


def load(file: str | Path) -> Rules:
    """Raises OSError."""
    return rules_of(read_regular(file, _MAX_IGNORE_BYTES).decode("utf-8", "surrogateescape"))


def outside(root: Path) -> Ignores:
    """What the git repository around the root has to say: its `info/exclude` and the ignore files above the root.

    A root that the repository ignores is no part of it, and its rules are not about it: a home folder kept in git
    with `*` in its ignore file must not hide the notes in it.
    """
    top = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    if top is None:
        return Ignores()
    way = [folder for folder in reversed(root.parents) if folder.is_relative_to(top)]
    files = [(top, top / ".git" / "info" / "exclude"), *((folder, folder / GITIGNORE) for folder in way)]
    known = [(folder, rules) for folder, file in files if (rules := _load_quietly(file))]
    for folder in [*way[1:], root] if way else []:
        rule = _decide(_chain([pair for pair in known if pair[0] != folder], folder), "", f"{nfc(folder.name)}/")
        if rule is not None and not rule.negated:
            return Ignores()
    return Ignores(None, _chain(known, root))


def _chain(known: list[tuple[Path, Rules]], place: Path) -> Level | None:
    """The rules as seen from `place`, outermost last."""
    level: Level | None = None
    for folder, rules in known:
        if place.is_relative_to(folder):
            level = Level(rules, "".join(f"{nfc(name)}/" for name in place.relative_to(folder).parts), 0, level)
    return level


def _load_quietly(file: Path) -> Rules | None:
    # These lie outside what the user asked to scan; not being allowed to read them is no failure of the scan.
    try:
        return load(file) if file.is_file() else None
    except OSError:
        return None
