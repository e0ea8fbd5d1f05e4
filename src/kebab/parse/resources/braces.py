"""Languages of blocks in braces, by their outermost blocks: Terraform, Gradle and Groovy; and go.mod by directive."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from kebab.parse.resources.marks import Mark, lead

VERSION = "brace-blocks-v1"

_HEAD = 300
_SIGN = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|//.*|/\*.*?(?:\*/|$)|[{}#]")
_HERE_DOCUMENT = re.compile(r"<<[-~]?([A-Za-z_]\w*)\s*$")
_LONG_STRING = re.compile(r'"""|\'\'\'')

_TERRAFORM = re.compile(r"([a-z_]\w*)((?:[ \t]+(?:\"[^\"]*\"|[\w-]+))*)[ \t]*\{")
_LABEL = re.compile(r'"([^"]*)"|([\w-]+)')
_CLASS = re.compile(r"\b(?:class|interface|trait|enum)[ \t]+(\w+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_STEERING = frozenset("if else for while do try catch finally switch case return import throw assert".split())
_GOMOD = re.compile(r"(module|go|toolchain|godebug|tool|require|replace|exclude|retract|use)\b")


_Namer: TypeAlias = Callable[[str], "tuple[str, str, str] | None"]
"""A line that begins a block to its symbol, its kind and the last part of its name."""


def scan_terraform(lines: Sequence[str], _path: str) -> list[Mark]:
    """`resource "aws_instance" "web"` is `resource.aws_instance.web`."""

    def name(line: str) -> tuple[str, str, str] | None:
        if (match := _TERRAFORM.match(line)) is None:
            return None
        labels = [quoted or bare for quoted, bare in _LABEL.findall(match[2])]
        parts = [match[1], *labels]
        return ".".join(parts), match[1], parts[-1]

    return _scan(lines, name, hash_comments=True)


def scan_groovy(lines: Sequence[str], _path: str) -> list[Mark]:
    """`dependencies { ... }` is `dependencies`; a class or a function has its own name."""

    def name(line: str) -> tuple[str, str, str] | None:
        head, brace, _rest = line.partition("{")
        words = _WORD.findall(head.partition("(")[0].partition("=")[0])
        if not brace or not words or words[0] in _STEERING:
            return None
        kind = _CLASS.search(head)
        symbol = kind[1] if kind else words[-1]
        return symbol, "", symbol

    return _scan(lines, name, hash_comments=False)


def scan_gomod(lines: Sequence[str], _path: str) -> list[Mark]:
    marks: list[Mark] = []
    for number, line in enumerate(lines, 1):
        if match := _GOMOD.match(line):
            after = marks[-1].line if marks else 0
            marks.append(Mark(lead(lines, number, after, _is_comment), match[1], line=number))
    return marks


def _scan(lines: Sequence[str], name: _Namer, *, hash_comments: bool) -> list[Mark]:
    marks: list[Mark] = []
    for number, depth in _code_lines(lines, hash_comments=hash_comments):
        line = lines[number - 1]
        # A block begins at the margin; anything deeper belongs to the block around it.
        if depth or line[0].isspace() or (found := name(line[:_HEAD])) is None:
            continue
        after = marks[-1].line if marks else 0
        symbol, kind, short = found
        marks.append(Mark(lead(lines, number, after, _is_comment), symbol, kind, short, number))
    return marks


def _code_lines(lines: Sequence[str], *, hash_comments: bool) -> Iterator[tuple[int, int]]:
    """The lines outside comments and long texts, with how many braces are open before them."""
    depth, closing = 0, ""
    for number, line in enumerate(lines, 1):
        if closing:
            ended = line.strip() == closing if closing.isidentifier() else closing in line
            closing = "" if ended else closing
            continue
        if not line or line.isspace():
            continue
        yield number, depth
        change, closing = _effect(line, hash_comments=hash_comments)
        depth = max(depth + change, 0)


def _effect(line: str, *, hash_comments: bool) -> tuple[int, str]:
    """How many more braces are open behind a line, and what ends the comment or text it leaves open."""
    change = 0
    for sign in _SIGN.findall(line):
        if sign == "{":
            change += 1
        elif sign == "}":
            change -= 1
        elif sign.startswith("/*") and (len(sign) < 4 or not sign.endswith("*/")):
            return change, "*/"
        elif sign == "#" and hash_comments:
            return change, ""
    here = _HERE_DOCUMENT.search(line[-_HEAD:]) if hash_comments and "<<" in line else None
    if here:
        return change, here[1]
    long_strings = [] if hash_comments else _LONG_STRING.findall(line)
    return change, long_strings[-1] if len(long_strings) % 2 else ""


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "/*", "*", "@"))
