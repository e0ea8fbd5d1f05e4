"""The rules of .gitignore: lines in, the last rule that fits an entry out.

Gets the text of an ignore file or the globs of the config, gives `Rules`. Knows no files and no folders. A rule is
asked about one entry itself, as git does, and never about its parents: that is what lets `a/**` with `!a/b.md` keep
`a/b.md`, and what lets an outer ignore file decide when the nearest one says nothing. Everything is compared in NFC.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kebab.core.text import nfc
from kebab.source.wildmatch import UnmatchableError, name_regex, path_regex


@dataclass(frozen=True, slots=True)
class Rule:
    """One line. `spelled`: its last segment is a plain name, so whoever wrote it meant that very entry."""

    order: int
    negated: bool
    spelled: bool


@dataclass(frozen=True, slots=True)
class Glob:
    """One line taken apart: `!body/`, where only a body without a slash is held against names anywhere below."""

    body: str
    negated: bool
    only_folders: bool
    anywhere: bool

    @property
    def segments(self) -> list[str]:
        return self.body.split("/")


class Rules:
    """Compiled lines. Patterns for names are kept apart from patterns for paths: names are short, quick to refuse."""

    __slots__ = ("_names", "_paths")

    def __init__(self, lines: Iterable[str]) -> None:
        names: list[tuple[str, Rule]] = []
        paths: list[tuple[str, Rule]] = []
        for order, line in enumerate(lines):
            if (glob := parse(line)) is None or (regex := _regex(glob)) is None:
                continue
            rule = Rule(order, glob.negated, spelled=is_plain(glob.segments[-1]))
            (names if glob.anywhere else paths).append((regex, rule))
        self._names = _Choice(names)
        self._paths = _Choice(paths)

    def __bool__(self) -> bool:
        return bool(self._names.rules or self._paths.rules)

    def match(self, path: str, name: str) -> Rule | None:
        """The last rule that fits; `path` is relative to the rules' own folder, and both end in `/` for a folder."""
        by_name = self._names.match(name)
        by_path = self._paths.match(path)
        if by_name is None or by_path is None:
            return by_name or by_path
        return by_name if by_name.order > by_path.order else by_path


class _Choice:
    """Many patterns as one expression: the last line comes first, so the first alternative that fits is the answer."""

    __slots__ = ("_regex", "rules")

    def __init__(self, patterns: Sequence[tuple[str, Rule]]) -> None:
        backwards = patterns[::-1]
        self.rules = tuple(rule for _, rule in backwards)
        self._regex = re.compile("|".join(f"({regex})" for regex, _ in backwards), re.DOTALL) if backwards else None

    def match(self, text: str) -> Rule | None:
        if self._regex is None or (found := self._regex.fullmatch(text)) is None or found.lastindex is None:
            return None
        return self.rules[found.lastindex - 1]


def rules_of(text: str) -> Rules:
    """The rules of an ignore file."""
    return Rules(line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))


def is_plain(segment: str) -> bool:
    return not any(char in "*?[\\" for char in segment)


def parse(line: str) -> Glob | None:
    """None for a comment and for a line that can match nothing."""
    if line.startswith("#"):
        return None
    body = _without_trailing_spaces(nfc(line))
    negated = body.startswith("!")
    body = body[negated:]
    only_folders = body.endswith("/")
    body = body[: len(body) - only_folders]
    pattern = body.removeprefix("/")
    return Glob(pattern, negated, only_folders, anywhere="/" not in body) if pattern else None


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return f"{kept} " if kept != line and backslashes % 2 else kept


def _regex(glob: Glob) -> str | None:
    try:
        regex = name_regex(glob.body) if glob.anywhere else path_regex(glob.body)
    except UnmatchableError:
        return None
    return regex + ("/" if glob.only_folders else "/?")
