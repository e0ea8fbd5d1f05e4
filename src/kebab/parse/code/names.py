"""What a definition is called: one small reader for each way a grammar writes names down.

A reader gets a node and the source, and gives the names the node defines, the first of which names it; none when the
node is no definition after all. It follows a node's own parts only, never the depth of the input.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kebab.core.text import nfc

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NAME = 120
# How far a name is looked for inside of types and declarators such as `int (*(*x)[2])(void)`.
MAX_STEPS = 32


class Name(NamedTuple):
    """A defined name. `path` is its part of the qualified name; `kind` is set where the node's type does not tell."""

    text: str
    start: int
    kind: str | None = None
    path: str | None = None

    @property
    def own_path(self) -> str:
        return self.path or self.text


Reader: TypeAlias = "Callable[[Node, bytes], list[Name]]"


def spelled(node: "Node", source: bytes) -> str:
    """A node's source on one line, at most `MAX_NAME` characters of it, in the form in which names are compared."""
    raw = source[node.start_byte : min(node.end_byte, node.start_byte + 4 * MAX_NAME)]
    return nfc(" ".join(raw.decode("utf-8", "ignore").split()))[:MAX_NAME]


def named(node: "Node", source: bytes, kind: str | None = None, path: str | None = None) -> list[Name]:
    text = spelled(node, source).strip("\"'`")
    return [Name(text, node.start_byte, kind, path)] if text else []


def by_field(field: str) -> Reader:
    """The reader of names that stand in this field."""

    def read(node: "Node", source: bytes) -> list[Name]:
        found = node.child_by_field_name(field)
        return named(found, source) if found is not None else []

    return read


def called(text: str) -> Reader:
    """The reader of definitions that have no name of their own unless the field `name` holds one."""

    def read(node: "Node", source: bytes) -> list[Name]:
        found = node.child_by_field_name("name")
        return named(found, source) if found else [Name(text, node.start_byte)]

    return read


def with_keyword(keyword: str) -> Reader:
    """The reader of definitions whose kind is told by a keyword among their parts."""

    def read(node: "Node", source: bytes) -> list[Name]:
        name = node.child_by_field_name("name")
        kind = keyword if any(part.type == keyword for part in node.children) else None
        return named(name, source, kind) if name else []

    return read


def by_child(type_: str) -> Reader:
    """The reader of names that have no field: the first part of this type, or the first part of that."""

    def read(node: "Node", source: bytes) -> list[Name]:
        for child in node.named_children:
            if child.type == type_:
                inner = child.named_child(0) if child.named_child_count else None
                return named(inner or child, source)
        return []

    return read


def each(type_: str) -> Reader:
    """The reader of declarations that hold several parts of this type, each with names, also in a list."""

    def read(node: "Node", source: bytes) -> list[Name]:
        found: list[Name] = []
        parts = list(node.named_children)
        for part in parts:
            if part.type.endswith("_list"):
                parts += part.named_children
            elif part.type == type_:
                for name in part.children_by_field_name("name"):
                    if name.type != ",":
                        found += named(name, source)
        return found

    return read


def implemented(node: "Node", source: bytes) -> list[Name]:
    """Rust: an `impl` is called after its type, without references and arguments."""
    type_ = node.child_by_field_name("type")
    for _ in range(MAX_STEPS):
        inner = type_.child_by_field_name("type") if type_ else None
        if type_ is None or inner is None or type_.type not in ("generic_type", "reference_type", "pointer_type"):
            break
        type_ = inner
    return named(type_, source) if type_ else []


def received(node: "Node", source: bytes) -> list[Name]:
    """Go: a method belongs to the type of its receiver, `(*T).M` or `T.M`."""
    name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if name is None:
        return []
    own = spelled(name, source)
    parameter = receiver.named_child(0) if receiver else None
    type_ = parameter.child_by_field_name("type") if parameter else None
    pointer = type_ is not None and type_.type == "pointer_type"
    if pointer and type_ is not None:
        type_ = type_.named_child(0)
    if type_ is not None and type_.type == "generic_type":
        type_ = type_.child_by_field_name("type")
    if type_ is None:
        return named(name, source)
    owner = spelled(type_, source)
    return named(name, source, path=f"(*{owner}).{own}" if pointer else f"{owner}.{own}")


_FUNCTIONS = frozenset(["arrow_function", "function_expression", "generator_function"])


def bound(node: "Node", source: bytes) -> list[Name]:
    """JavaScript: `const x = ...`, and `let` or `var` when a function or class is bound; an import is no definition."""
    found: list[Name] = []
    constant = source.startswith(b"const", node.start_byte)
    for part in node.named_children:
        name, value = part.child_by_field_name("name"), part.child_by_field_name("value")
        if name is None or name.type != "identifier" or part.type != "variable_declarator":
            continue
        type_ = value.type if value else ""
        if type_ in _FUNCTIONS:
            found += named(name, source, "function")
        elif type_ == "class":
            found += named(name, source, "class")
        elif constant and value and not source.startswith((b"require(", b"await import("), value.start_byte):
            found += named(name, source)
    return found


def assigned(node: "Node", source: bytes) -> list[Name]:
    """JavaScript: `a.b = function ...`; a function put into `exports` or a prototype is named without these."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type not in (*_FUNCTIONS, "class"):
        return []
    parts = [
        part for part in spelled(left, source).split(".") if part not in ("module", "exports", "prototype", "this")
    ]
    kind = "class" if right.type == "class" else "function"
    name = parts[-1] if parts else "default"
    return [Name(name, left.start_byte, kind, ".".join(parts) or name)]


_CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")


def set_once(node: "Node", source: bytes) -> list[Name]:
    """Python: an assignment that defines: to a capitalised name, with a type, or of a lambda. Others are statements."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "identifier":
        return []
    name = spelled(left, source)
    if right is not None and right.type == "lambda":
        return named(left, source, "function")
    if _CONSTANT.fullmatch(name):
        return named(left, source, "constant")
    if name[:1].isupper() or node.child_by_field_name("type") is not None:
        return named(left, source, "variable")
    return []


def alias(node: "Node", source: bytes) -> list[Name]:
    """Python: `type Pair[A] = ...`, whose left side is a type."""
    left = node.child_by_field_name("left")
    for _ in range(MAX_STEPS):
        if left is None or not left.named_child_count:
            break
        left = left.named_child(0)
    return named(left, source) if left else []
