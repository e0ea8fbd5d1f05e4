"""Source code bytes to a `Document`: its units as blocks of whole lines, and every name it defines as a symbol.

Gets a file's bytes and its `ParseContext`, and gives a document for any bytes whatever. Grammars read them in a worker.
What they cannot read still is in a block; a file in which nothing is defined, or which was too much for them, is one
block, for a chunker that cuts by paragraphs.
"""

import re
from collections.abc import Iterator
from itertools import islice

from kebab.core.document import BlockKind, Document
from kebab.core.ports import ParseContext
from kebab.core.span import CodePlace
from kebab.core.text import LineMap, split_lines
from kebab.parse.building import Content, Piece, build, read_text
from kebab.parse.code.fetching import LIMITS, NAME, Reading, Sandbox, fetch
from kebab.parse.code.languages import LANGUAGES
from kebab.parse.code.outline import Outline, SourceText, outline
from kebab.parse.code.row import Language
from kebab.parse.code.scopes import path_parts
from kebab.parse.code.tiling import tile
from kebab.parse.code.units import MAX_UNITS
from kebab.parse.language import UNKNOWN
from kebab.parse.worker import Worker, WorkerFailed

VERSION = "code-{language}-v1"
FALLBACK_VERSION = "none-v1"
AGENT = "kebab.parse.code"
MAX_BYTES = 4 << 20

_COMMENTS = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/)){0,1000}")
_PYTHON_COMMENTS = re.compile(r"#[^\n]*|\"\"\"(?:[^\"]|\"(?!\"\")){0,1000}|'''(?:[^']|'(?!'')){0,1000}")
_COMMENT_MARKS = re.compile(r"[/*#\"'!]+")
_SAMPLED = 100


class CodeParser:
    """One instance per language serves every file. Its worker starts with the first."""

    def __init__(self, language: str, worker: Sandbox | None = None) -> None:
        self._language = LANGUAGES[language]
        self._worker: Sandbox = worker or Worker(LIMITS, NAME)
        self.version = VERSION.format(language=language)

    @classmethod
    def of_all(cls) -> "dict[str, CodeParser]":
        """One for each language, all with the same worker."""
        worker = Worker(LIMITS, NAME)
        return {language: cls(language, worker) for language in LANGUAGES}

    def close(self) -> None:
        self._worker.close()

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        text, warnings = read_text(raw)
        source = text.encode()
        reading = self._read(source, context.workspace_path)
        if reading.problem:
            warnings.append(f"structure not read: {reading.problem}")
        lines = split_lines(text)
        found = _outline(reading, source, context) if reading.units else Outline([], [])
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

    def _read(self, source: bytes, path: str) -> Reading:
        unread = Reading(self._language, "", None, [])
        if len(source) > MAX_BYTES:
            return unread._replace(problem="the file is too large")
        if not source or source.isspace():
            return unread
        try:
            return fetch(self._worker, source, self._language.name, path)
        except WorkerFailed as failed:
            return unread._replace(problem=failed.message)


def _outline(reading: Reading, source: bytes, context: ParseContext) -> Outline:
    prefix = reading.language.scope(path_parts(context), reading.package)
    return outline(reading.units, reading.language, prefix, SourceText(source, LineMap(source)))


def _prose(text: str, language: Language) -> list[str]:
    """The words of the first comments, which a person wrote in some language."""
    pattern = _PYTHON_COMMENTS if language.name == "python" else _COMMENTS
    found: Iterator[str] = (match[0] for match in islice(pattern.finditer(text), _SAMPLED))
    return [words for comment in found if (words := _COMMENT_MARKS.sub(" ", comment).strip())]
