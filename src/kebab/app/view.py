"""`GET /v1/view`: a document as a person looks at it, in a window of lines or pages. Text comes from the index.

The file itself is asked only for the sizes of its pages, and a view without them is a view.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from kebab.app import view_parts as parts
from kebab.app.library import summary_of
from kebab.app.references import find_document
from kebab.core.asset import PAGED
from kebab.core.document import Metadata
from kebab.core.errors import InvalidInput
from kebab.core.inspection import SymbolRow
from kebab.core.query import Filters
from kebab.core.text import LineMap, split_lines
from kebab.core.viewing import MOST_LINES, MOST_PAGES, DocumentView, ViewKind, ViewRequest
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

_MOST_SYMBOLS = 2000
# Characters; a window of whole lines can hold more where one of them has no end.
_MOST_RENDERED = 1_500_000
_KINDS = {
    "markdown": ViewKind.MARKDOWN,
    "code": ViewKind.CODE,
    "pdf": ViewKind.PAGES,
    "image": ViewKind.IMAGE,
    "audio": ViewKind.AUDIO,
    "video": ViewKind.AUDIO,
}
# How many pages a PDF has and the sizes of those from one on, so many at the most; None for one that cannot be opened.
Sizes = Callable[[DocumentRow, int, int], tuple[int, Sequence[tuple[float, float]]] | None]


class Viewer:
    """Answers from one open index."""

    def __init__(self, store: Store, stale_days: int, sizes: Sizes) -> None:
        self._store = store
        self._stale_days = stale_days
        self._sizes = sizes

    def view(self, request: ViewRequest) -> DocumentView:
        if request.from_line < 1 or request.from_page < 1 or not 1 <= request.lines <= MOST_LINES:
            raise InvalidInput(f"lines and pages count from 1, and a view has at most {MOST_LINES} lines")
        # The document may be replaced meanwhile; its row, text and blocks must be of one time.
        with self._store.snapshot():
            row = find_document(self._store, request.reference).row
            text = self._store.contents.source_text(row.doc_key)
            starts = LineMap(text)
            view = self._head(row, split_lines(text), starts, request)
            if view.kind is ViewKind.MARKDOWN:
                return self._rendered(view, row, text, starts)
            return view if view.kind is ViewKind.CODE else self._placed(view, row, (text, starts), request)

    def _head(self, row: DocumentRow, lines: list[str], starts: LineMap, request: ViewRequest) -> DocumentView:
        metadata, _, _ = self._store.contents.facts(row.doc_key)
        kind = _KINDS.get(row.media_type.partition("/")[0], ViewKind.TEXT)
        return DocumentView(
            doc=summary_of(row, metadata.tags, self._stale_days),
            kind=kind,
            line_count=len(lines),
            window=parts.window_of(lines, starts, request),
            symbols=self._symbols(row) if kind is ViewKind.CODE else (),
            size=_size(metadata),
        )

    def _symbols(self, row: DocumentRow) -> tuple[SymbolRow, ...]:
        return tuple(self._store.symbols.find("", Filters(doc_ids=(row.doc_id,)), _MOST_SYMBOLS))

    def _rendered(self, view: DocumentView, row: DocumentRow, text: str, starts: LineMap) -> DocumentView:
        from kebab.parse.markdown.tree import Passage, read

        if not view.window.items:
            return replace(view, nodes=())
        outline = self._store.contents.outline(row.doc_key) if view.window.first > 1 else ()
        first, last = parts.whole_blocks(view.window, outline, MOST_LINES)
        begin, end = starts.start_of(first), starts.start_of(last + 1)
        if end - begin > _MOST_RENDERED:
            return view
        nodes = read(Passage(text[begin:end], begin, first), row.workspace_path, self._store.shelf)
        return replace(view, nodes=nodes, nodes_lines=(first, last))

    def _placed(
        self, view: DocumentView, row: DocumentRow, read: tuple[str, LineMap], request: ViewRequest
    ) -> DocumentView:
        """With what stands at pages, in regions or at times."""
        text, starts = read
        blocks = self._store.contents.blocks(row.doc_key)
        if view.kind is ViewKind.IMAGE:
            return replace(view, regions=tuple(parts.regions_of(blocks, starts, text)))
        if view.kind is ViewKind.AUDIO:
            return replace(view, segments=tuple(parts.segments_of(blocks, starts, text)))
        count = parts.last_page(blocks)
        if not count and view.kind is ViewKind.TEXT:
            return view
        pages = parts.pages_of(blocks, starts, text, request.from_page)
        found = self._sizes(row, request.from_page, MOST_PAGES) if row.media_type in PAGED else None
        count, sizes = found or (count, ())
        shown = parts.sized(pages, sizes, request.from_page)
        return replace(view, kind=ViewKind.PAGES, pages=shown, page_count=count)


def _size(metadata: Metadata) -> tuple[int, int] | None:
    told = metadata.user.get("image")
    if not isinstance(told, dict):
        return None
    width, height = told.get("width"), told.get("height")
    return (width, height) if isinstance(width, int) and isinstance(height, int) else None
