"""Dockerfiles by stage: each `FROM` begins one, named by its `AS` or else by its image.

A `FROM` inside a continued instruction or a here document begins nothing.
"""

import re
from collections.abc import Sequence

from kebab.parse.resources.marks import Mark, lead

VERSION = "dockerfile-stages-v1"

_HEAD = 500
_FROM = re.compile(r"\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
_HERE_DOCUMENT = re.compile(r"(?:^|\s)<<-?([\"']?)([A-Za-z_]\w*)\1")
_ESCAPE = re.compile(r"#\s*escape\s*=\s*`", re.IGNORECASE)
_DIRECTIVES = 5


def scan(lines: Sequence[str], _path: str) -> list[Mark]:
    marks: list[Mark] = []
    escape = "`" if any(_ESCAPE.match(line) for line in lines[:_DIRECTIVES]) else "\\"
    continued, closing = False, ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if closing:
            closing = "" if text == closing else closing
        elif text.startswith("#") or not text:
            continue
        else:
            if not continued and (match := _FROM.match(line[:_HEAD])):
                after = marks[-1].line if marks else 0
                start = lead(lines, number, after, _is_comment)
                marks.append(Mark(start, match[2] or match[1], "stage", line=number))
            here = _HERE_DOCUMENT.search(text[:_HEAD]) if "<<" in text else None
            closing = here[2] if here else ""
            continued = text.endswith(escape) and not closing
    return marks


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")
