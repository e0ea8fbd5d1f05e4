"""YAML by what it describes: Kubernetes resources, the jobs of a workflow, the services of a composition.

Reads lines and their indentation, never YAML itself: no alias expands, no nesting is followed, and a broken document
does not take its neighbours with it. Templates and other YAML have no units.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kebab.parse.resources.marks import Mark, is_blank, lead

VERSION = "yaml-units-v1"

_SEPARATOR = re.compile(r"---(?:\s|$)")
_KEY = re.compile(r"[\"']?([\w.][\w./-]{0,100})[\"']?:(?:\s|$)")
_VALUE = re.compile(r"[\"']?([\w.][\w.:/@-]{0,252})[\"']?\s*(?:#.*)?")
_FLOW = re.compile(r"\b(name|namespace|generateName)[\"']?\s*:\s*[\"']?([\w.-]{1,253})")
_KIND = re.compile(r"[A-Za-z]\w{0,100}")
_HELM = re.compile(r"^\{\{|\{\{[^}\n]{0,200}?(?:\.(?:Values|Release|Chart|Capabilities)\b|\binclude\s)", re.MULTILINE)
_HEAD = 500

_WORKFLOW = re.compile(r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$", re.IGNORECASE)
_GITLAB = re.compile(r"(?:^|/|\.)\.?gitlab-ci\.ya?ml$", re.IGNORECASE)
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$", re.IGNORECASE)
_NOT_JOBS = frozenset(
    "stages variables include default workflow image services cache before_script after_script spec".split()
)


class _Document(NamedTuple):
    """Lines `start` to `end`, and the Kubernetes resource they describe, if they do."""

    start: int
    end: int
    kind: str = ""
    namespace: str = ""
    name: str = ""
    line: int = 0


class _Entry(NamedTuple):
    """What stands behind a key, and on which line."""

    text: str
    line: int


def scan(lines: Sequence[str], path: str) -> list[Mark]:
    if _WORKFLOW.search(path):
        return _children(lines, "jobs", "job")
    if _GITLAB.search(path):
        return _gitlab(lines)
    if _COMPOSE.search(path):
        return _children(lines, "services", "service")
    if _HELM.search("\n".join(lines)):
        return []
    return [_resource(document) for document in _documents(lines)]


def unit_of(path: str) -> str:
    return "job" if any(kind.search(path) for kind in (_WORKFLOW, _GITLAB, _COMPOSE)) else "resource"


def _resource(document: _Document) -> Mark:
    if not document.kind:
        return Mark(document.start)
    symbol = "/".join(part for part in (document.kind, document.namespace, document.name) if part)
    return Mark(document.start, symbol, document.kind, document.name or document.kind, document.line)


def _documents(lines: Sequence[str]) -> Iterator[_Document]:
    """Documents between `---`; one that holds only comments belongs to the next."""
    start = 1
    empty = True
    for number, line in enumerate(lines, 1):
        if _SEPARATOR.match(line):
            if not empty:
                yield _described(lines, start, number - 1)
                start, empty = number, True
        elif empty:
            empty = is_blank(line) or line.lstrip().startswith("#")
    if start <= len(lines):
        yield _described(lines, start, len(lines))


def _described(lines: Sequence[str], start: int, end: int) -> _Document:
    top, inner = _keys(lines, start, end)
    version, kind = top.get("apiVersion"), top.get("kind")
    if not version or not version.text or not kind or _KIND.fullmatch(_value(kind.text)) is None:
        return _Document(start, end)
    metadata = top.get("metadata", kind)
    for key, value in _FLOW.findall(metadata.text):
        inner.setdefault(key, _Entry(value, metadata.line))
    nothing = _Entry("", kind.line)
    name = inner.get("name") or inner.get("generateName") or nothing
    namespace = inner.get("namespace", nothing)
    return _Document(start, end, _value(kind.text), _value(namespace.text), _value(name.text), name.line)


def _keys(lines: Sequence[str], start: int, end: int) -> tuple[dict[str, _Entry], dict[str, _Entry]]:
    """The keys at the margin, and those directly below `metadata`; the first of a name counts."""
    top: dict[str, _Entry] = {}
    inner: dict[str, _Entry] = {}
    section, indent = "", 0
    for number in range(start, end + 1):
        line = lines[number - 1][:_HEAD]
        text = line.lstrip(" ")
        if not text or text[0] in "#-" or (match := _KEY.match(text)) is None:
            continue
        depth = len(line) - len(text)
        entry = _Entry(text[match.end() :].strip(), number)
        if not depth:
            section, indent = match[1], 0
            top.setdefault(section, entry)
        elif section == "metadata" and depth == (indent := indent or depth):
            inner.setdefault(match[1], entry)
    return top, inner


def _value(text: str) -> str:
    match = _VALUE.fullmatch(text)
    return match[1] if match else ""


def _children(lines: Sequence[str], parent: str, kind: str) -> list[Mark]:
    """The keys directly below a top-level key, each a unit; other top-level keys have no name."""
    marks: list[Mark] = []
    inside, indent = False, 0
    for number, line in enumerate(lines, 1):
        text = line[:_HEAD].lstrip(" ")
        if not text or text[0] in "#-" or (match := _KEY.match(text)) is None:
            continue
        depth = len(line[:_HEAD]) - len(text)
        after = (marks[-1].line or marks[-1].start) if marks else 0
        if not depth:
            was_inside, inside, indent = inside, match[1] == parent, 0
            if was_inside and marks:
                marks.append(Mark(lead(lines, number, after, _is_comment), line=number))
        elif inside and depth == (indent := indent or depth):
            start = lead(lines, number, after, _is_comment)
            marks.append(Mark(start, f"{parent}.{match[1]}", kind, match[1], number))
    return marks


def _gitlab(lines: Sequence[str]) -> list[Mark]:
    """Top-level keys are jobs, but for those GitLab keeps to itself."""
    marks: list[Mark] = []
    for number, line in enumerate(lines, 1):
        match = _KEY.match(line[:_HEAD])
        if match is None:
            continue
        after = (marks[-1].line or marks[-1].start) if marks else 0
        start = lead(lines, number, after, _is_comment)
        if match[1] not in _NOT_JOBS:
            marks.append(Mark(start, match[1], "job", line=number))
        elif marks and marks[-1].symbol:
            marks.append(Mark(start, line=number))
    return marks


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
