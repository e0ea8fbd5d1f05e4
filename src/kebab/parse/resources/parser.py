"""Resource bytes to a `Document`: one block per unit, or one block in all where no unit is found.

Gets a file's bytes and its `ParseContext`; a scanner per kind finds the units, line by line and without recursion.
Data that only looks like configuration by its extension is cut short or left aside.
"""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from kebab.core.document import Document
from kebab.core.errors import LeftAside
from kebab.core.ports import ParseContext
from kebab.core.text import split_lines
from kebab.parse.building import Content, build
from kebab.parse.resources import braces, docker, make, manifests, plain, sql, yaml_units
from kebab.parse.resources.marks import Mark, Scanner, pieces, symbols, units

AGENT = "kebab.parse.resources"

# Beyond this a file of these kinds is data, and its first part speaks for the rest.
DATA_BYTES = 1_000_000
REFUSED_BYTES = 5_000_000
_DATA_KINDS = frozenset({"json", "xml", "yaml"})


class _Kind(NamedTuple):
    """`unit` names what the blocks are, for the chunker; None: the scanner's file decides (`yaml_units.unit_of`)."""

    version: str
    scan: Scanner
    unit: str | None


_KINDS: dict[str, _Kind] = {
    "yaml": _Kind(yaml_units.VERSION, yaml_units.scan, None),
    "dockerfile": _Kind(docker.VERSION, docker.scan, "stage"),
    "toml": _Kind(manifests.VERSION, manifests.scan_toml, "section"),
    "json": _Kind(manifests.VERSION, manifests.scan_json, "section"),
    "xml": _Kind(manifests.VERSION, manifests.scan_xml, "section"),
    "gomod": _Kind(braces.VERSION, braces.scan_gomod, "section"),
    "groovy": _Kind(braces.VERSION, braces.scan_groovy, "section"),
    "makefile": _Kind(make.VERSION, make.scan, "target"),
    "terraform": _Kind(braces.VERSION, braces.scan_terraform, "block"),
    "sql": _Kind(sql.VERSION, sql.scan, "statement"),
}
RESOURCE_KINDS = tuple(_KINDS)


class ResourceParser:
    """One instance per kind of `RESOURCE_KINDS`, which is also its language. It holds no state."""

    def __init__(self, kind: str) -> None:
        self._lang = kind
        self._kind = _KINDS[kind]
        self.version = self._kind.version

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        is_data = self._lang in _DATA_KINDS and len(raw) > DATA_BYTES
        if is_data and len(raw) > REFUSED_BYTES:
            size = len(raw) // 1_000_000
            raise LeftAside("data", f"holds {size} MB of data", hint="describe it in a note, or convert it to text")
        text, warnings = plain.read_code(raw)
        lines = split_lines(text)
        if is_data:
            return self._cut_short(text, lines, warnings, context)
        marks = self._kind.scan(lines, context.workspace_path)
        if not any(mark.symbol for mark in marks) and self._is_whole(text):
            marks = [Mark(1, PurePosixPath(context.workspace_path).name)]
        if not any(mark.symbol for mark in marks):
            return plain.plain(text, len(lines), self._lang, warnings, context)
        found = list(units(marks, lines))
        unit = self._kind.unit or yaml_units.unit_of(context.workspace_path)
        content = Content(
            text,
            pieces(found, self._lang, unit),
            warnings=warnings,
            symbols=symbols(found),
            code_lang=self._lang,
        )
        return build(content, context, self.version, AGENT)

    def _is_whole(self, text: str) -> bool:
        """A manifest without parts is a unit under the name of its file; a list of records is data."""
        words = text.lstrip()
        return self._kind.unit == "section" and bool(words) and not words.startswith("[")

    def _cut_short(self, text: str, lines: Sequence[str], warnings: list[str], context: ParseContext) -> Document:
        """The lines that begin a large file, as they stand."""
        kept = sum(size <= DATA_BYTES for size in accumulate(len(line) + 1 for line in lines))
        if not kept:
            raise LeftAside("data", "holds data in one long line")
        note = f"data: the first {kept} of {len(lines)} lines are in the index"
        return plain.plain(text, kept, self._lang, [*warnings, note] if kept < len(lines) else warnings, context)
