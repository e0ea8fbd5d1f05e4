"""A syntax tree to the units defined in it, in the order of the source. Looks only where units can stand.

Lines include the comments and attributes before a unit. The walk keeps its own stack: the depth of the input drives
no recursion, and beyond `MAX_DEPTH` units in units what is inside belongs to the outer one.
"""

from typing import TYPE_CHECKING, NamedTuple

from kebab.core.text import LineMap
from kebab.parse.code.levels import Level, lines_of
from kebab.parse.code.names import Name, by_field
from kebab.parse.code.row import Language

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 16
# Beyond these a file is data; what follows them is text without a name.
MAX_UNITS = 100_000
_CLASS_LIKE = frozenset(
    ["class", "struct", "union", "trait", "impl", "interface", "object", "enum", "record", "annotation"]
)
_IN_CLASS = {"function": "method", "variable": "field"}
# Declarations whose type may be defined on the spot, and is then what they are about.
_HOLDS_TYPE = frozenset(["declaration", "field_declaration", "type_definition"])
# Comments of Rust that belong to what they stand in, not to what follows.
_ABOUT_THE_OUTSIDE = (b"//!", b"/*!")
# Inside of a function these are its own affair.
_STATEMENTS = frozenset(["expression_statement", "lexical_declaration", "variable_declaration"])
_BODIES = ("class_body", "enum_class_body")
_by_name = by_field("name")


class Unit(NamedTuple):
    """`owner` is the position of the unit around it, or -1; `body` is where a container's members begin, in bytes."""

    names: list[Name]
    kind: str
    first: int
    last: int
    owner: int
    body: int | None
    has_block: bool


class Walk:
    """One tree, walked once."""

    def __init__(self, language: Language, source: bytes, lines: LineMap) -> None:
        self._language = language
        self._source = source
        self._lines = lines
        self._kinds = {**language.units, **language.containers}
        self._wrappers = language.wrappers
        self._inside = language.inside | {"ERROR"}
        self._levels: list[Level] = []
        self.units: list[Unit] = []

    def run(self, root: "Node") -> list[Unit]:
        self._levels.append(Level(root, -1, 0, has_block=True))
        while self._levels and len(self.units) < MAX_UNITS:
            level = self._levels[-1]
            count = len(self._levels)
            for node in level.nodes:
                self._visit(node, level)
                if len(self._levels) > count or len(self.units) >= MAX_UNITS:
                    break
            else:
                self._levels.pop()
        return self.units

    def _visit(self, node: "Node", level: Level) -> None:
        type_ = node.type
        if type_ in self._language.leads:
            if not self._source.startswith(_ABOUT_THE_OUTSIDE, node.start_byte):
                level.note(node, self._lines)
            return
        if level.local and type_ in _STATEMENTS:
            pass
        elif type_ in self._kinds or type_ in self._wrappers:
            self._define(node, level)
        elif type_ in self._inside:
            self._enter(node, level)
        level.move_on(node)

    def _enter(self, node: "Node", level: Level) -> None:
        """Into a node that is no unit; what leads it leads a unit that begins on its first line."""
        inner = Level(node, level.owner, level.depth, has_block=level.has_block, local=level.local)
        line = self._lines.line_at(node.start_byte)
        inner.lead, inner.lead_end = level.first_line(line), line - 1
        self._levels.append(inner)

    def _define(self, outer: "Node", level: Level) -> None:
        node = self._unwrapped(outer)
        if node is None:
            return
        names = self._language.readers.get(node.type, _by_name)(node, self._source)
        held = self._held(node)
        body = self._body(held)
        if not names:
            if body is not None:
                self._enter(body, level)
            return
        position = len(self.units)
        first, last = lines_of(outer, self._lines)
        self.units.append(
            Unit(
                names=names,
                kind=self._kind(names[0], node, level.owner),
                first=level.first_line(first),
                last=last,
                owner=level.owner,
                body=body.start_byte if body is not None and held.type in self._language.containers else None,
                has_block=level.has_block,
            )
        )
        if body is not None and level.depth < MAX_DEPTH:
            local = held.type in self._language.nests
            has_block = level.has_block and not local
            self._levels.append(Level(body, position, level.depth + 1, has_block=has_block, local=local))

    def _unwrapped(self, node: "Node") -> "Node | None":
        """What an export, a decorated definition or a template declares."""
        for _ in range(MAX_DEPTH):
            if node.type not in self._wrappers:
                return node
            parts = node.named_children
            found = next(
                (part for part in reversed(parts) if part.type in self._kinds or part.type in self._wrappers), None
            )
            if found is None:
                return None
            node = found
        return None

    def _held(self, node: "Node") -> "Node":
        """The class that a declaration or a binding is about, else the node itself."""
        if node.type in _HOLDS_TYPE:
            type_ = node.child_by_field_name("type")
            return type_ if type_ is not None and type_.type in self._language.containers else node
        if node.type in ("lexical_declaration", "variable_declaration") and node.named_child_count == 1:
            value = node.named_children[0].child_by_field_name("value")
            return value if value is not None and value.type in self._language.containers else node
        return node

    def _body(self, node: "Node") -> "Node | None":
        """Where members stand, for those nodes whose members are looked at."""
        if node.type not in self._language.containers and node.type not in self._language.nests:
            return None
        if (body := node.child_by_field_name("body")) is not None:
            return body
        return next((part for part in node.named_children if part.type in _BODIES), None)

    def _kind(self, name: Name, node: "Node", owner: int) -> str:
        kind = name.kind or self._kinds[node.type]
        if owner >= 0 and self.units[owner].kind in _CLASS_LIKE:
            return _IN_CLASS.get(kind, kind)
        return kind
