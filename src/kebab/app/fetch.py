"""`kebab fetch`: a chunk with its neighbours, a document, lines or a page, word for word as they were indexed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from shlex import quote

from kebab.app.freshness import freshness, is_stale
from kebab.app.references import Referred, citation_of, find_chunk, find_document, is_text_file
from kebab.core.chunk import Chunk
from kebab.core.citation import Citation, CodeCitation, LineCitation, PageCitation
from kebab.core.errors import InvalidInput, SpanNotSupported
from kebab.core.fetching import FetchKind, FetchRequest, FetchResult
from kebab.core.span import CodePlace, PagePlace, Place, TimePlace
from kebab.core.text import split_lines, token_estimate
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# `token_estimate` the other way round.
_BYTES_PER_TOKEN = 3


class Fetcher:
    """Answers requests from one open index. Text comes from the store, whatever the disk holds by now."""

    def __init__(self, store: Store, stale_days: int) -> None:
        self._store = store
        self._stale_days = stale_days
        self._ways = {
            FetchKind.CHUNK: self._chunk,
            FetchKind.DOC: self._doc,
            FetchKind.SPAN: self._span,
            FetchKind.PAGE: self._page,
        }

    def fetch(self, request: FetchRequest) -> FetchResult:
        for name, given in (("context", request.context), ("max_tokens", request.max_tokens)):
            if given < 0:
                raise InvalidInput(f"{name} must be 0 or more, not {given}", field=name)
        # The document may be replaced meanwhile; its row, text and chunks must be of one time.
        with self._store.snapshot():
            return self._ways[request.kind](request)

    def _head(self, row: DocumentRow, kind: FetchKind) -> FetchResult:
        return FetchResult(
            kind=kind,
            doc_id=row.doc_id,
            doc_path=row.workspace_path,
            trust_level=row.trust_level,
            indexed_at=row.updated_at,
            stale=is_stale(row.updated_at, self._stale_days),
            freshness=freshness(row),
        )

    def _chunk(self, request: FetchRequest) -> FetchResult:
        row, chunk = find_chunk(self._store, request.reference)
        before: Sequence[Chunk] = ()
        after: Sequence[Chunk] = ()
        if request.context:
            at, reach = chunk.ordinal, min(request.context, row.chunk_count)
            around = self._store.contents.chunks_of(row.doc_key, at - reach, at + reach)
            before = [each for each in around if each.ordinal < at]
            after = [each for each in around if each.ordinal > at]
        near = len(before) + len(after)
        if request.max_tokens:
            before, after = _nearest(before, after, request.max_tokens - chunk.token_estimate)
        return replace(
            self._head(row, FetchKind.CHUNK),
            citation=citation_of(chunk, row.workspace_path),
            chunk=chunk,
            context_before=tuple(before),
            context_after=tuple(after),
            truncated=len(before) + len(after) < near,
        )

    def _doc(self, request: FetchRequest) -> FetchResult:
        row = find_document(self._store, request.reference).row
        whole = self._store.contents.source_text(row.doc_key)
        text, truncated = _within(whole, request.max_tokens)
        found = replace(self._head(row, FetchKind.DOC), text=text, truncated=truncated)
        if not whole or self._other_place(row) is not None:
            return found
        lines = len(split_lines(whole))
        end = 1 + text.count("\n") if truncated else lines
        return replace(found, line_start=1, line_end=lines, effective_end=end, citation=_citation_of_lines(row, 1, end))

    def _span(self, request: FetchRequest) -> FetchResult:
        referred = find_document(self._store, request.reference)
        row = referred.row
        if (place := self._other_place(row)) is not None:
            raise _not_supported(row.workspace_path, place, referred.place)
        first, last = _lines_asked(request, referred)
        lines = split_lines(self._store.contents.source_text(row.doc_key))
        if first > len(lines):
            raise InvalidInput(
                f"line {first} is beyond the end of {row.workspace_path}, which has {len(lines)} lines",
                hint=f"`kebab fetch doc {quote(row.workspace_path)}` gives all of it",
                line_count=len(lines),
            )
        text, truncated = _within("\n".join(lines[first - 1 : last]), request.max_tokens)
        end = first + text.count("\n")
        return replace(
            self._head(row, FetchKind.SPAN),
            citation=_citation_of_lines(row, first, end),
            text=text,
            truncated=truncated,
            line_start=first,
            line_end=last,
            effective_end=end,
        )

    def _page(self, request: FetchRequest) -> FetchResult:
        row, place = find_document(self._store, request.reference)
        path, number = row.workspace_path, request.page
        if isinstance(place, PageCitation) and not number:
            number = place.page
        if number < 1:
            raise InvalidInput(f"pages count from 1, and the page asked for is {number}", page=number)
        blocks = self._store.contents.blocks(row.doc_key)
        placed = [(block.place.page, block.span) for block in blocks if isinstance(block.place, PagePlace)]
        last = max((page for page, _ in placed), default=0)
        if not last:
            raise InvalidInput(f"{path} has no pages", hint=f"`kebab fetch doc {quote(path)}` gives its text")
        if number > last:
            raise InvalidInput(
                f"{path} has no text after page {last}, and page {number} was asked for", page_count=last
            )
        spans = [span for page, span in placed if page == number]
        text, truncated = "", False
        if spans:
            # A page's blocks follow one another in the text; between them are the blank lines of the page.
            lines = self._store.contents.source_text(row.doc_key).split("\n")[spans[0].start - 1 : spans[-1].end]
            text, truncated = _within("\n".join(lines), request.max_tokens)
        head, citation = self._head(row, FetchKind.PAGE), PageCitation(path, number)
        return replace(head, citation=citation, text=text, truncated=truncated, page=number)

    def _other_place(self, row: DocumentRow) -> Place | None:
        """The first place of a document whose citations do not name lines; None for all others."""
        if is_text_file(row):
            return None
        places = (block.place for block in self._store.contents.blocks(row.doc_key))
        return next((place for place in places if place is not None and not isinstance(place, CodePlace)), None)


def _nearest(before: Sequence[Chunk], after: Sequence[Chunk], budget: int) -> tuple[list[Chunk], list[Chunk]]:
    """The neighbours that fit, taken from the chunk outwards until one does not."""
    kept: tuple[list[Chunk], list[Chunk]] = [], []
    pairs = zip_longest(reversed(before), after)
    for side, chunk in (each for pair in pairs for each in enumerate(pair)):
        if chunk is None:
            continue
        budget -= chunk.token_estimate
        if budget < 0:
            break
        kept[side].append(chunk)
    return kept[0][::-1], kept[1]


def _within(text: str, max_tokens: int) -> tuple[str, bool]:
    """The lines from the top that fit, and whether any did not. Only a first line that is too long is cut itself."""
    if not max_tokens or token_estimate(text) <= max_tokens:
        return text, False
    size = max_tokens * _BYTES_PER_TOKEN
    kept = text[:size].encode("utf-8")[:size].decode("utf-8", "ignore")
    line_end = kept.rfind("\n")
    return (kept if line_end < 0 or text[len(kept)] == "\n" else kept[:line_end]), True


def _lines_asked(request: FetchRequest, referred: Referred) -> tuple[int, int]:
    first, last = request.start, request.end
    if isinstance(referred.place, LineCitation) and not first and not last:
        first, last = referred.place.start, referred.place.end
    if not first and not last:
        raise InvalidInput("a span needs its lines", hint="`kebab fetch span notes/a.md 5 9`, or notes/a.md#L5-L9")
    if first < 1:
        raise InvalidInput(f"lines count from 1, and the span starts at {first}", start=first)
    if last < first:
        raise InvalidInput(f"the span ends at line {last}, before its start at line {first}", start=first, end=last)
    return first, last


def _citation_of_lines(row: DocumentRow, first: int, last: int) -> Citation:
    if row.code_lang is not None:
        return CodeCitation(row.workspace_path, first, last, lang=row.code_lang)
    return LineCitation(row.workspace_path, first, last)


def _not_supported(path: str, place: Place, cited: Citation | None) -> SpanNotSupported:
    hint = f"`kebab fetch doc {quote(path)}` gives all of its text"
    if isinstance(place, PagePlace):
        hint = f"`kebab fetch page {quote(path)} {cited.page if isinstance(cited, PageCitation) else place.page}`"
    elif isinstance(place, TimePlace):
        hint = "`kebab fetch chunk ID --context 1` gives a stretch of it; `kebab search --json` shows ids"
    kind = str(place.to_json()["kind"])
    return SpanNotSupported(f"{path} is cited by {kind}, not by line", hint=hint, doc_path=path, cited_by=kind)
