"""In the worker: source bytes to what is defined in them. A grammar is native code, and the bytes are anyone's.

Every object of a syntax tree stays here; what leaves are plain values, as few as tell the rest.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.text import LineMap
from kebab.parse.code import grammar
from kebab.parse.code.languages import CPP, LANGUAGES, TSX
from kebab.parse.code.row import Language
from kebab.parse.code.units import Walk
from kebab.parse.worker.frames import Json

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

TOO_DEAR = "it would cost too much"
_BEFORE_PACKAGE = 100
# What no C header has; where there is none of it, reading a header as C++ as well would only cost time.
_CPP_ONLY = re.compile(
    rb"(?m)^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|(?:public|private|protected):)|\w::\w"
)
# Some grammars know only Latin letters; any letter in their place leaves offsets and structure as they are.
_AS_LATIN = bytes(range(128)) + b"x" * 128


class _Parsed(NamedTuple):
    language: Language
    tree: "Tree | None"


def read(source: bytes, arguments: Mapping[str, Json]) -> Json:
    """`[language, package, problem, units]` of a file, whose `language` and `path` are the arguments."""
    language, tree = _parse(source, LANGUAGES[str(arguments["language"])], str(arguments["path"]))
    if tree is None:
        return [language.name, "", TOO_DEAR, []]
    units = Walk(language, source, LineMap(source)).run(tree.root_node)
    return [language.name, _package(tree.root_node, language, source), None, units]


def _parse(source: bytes, language: Language, path: str) -> _Parsed:
    if language.name == "typescript" and path.endswith(".tsx"):
        language = TSX
    tree = grammar.parse(source.translate(_AS_LATIN) if language.latin_only else source, language.grammar)
    if tree is None:
        return _Parsed(language, None)
    if language.name == "c" and path.endswith(".h") and tree.root_node.has_error and _CPP_ONLY.search(source):
        other = grammar.parse(source, CPP.grammar)
        if other and grammar.error_bytes(other.root_node) < grammar.error_bytes(tree.root_node):
            return _Parsed(CPP, other)
    return _Parsed(language, tree)


def _package(root: "Node", language: Language, source: bytes) -> str:
    """The name in the package clause, which only comments, annotations and the like precede."""
    if language.package is None:
        return ""
    for index in range(min(root.named_child_count, _BEFORE_PACKAGE)):
        node = root.named_child(index)
        if node is not None and node.type == language.package:
            words = source[node.start_byte : node.end_byte].decode("utf-8", "ignore").partition("package")[2]
            return "".join(words.partition("//")[0].split()).rstrip(";")
    return ""
