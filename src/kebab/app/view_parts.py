"""A document's text and blocks to the parts of a view: a window of lines, pages, regions and stretches. Pure."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from kebab.core.document import Block
from kebab.core.span import LineSpan, PagePlace, RegionPlace, TimePlace
from kebab.core.text import LineMap
from kebab.core.viewing import MOST_PAGES, PageView, RegionView, SegmentView, ViewRequest, Window

_LONGEST_LINE = 100_000
_MOST_CHARS = 1_000_000


def window_of(lines: Sequence[str], starts: LineMap, request: ViewRequest) -> Window:
    """At least one line if there is any, and no more than a page can hold."""
    first = min(request.from_line, max(len(lines), 1))
    items: list[str] = []
    size = 0
    for line in lines[first - 1 : first - 1 + request.lines]:
        size += min(len(line), _LONGEST_LINE)
        if items and size > _MOST_CHARS:
            break
        items.append(line[:_LONGEST_LINE])
    cut = any(len(item) == _LONGEST_LINE for item in items)
    return Window(first, starts.start_of(first), tuple(items), first - 1 + len(items) < len(lines), cut)


def whole_blocks(window: Window, outline: Sequence[LineSpan], most: int) -> tuple[int, int]:
    """The lines of a window, from where the block begins that its first line is in, unless that is far above."""
    last = window.first + len(window.items) - 1
    at = bisect_left(outline, window.first, key=lambda span: span.end)
    if at < len(outline) and window.first - most < outline[at].start < window.first:
        return outline[at].start, last
    return window.first, last


def _extent(span: LineSpan, starts: LineMap, text: str) -> tuple[int, int, str]:
    start, end = starts.start_of(span.start), starts.start_of(span.end + 1)
    if end > start and text[end - 1] == "\n":
        end -= 1
    return start, end, text[start:end]


def pages_of(blocks: Sequence[Block], starts: LineMap, text: str, first: int) -> list[PageView]:
    """Those from `first` on that have text."""
    spans: dict[int, LineSpan] = {}
    for block in blocks:
        if isinstance(block.place, PagePlace) and first <= block.place.page:
            known = spans.setdefault(block.place.page, block.span)
            spans[block.place.page] = LineSpan(min(known.start, block.span.start), max(known.end, block.span.end))
    return [PageView(page, *_extent(spans[page], starts, text), spans[page].start) for page in sorted(spans)]


def sized(pages: Sequence[PageView], sizes: Sequence[tuple[float, float]], first: int) -> tuple[PageView, ...]:
    """With the sizes of pages from `first` on; a page that has a picture and no text is one too."""
    if not sizes:
        return tuple(pages[:MOST_PAGES])
    known = {page.page: page for page in pages}
    return tuple(
        known.get(number, PageView(number, 0, 0, "", 0))._replace(size=size) for number, size in enumerate(sizes, first)
    )


def last_page(blocks: Sequence[Block]) -> int:
    return max((block.place.page for block in blocks if isinstance(block.place, PagePlace)), default=0)


def regions_of(blocks: Sequence[Block], starts: LineMap, text: str) -> Iterator[RegionView]:
    for block in blocks:
        if isinstance(block.place, RegionPlace):
            yield RegionView(*block.place, *_extent(block.span, starts, text))


def segments_of(blocks: Sequence[Block], starts: LineMap, text: str) -> Iterator[SegmentView]:
    for block in blocks:
        if isinstance(place := block.place, TimePlace):
            extent = _extent(block.span, starts, text)
            yield SegmentView(place.start_ms, place.end_ms, *extent, speaker=place.speaker)
