"""Source code bytes to a `Document`: its units as blocks of whole lines, and every name it defines as a symbol.

Gets a file's bytes and its `ParseContext`, and gives a document for any bytes whatever. What a grammar cannot read
still is in a block; a file in which nothing is defined is one block, for a chunker that cuts by paragraphs.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.document import BlockKind, Document
from kebab.core.ports import ParseContext
from kebab.core.span import CodePlace
from kebab.core.text import LineMap, split_lines
from kebab.parse.building import Content, Piece, build, read_text
from kebab.parse.code import grammar
from kebab.parse.code.languages import CPP, LANGUAGES, TSX
from kebab.parse.code.outline import Outline, SourceText, outline
from kebab.parse.code.row import Language
from kebab.parse.code.scopes import path_parts
from kebab.parse.code.tiling import tile
from kebab.parse.code.units import MAX_UNITS, Walk
from kebab.parse.language import UNKNOWN

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

VERSION = "code-{language}-v1"
FALLBACK_VERSION = "none-v1"
AGENT = "kebab.parse.code"
MAX_BYTES = 4 << 20

_COMMENTS = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/)){0,1000}")
_PYTHON_COMMENTS = re.compile(r"#[^\n]*|\"\"\"(?:[^\"]|\"(?!\"\")){0,1000}|'''(?:[^']|'(?!'')){0,1000}")
_COMMENT_MARKS = re.compile(r"[/*#\"'!]+")
_SAMPLED = 100
# What no C header has; where there is none of it, reading a header as C++ as well would only cost time.
_CPP_ONLY = re.compile(
    rb"(?m)^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|(?:public|private|protected):)|\w::\w"
)
# Some grammars know only Latin letters; any letter in their place leaves offsets and structure as they are.
_AS_LATIN = bytes(range(128)) + b"x" * 128


class _Reading(NamedTuple):
    """A file as a language, and what is wrong with that."""

    language: Language
    tree: "Tree | None"
    warning: str | None = None


class CodeParser:
    """One instance per language serves every file; it holds no state."""

    def __init__(self, language: str) -> None:
        self._language = LANGUAGES[language]
        self.version = VERSION.format(language=language)

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        text, warnings = read_text(raw)
        source = text.encode()
        reading = _read(source, self._language, context.workspace_path)
        if reading.warning:
            warnings.append(reading.warning)
        lines = split_lines(text)
        found = _outline(reading, source, context) if reading.tree else Outline([], [])
        if len(found.entries) >= MAX_UNITS:
            warnings.append(f"structure read up to line {found.entries[-1].unit.last}: too many definitions")
        language = reading.language
        prose = _prose(text, language)
        if found.entries:
            pieces, version = tile(found.entries, lines, language), self.version
        else:
            place = CodePlace(None, language.name)
            whole = Piece(BlockKind.CODE, 1, len(lines), (), {"lang": language.name}, place)
            pieces, version = [whole] if lines else [], FALLBACK_VERSION
        content = Content(
            text,
            pieces,
            lang=None if prose else UNKNOWN,
            prose=prose,
            warnings=warnings,
            symbols=found.symbols,
            code_lang=language.name,
        )
        return build(content, context, version, AGENT)


def _read(source: bytes, language: Language, path: str) -> _Reading:
    if len(source) > MAX_BYTES:
        return _Reading(language, None, "structure not read: the file is too large")
    if language.name == "typescript" and path.endswith(".tsx"):
        language = TSX
    tree = grammar.parse(source.translate(_AS_LATIN) if language.latin_only else source, language.grammar)
    if tree is None:
        return _Reading(language, None, "structure not read: it would cost too much")
    if language.name == "c" and path.endswith(".h") and tree.root_node.has_error and _CPP_ONLY.search(source):
        other = grammar.parse(source, CPP.grammar)
        if other and grammar.error_bytes(other.root_node) < grammar.error_bytes(tree.root_node):
            return _Reading(CPP, other)
    return _Reading(language, tree)


def _outline(reading: _Reading, source: bytes, context: ParseContext) -> Outline:
    assert reading.tree is not None
    language, root = reading.language, reading.tree.root_node
    prefix = language.scope(path_parts(context), _package(root, language, source))
    lines = LineMap(source)
    return outline(Walk(language, source, lines).run(root), language, prefix, SourceText(source, lines))


def _package(root: "Node", language: Language, source: bytes) -> str:
    """The name in the package clause, which only comments, annotations and the like precede."""
    if language.package is None:
        return ""
    for index in range(min(root.named_child_count, _SAMPLED)):
        node = root.named_child(index)
        if node is not None and node.type == language.package:
            words = source[node.start_byte : node.end_byte].decode("utf-8", "ignore").partition("package")[2]
            return "".join(words.partition("//")[0].split()).rstrip(";")
    return ""


def _prose(text: str, language: Language) -> list[str]:
    """The words of the first comments, which a person wrote in some language."""
    pattern = _PYTHON_COMMENTS if language.name == "python" else _COMMENTS
    found: Iterator[str] = (match[0] for match in islice(pattern.finditer(text), _SAMPLED))
    return [words for comment in found if (words := _COMMENT_MARKS.sub(" ", comment).strip())]
