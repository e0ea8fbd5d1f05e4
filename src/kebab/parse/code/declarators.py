"""The names C and C++ declare, which stand inside of declarators: `int *(*name)(void)`, `Type &ns::Class::name()`."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kebab.parse.code.names import MAX_STEPS, Name, named, spelled

if TYPE_CHECKING:
    from tree_sitter import Node

# These give the declarator inside of them no field.
_UNMARKED = frozenset(["reference_declarator", "parenthesized_declarator", "attributed_declarator"])
# `operator ==` is called `operator==`, as most people write it.
_SPACED = re.compile(r"(?<=operator) (?=[^\w\s])|(?<=[^\w\s]) (?=[^\w\s])")


def declared(node: "Node", source: bytes) -> list[Name]:
    """Everything a declaration, a definition or a typedef declares, and the type it defines on the way."""
    type_ = node.child_by_field_name("type")
    tag = tagged(type_, source) if type_ is not None else []
    found: list[Name] = []
    for target, function in _targets(node):
        name, scope = _unqualified(target, source)
        text = _spelled(name, source)
        if text:
            kind = _kind(node.type, function=function, beside_tag=bool(tag))
            found.append(Name(text, name.start_byte, kind, "::".join([*scope, text])))
    return found + tag if node.type == "type_definition" else tag + found


def _kind(type_: str, *, function: bool, beside_tag: bool) -> str | None:
    """What a declared name is, where that does not follow from the type of the node alone."""
    if type_ == "type_definition":
        return "type"
    if type_.endswith("declaration"):
        return "prototype" if function else "variable" if beside_tag else None
    return None


def tagged(node: "Node", source: bytes) -> list[Name]:
    """A class, struct, union or enum that has a body, without template arguments."""
    name = node.child_by_field_name("name")
    if name is None or node.child_by_field_name("body") is None:
        return []
    if name.type == "template_type":
        name = name.child_by_field_name("name") or name
    kind = node.type.partition("_")[0]
    bare, scope = _unqualified(name, source)
    return named(bare, source, kind, "::".join([*scope, _spelled(bare, source)]))


def _targets(node: "Node") -> "Iterator[tuple[Node, bool]]":
    """The identifiers a declaration declares, and whether each is a function."""
    for declarator in node.children_by_field_name("declarator"):
        target, function = declarator, False
        for _ in range(MAX_STEPS):
            inner = None if target.type == "operator_cast" else _inside(target)
            if inner is None:
                yield target, function
                break
            function = target.type == "function_declarator"
            target = inner


def _inside(node: "Node") -> "Node | None":
    if (found := node.child_by_field_name("declarator")) is not None:
        return found
    if node.type not in _UNMARKED:
        return None
    return next((part for part in node.named_children if part.type.endswith(("declarator", "identifier"))), None)


def _unqualified(node: "Node", source: bytes) -> "tuple[Node, list[str]]":
    """A name without the scopes before it, and these, without template arguments."""
    scope: list[str] = []
    for _ in range(MAX_STEPS):
        inner = node.child_by_field_name("name") if node.type == "qualified_identifier" else None
        if inner is None:
            break
        outer = node.child_by_field_name("scope")
        scope.append(spelled(outer, source).partition("<")[0] if outer else "")
        node = inner
    return node, [part for part in scope if part]


def _spelled(node: "Node", source: bytes) -> str:
    if node.type == "operator_cast" and (type_ := node.child_by_field_name("type")) is not None:
        return f"operator {spelled(type_, source)}"
    if node.type == "template_function" and (name := node.child_by_field_name("name")) is not None:
        return spelled(name, source)
    text = spelled(node, source)
    return _SPACED.sub("", text) if node.type == "operator_name" else text
