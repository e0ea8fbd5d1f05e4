"""A document as a person looks at it: lines, a tree of Markdown, pages, regions, stretches of speech; and facets.

Values only. Offsets count characters of the document's text; lines and pages count from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from kebab.core.inspection import DocSummary, SymbolRow
from kebab.core.query import Freshness

MOST_LINES = 2000
MOST_PAGES = 50
MOST_VALUES = 50

# Every tag a tree may hold; whoever shows one needs to know no other.
TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del table thead tbody tr th td hr br a img text html "
    "footnote".split()
)

Attribute: TypeAlias = "str | int | bool | None"
NO_ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({})


class ViewKind(StrEnum):
    MARKDOWN = "markdown"
    CODE = "code"
    TEXT = "text"
    PAGES = "pages"
    IMAGE = "image"
    AUDIO = "audio"


class Node(NamedTuple):
    """A piece of rendered Markdown. A leaf has `text`; it is `loose` where the source spells it another way.

    `lines` are those of a block; inline nodes have none.
    """

    tag: str
    start: int
    end: int
    children: "tuple[Node, ...]" = ()
    text: str | None = None
    loose: bool = False
    lines: tuple[int, int] | None = None
    attributes: Mapping[str, Attribute] = NO_ATTRIBUTES


class Window(NamedTuple):
    """Lines of the text; `start` is the offset of the first. `cut`: one was too long to be given whole."""

    first: int
    start: int
    items: tuple[str, ...]
    more: bool
    cut: bool = False


class PageView(NamedTuple):
    """A page's text and where it stands in the document's; sizes are points, None where there is no picture of it."""

    page: int
    start: int
    end: int
    text: str
    line: int
    size: tuple[float, float] | None = None


class RegionView(NamedTuple):
    """Text in an image; the box is in pixels of the image."""

    x: int
    y: int
    w: int
    h: int
    start: int
    end: int
    text: str


class SegmentView(NamedTuple):
    start_ms: int
    end_ms: int
    start: int
    end: int
    text: str
    speaker: str | None = None


class ViewRequest(NamedTuple):
    reference: str
    from_line: int = 1
    lines: int = MOST_LINES
    from_page: int = 1


@dataclass(frozen=True, slots=True)
class DocumentView:
    """None says that a document of this kind has no such thing; `nodes` is None as well where there are too many."""

    doc: DocSummary
    kind: ViewKind
    line_count: int
    window: Window
    nodes: tuple[Node, ...] | None = None
    nodes_lines: tuple[int, int] | None = None
    symbols: tuple[SymbolRow, ...] = ()
    pages: tuple[PageView, ...] | None = None
    page_count: int | None = None
    regions: tuple[RegionView, ...] | None = None
    segments: tuple[SegmentView, ...] | None = None
    size: tuple[int, int] | None = None


class Picture(NamedTuple):
    """An image that was made here from a file."""

    data: bytes
    media: str
    freshness: Freshness


class PageBoxes(NamedTuple):
    """Where words stand on a page: left, top, width and height, each from 0 to 1 of the page."""

    page: int
    boxes: tuple[tuple[float, float, float, float], ...]


class FacetValue(NamedTuple):
    value: str
    documents: int


@dataclass(frozen=True, slots=True)
class FacetReport:
    """What can be filtered by, with how many documents each value leaves; `truncated`: not every file was looked at."""

    version: str
    doc_count: int
    chunk_count: int
    corpus_revision: int
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)
    truncated: bool = False
