"""A Markdown cell as blocks: headings, fences, lists, tables and paragraphs, told by the look of their lines.

Gets the text of a cell, adds to a `Flow`. Lines are kept as they are written; only their kind is told. Markdown files
have a parser of their own that reads the full grammar: a cell's few lines need no more than this.
"""

import re

from kebab.core.document import BlockKind, UserValue
from kebab.core.text import unify_newlines
from kebab.parse.flow import Flow

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\s`{]*)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")


def write_markdown(flow: Flow, text: str, cell: int) -> None:
    gathered: list[str] = []
    fence = ""
    lang = ""
    for line in unify_newlines(text).split("\n"):
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                flow.code("\n".join(gathered), lang or None, {"cell": cell})
                gathered, fence = [], ""
            else:
                gathered.append(line)
            continue
        opened = _FENCE.match(line)
        heading = _HEADING.match(line)
        if opened or heading or not line.strip():
            _write(flow, gathered, cell)
            gathered = []
        if opened:
            fence, lang = opened[1], opened[2]
        elif heading:
            flow.heading(len(heading[1]), line[heading.end() :].strip().rstrip("#"))
        elif line.strip():
            gathered.append(line)
    if fence:
        flow.code("\n".join(gathered), lang or None, {"cell": cell})
    else:
        _write(flow, gathered, cell)


def _write(flow: Flow, lines: list[str], cell: int) -> None:
    """Lines between blank ones, of the kind their first line looks like."""
    if not lines:
        return
    kind = BlockKind.PARAGRAPH
    payload: dict[str, UserValue] = {"cell": cell}
    if _ITEM.match(lines[0]):
        kind = BlockKind.LIST
        payload |= {"ordered": lines[0].strip()[:1].isdigit(), "items": sum(bool(_ITEM.match(line)) for line in lines)}
    elif all(line.lstrip().startswith("|") for line in lines):
        kind = BlockKind.TABLE
    elif lines[0].lstrip().startswith(">"):
        kind = BlockKind.QUOTE
    flow.paragraph("\n".join(lines), kind, payload)
