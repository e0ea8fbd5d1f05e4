"""What the walker has to know of a language, as one row of plain values. Knows no language itself."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kebab.parse.code import names, scopes

_NO_READERS: Mapping[str, names.Reader] = MappingProxyType({})


class Language(NamedTuple):
    """`units` and `containers` map node types to kinds of symbols; `inside` and `wrappers` hold units, being none.

    What stands in a wrapper becomes a unit as long as the wrapper (`export`, decorators, `template`); what is inside of
    the others (`#ifdef`, `if`, a group of types) keeps its own lines. `nests` are units whose bodies define symbols
    that get no block of their own. `leads` stand before a unit and belong to it.
    """

    name: str
    grammar: tuple[str, str]
    glue: str
    joiner: str
    scope: scopes.Scope
    units: Mapping[str, str]
    containers: Mapping[str, str]
    leads: frozenset[str]
    wrappers: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    nests: frozenset[str] = frozenset()
    readers: Mapping[str, names.Reader] = _NO_READERS
    package: str | None = None
    latin_only: bool = False


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def kinds(text: str) -> dict[str, str]:
    """`kind: type type; kind: type` as types to kinds."""
    rows = (part.split(":") for part in text.split(";"))
    return {type_: kind.strip() for kind, types in rows for type_ in types.split()}
