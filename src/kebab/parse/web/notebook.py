"""Notebooks (`.ipynb`, formats 3 and 4) to a `Document`: Markdown cells as text, code cells as code, outputs in short.

A block's `cell` in the payload is the number of its cell, from 1. Pictures and other rich outputs are left out. Lines
are those of the extracted text, as the file itself is JSON.
"""

import json
import re
from dataclasses import replace
from typing import TypeAlias

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.core.text import decode
from kebab.parse.building import Content, build
from kebab.parse.facts import Facts, content, title
from kebab.parse.flow import Flow
from kebab.parse.web.notebook_text import write_markdown

VERSION = "ipynb-v1"
AGENT = "kebab.parse.web.notebook"

MAX_CELLS = 50_000
# Commas and opening brackets. A value takes up to a hundred bytes once it is read, and two in the file.
MAX_VALUES = 3_000_000
MAX_OUTPUT = 2000
MAX_OUTPUTS = 20

Json: TypeAlias = object

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_MARKS = (b",", b"[", b"{")
# Colours of a terminal.
_COLOURS = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")


class NotebookParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        found = _load(raw)
        cells = _cells(found)
        metadata = _mapping(found.get("metadata"))
        language = _language(metadata)
        flow = Flow()
        for number, cell in enumerate(cells[:MAX_CELLS], 1):
            if isinstance(cell, dict):
                _write(flow, cell, number, language)
        warnings = [f"only the first {MAX_CELLS} cells are read"] if len(cells) > MAX_CELLS else []
        facts = Facts(title=title(_text(metadata.get("title")) or _text(metadata.get("name"))))
        return build(_coded(content(flow, facts, warnings), language), context, VERSION, AGENT)


def _holds_too_much(raw: bytes) -> bool:
    if sum(map(raw.count, _MARKS)) <= MAX_VALUES:
        return False
    # Long outputs are strings, and what stands in them makes no values.
    return sum(map(_STRING.sub(b"", raw).count, _MARKS)) > MAX_VALUES


def _load(raw: bytes) -> dict[str, Json]:
    if _holds_too_much(raw):
        raise InvalidInput("not a readable ipynb: it holds more data than a notebook does")
    try:
        found = json.loads(decode(raw).text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("not a readable ipynb: it is not well-formed JSON") from error
    if not isinstance(found, dict):
        raise InvalidInput("not a readable ipynb: it holds no notebook")
    return found


def _cells(found: dict[str, Json]) -> list[Json]:
    if isinstance(cells := found.get("cells"), list):
        return cells
    sheets = found.get("worksheets")
    if not isinstance(sheets, list):
        raise InvalidInput("not a readable ipynb: it has no cells")
    return [cell for sheet in sheets for cell in _list(_mapping(sheet).get("cells"))]


def _write(flow: Flow, cell: dict[str, Json], number: int, language: str | None) -> None:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "markdown":
        write_markdown(flow, source, number)
    elif kind == "heading":
        level = cell.get("level")
        flow.heading(level if isinstance(level, int) else 1, source)
    elif kind == "code":
        flow.code(source, _text(cell.get("language")) or language, {"cell": number})
        for output in _list(cell.get("outputs"))[:MAX_OUTPUTS]:
            if shown := _shown(_mapping(output)):
                flow.code(shown, None, {"cell": number, "output": True})
    else:
        flow.paragraph(source, payload={"cell": number})


def _shown(output: dict[str, Json]) -> str:
    """An output as plain text, in short; an error by its name."""
    if output.get("output_type") in ("error", "pyerr"):
        return _COLOURS.sub("", f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}")[:MAX_OUTPUT]
    data = _mapping(output.get("data"))
    if any(kind.startswith("image/") for kind in data):
        return ""
    text = _COLOURS.sub("", _text(output.get("text")) or _text(data.get("text/plain")))
    return text if len(text) <= MAX_OUTPUT else text[:MAX_OUTPUT].rstrip() + "\n[...]"


def _language(metadata: dict[str, Json]) -> str | None:
    places = (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name"))
    found = (_text(_mapping(metadata.get(place)).get(key)) for place, key in places)
    return next((each[:40].lower() for each in found if each), None)


def _coded(found: Content, language: str | None) -> Content:
    return replace(found, code_lang=language) if language else found


def _text(value: Json) -> str:
    """A string, or the lines it is stored as."""
    if isinstance(value, list):
        return "".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
