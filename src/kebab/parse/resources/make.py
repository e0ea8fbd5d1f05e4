"""Makefiles by target: a rule with its recipe and the comment above it; settings between rules have no name."""

import re
from collections.abc import Sequence

from kebab.parse.resources.marks import Mark, lead

VERSION = "makefile-targets-v1"

_HEAD = 1000
_RULE = re.compile(r"([^\s:#=][^:#=]*)::?(?![:=])")
_SETTING = re.compile(r"(?:export\s+|override\s+)?[\w.-]+\s*(?::{1,3}|[?+!])?=")
_SPECIAL = re.compile(r"\.[A-Z_]+\s*:")


def scan(lines: Sequence[str], _path: str) -> list[Mark]:
    marks: list[Mark] = []
    continued = defining = False
    for number, line in enumerate(lines, 1):
        was_continued, continued = continued, line.endswith("\\")
        if was_continued or not line or line[0] in "\t #":
            continue
        if line.startswith(("define ", "endef")):
            defining = line.startswith("define ")
        elif not defining and (found := _mark(lines, number, marks)):
            marks.append(found)
    return marks


def _mark(lines: Sequence[str], number: int, marks: Sequence[Mark]) -> Mark | None:
    line = lines[number - 1][:_HEAD]
    after = (marks[-1].line or marks[-1].start) if marks else 0
    if _SETTING.match(line):
        # Settings behind a rule do not belong to it.
        begins = bool(marks) and marks[-1].symbol is not None
        return Mark(lead(lines, number, after, _is_comment)) if begins else None
    if _SPECIAL.match(line) or (rule := _RULE.match(line)) is None:
        return None
    name = rule[1].split()[0]
    return Mark(lead(lines, number, after, _is_above), name, "target", line=number)


def _is_comment(line: str) -> bool:
    return line.startswith("#")


def _is_above(line: str) -> bool:
    """A comment, or `.PHONY` and the like, which are written for the rule below them."""
    return line.startswith("#") or _SPECIAL.match(line) is not None
