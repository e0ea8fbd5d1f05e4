"""Units to what is told about them: qualified names, the headings above them, and the document's symbols."""

from collections.abc import Sequence
from typing import NamedTuple

from kebab.core.document import Symbol
from kebab.core.text import LineMap
from kebab.parse.code.names import Name
from kebab.parse.code.row import Language
from kebab.parse.code.units import Unit

MAX_SIGNATURE = 120


class SourceText(NamedTuple):
    source: bytes
    lines: LineMap


class Entry(NamedTuple):
    """A unit with its name in the whole and the path of headings it stands under, which its own name ends."""

    unit: Unit
    qualified: str
    heading_path: tuple[str, ...]
    outer_path: tuple[str, ...]
    """The headings above its members: those above it, and its signature."""


class Outline(NamedTuple):
    entries: list[Entry]
    symbols: list[Symbol]


def outline(units: Sequence[Unit], language: Language, prefix: str, text: SourceText) -> Outline:
    entries: list[Entry] = []
    symbols: list[Symbol] = []
    for unit in units:
        owner = entries[unit.owner] if unit.owner >= 0 else None
        scope = owner.qualified if owner else prefix
        above = owner.outer_path if owner else ()
        own = unit.names[0]
        qualified = _joined(scope, own, language.joiner)
        outer = (*above, _signature(own, unit.body, text.source)) if unit.body is not None else (*above, own.own_path)
        entries.append(Entry(unit, qualified, (*above, own.own_path), outer))
        for name in unit.names:
            line = text.lines.line_at(name.start)
            kind = unit.kind if name is own else name.kind or unit.kind
            # One string for both: a name may be thousands of characters with all it stands in.
            whole = qualified if name is own else _joined(scope, name, language.joiner)
            symbols.append(Symbol(name.text, whole, kind, line, unit.last))
    return Outline(entries, symbols)


def _joined(scope: str, name: Name, joiner: str) -> str:
    return f"{scope}{joiner}{name.own_path}" if scope else name.own_path


def _signature(name: Name, body: int, source: bytes) -> str:
    """The line of a header that bears the name, up to the body."""
    # A line may be megabytes long, and many classes may stand on it.
    window = max(0, name.start - MAX_SIGNATURE)
    start = max(window, source.rfind(b"\n", window, name.start) + 1)
    end = source.find(b"\n", name.start, name.start + 4 * MAX_SIGNATURE)
    line = source[start : min(body, end if end >= 0 else name.start + 4 * MAX_SIGNATURE)]
    text = " ".join(line.decode("utf-8", "ignore").split()).rstrip(" {:")
    return text[:MAX_SIGNATURE] or name.text
