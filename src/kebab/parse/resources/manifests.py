"""Manifests and other settings by part: the tables of TOML, the outermost keys of JSON, the elements below an XML root.

Signs and tags are counted, nothing is parsed, expanded or loaded. A JSON file that is a list has no parts.
"""

import re
from collections.abc import Sequence

from kebab.core.text import LineMap
from kebab.parse.resources.marks import Mark, lead

VERSION = "manifest-parts-v1"

_HEADER = re.compile(r"(\[\[?)([^\[\]#]{1,200})(\]\]?)\s*(?:#.*)?")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'[^']*'?|#.*")
_LONG_STRING = re.compile(r'"""|\'\'\'')

_KEY = re.compile(r'\s*"((?:[^"\\]|\\.){1,200})"\s*:')
_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"?|//.*|/\*.*?(?:\*/|$)|[\[\]{}]')

# Every form ends at the end of the text too, so that an open one is read once and not again from each place in it.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<(?P<close>/)?(?P<name>[^\W\d][\w:.-]*)[^>]*(?:>|\Z)",
    re.DOTALL,
)


def scan_toml(lines: Sequence[str], _path: str) -> list[Mark]:
    """`[name]` and `[[name]]` begin a part, where they are no part of a string or an array."""
    marks: list[Mark] = []
    depth, closing = 0, ""
    for number, line in enumerate(lines, 1):
        if closing or '"""' in line or "'''" in line:
            closing = _open_behind(line, closing)
            continue
        header = _HEADER.fullmatch(line.strip()) if depth <= 0 and "[" in line else None
        if header and len(header[1]) == len(header[3]):
            after = marks[-1].line if marks else 0
            symbol = header[1] + header[2].strip() + header[3]
            marks.append(Mark(lead(lines, number, after, _is_comment), symbol, line=number))
            depth = 0
        elif depth or "[" in line or "{" in line:
            bare = _QUOTED.sub("", line)
            depth += bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
    return marks


def scan_json(lines: Sequence[str], _path: str) -> list[Mark]:
    """A line that begins with a key of the outermost object begins a part; comments are allowed for."""
    marks: list[Mark] = []
    depth, in_comment = 0, False
    for number, line in enumerate(lines, 1):
        if not in_comment and depth == 1 and (key := _KEY.match(line)):
            marks.append(Mark(number, key[1]))
        signs = _SIGN.findall(line if not in_comment else line.partition("*/")[2])
        if not depth and signs[:1] == ["["]:
            return []
        depth += sum(sign in ("[", "{") for sign in signs) - sum(sign in ("]", "}") for sign in signs)
        in_comment = (in_comment and "*/" not in line) or _leaves_open(signs)
    return marks


def scan_xml(lines: Sequence[str], _path: str) -> list[Mark]:
    """A line that begins with a child of the root begins a part."""
    text = "\n".join(lines)
    numbers = LineMap(text)
    marks: list[Mark] = []
    depth = seen = 0
    for tag in _TAG.finditer(text):
        if tag["name"] is None:
            continue
        if tag["close"]:
            depth -= 1
            continue
        number = numbers.line_at(tag.start())
        if depth == 1 and number > seen and not text[numbers.start_of(number) : tag.start()].strip():
            marks.append(Mark(number, tag["name"]))
        seen = number
        depth += not tag[0].endswith("/>")
    return marks


def _open_behind(line: str, closing: str) -> str:
    """What ends the string that is open behind the line; empty when none is."""
    for match in _LONG_STRING.finditer(line):
        if not closing:
            closing = match[0]
        elif closing == match[0]:
            closing = ""
    return closing


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _leaves_open(signs: Sequence[str]) -> bool:
    last = signs[-1] if signs else ""
    return last.startswith("/*") and not (len(last) > 3 and last.endswith("*/"))
