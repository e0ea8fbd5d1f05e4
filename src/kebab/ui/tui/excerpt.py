"""A place in a source to the text around it, fetched from the index, with the passage marked. Draws nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from kebab.core.chunk import Chunk
from kebab.core.citation import Citation, CodeCitation, LineCitation, PageCitation
from kebab.core.errors import SpanNotSupported
from kebab.core.fetching import FetchKind, FetchRequest, FetchResult
from kebab.core.text import split_lines
from kebab.ui.tui.colouring import code_in, markdown, plain

if TYPE_CHECKING:
    from kebab.app.facade import App

_AROUND = 40
_MOST_TOKENS = 12_000
_MARKDOWN = (".md", ".markdown", ".mdx")


class Target(NamedTuple):
    """What to show. `reference` names the document; `passage` are the words that are meant, where they are known."""

    reference: str
    citation: Citation | None = None
    chunk_id: str | None = None
    passage: str = ""
    code_lang: str | None = None

    @property
    def address(self) -> str:
        """What `open` takes."""
        return self.citation.to_uri() if self.citation is not None else self.reference


class SourceLine(NamedTuple):
    """`number` is None where lines have none, as on the pages of a PDF."""

    number: int | None
    text: Text
    meant: bool = False


class Excerpt(NamedTuple):
    title: str
    state: FetchResult
    lines: tuple[SourceLine, ...]


def fetch_excerpt(app: "App", target: Target) -> Excerpt:
    """Raises what a fetch raises."""
    place = target.citation
    if isinstance(place, LineCitation | CodeCitation):
        first, last = _ends(place)
        try:
            return _of_lines(app, target, first, last)
        except SpanNotSupported:
            pass
    if isinstance(place, PageCitation):
        return _of_page(app, target)
    if target.chunk_id is not None:
        return _of_chunk(app, target)
    found = app.fetch(FetchRequest(FetchKind.DOC, target.reference, max_tokens=_MOST_TOKENS))
    return _numbered(found, target, found.line_start, (0, 0))


def _ends(place: LineCitation | CodeCitation) -> tuple[int, int]:
    return (place.start, place.end) if isinstance(place, LineCitation) else (place.line_start, place.line_end)


def _of_lines(app: "App", target: Target, first: int, last: int) -> Excerpt:
    start = max(1, first - _AROUND)
    request = FetchRequest(FetchKind.SPAN, target.reference, start=start, end=last + _AROUND, max_tokens=_MOST_TOKENS)
    return _numbered(app.fetch(request), target, start, (first, last))


def _numbered(found: FetchResult, target: Target, start: int | None, meant: tuple[int, int]) -> Excerpt:
    lines = split_lines(found.text or "")
    first, last = meant
    numbers = range(start, start + len(lines)) if start is not None else [None] * len(lines)
    texts = _coloured(lines, found.doc_path, target)
    return Excerpt(
        _title(found, target),
        found,
        tuple(
            SourceLine(number, text, number is not None and first <= number <= last)
            for number, text in zip(numbers, texts, strict=True)
        ),
    )


def _title(found: FetchResult, target: Target) -> str:
    return found.doc_path if target.citation is None else target.citation.to_uri()


def _coloured(lines: Sequence[str], path: str, target: Target) -> list[Text]:
    language = target.citation.lang if isinstance(target.citation, CodeCitation) else target.code_lang
    if language:
        return code_in(language)(lines)
    return (markdown if path.lower().endswith(_MARKDOWN) else plain)(lines)


def _of_page(app: "App", target: Target) -> Excerpt:
    """The page's own text, with the passage set off where it is found in it."""
    found = app.fetch(FetchRequest(FetchKind.PAGE, target.address, max_tokens=_MOST_TOKENS))
    passage = target.passage
    if not passage and target.chunk_id is not None:
        chunk = app.fetch(FetchRequest(FetchKind.CHUNK, target.chunk_id)).chunk
        passage = chunk.text if chunk is not None else ""
    lines = split_lines(found.text or "")
    first, last = _lines_of(passage, found.text or "")
    texts = plain(lines)
    return Excerpt(
        _title(found, target),
        found,
        tuple(SourceLine(None, text, first <= at <= last) for at, text in enumerate(texts, start=1)),
    )


def _lines_of(passage: str, text: str) -> tuple[int, int]:
    """Where `passage`, or as much of its beginning as the page holds, stands in `text`; (0, -1) when it does not."""
    wanted = passage.strip()
    at = text.find(wanted) if wanted else -1
    if at < 0 and wanted:
        wanted = wanted.split("\n", 1)[0]
        at = text.find(wanted)
    if at < 0:
        return 0, -1
    first = text.count("\n", 0, at) + 1
    return first, first + wanted.count("\n")


def _of_chunk(app: "App", target: Target) -> Excerpt:
    """What was read in a picture or heard in a recording, with what stands before and after."""
    assert target.chunk_id is not None
    found = app.fetch(FetchRequest(FetchKind.CHUNK, target.chunk_id, context=1, max_tokens=_MOST_TOKENS))
    chunks: tuple[Chunk, ...] = (*found.context_before, *((found.chunk,) if found.chunk else ()), *found.context_after)
    lines = [
        SourceLine(None, text, chunk is found.chunk)
        for chunk in chunks
        for text in plain([*split_lines(chunk.text), ""])
    ]
    return Excerpt(_title(found, target), found, tuple(lines))
