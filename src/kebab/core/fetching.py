"""What is fetched and opened: the request for a text of the index, the text with its place, and the way to a file."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from kebab.core.chunk import Chunk
from kebab.core.citation import Citation
from kebab.core.query import Freshness


class FetchKind(StrEnum):
    CHUNK = "chunk"
    DOC = "doc"
    SPAN = "span"
    PAGE = "page"


class FetchRequest(NamedTuple):
    """Which text. `reference` is an id, the beginning of one, a workspace path or a citation.

    `context` is the number of neighbours on each side of a chunk; `start` and `end` are the lines of a span, both
    included; `max_tokens` 0 sets no limit. A citation says its lines or its page itself, so 0 takes them from there.
    """

    kind: FetchKind
    reference: str
    context: int = 0
    start: int = 0
    end: int = 0
    page: int = 0
    max_tokens: int = 0


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The text as it was indexed, with where it stands and whether its file still says so.

    A chunk comes with its neighbours in document order; everything else is `text`. The lines are None where a citation
    would not name lines; `line_end` is the last line that was asked for, `effective_end` the last one in `text`.
    """

    kind: FetchKind
    doc_id: str
    doc_path: str
    trust_level: str
    indexed_at: str
    stale: bool
    freshness: Freshness
    truncated: bool = False
    citation: Citation | None = None
    chunk: Chunk | None = None
    context_before: tuple[Chunk, ...] = ()
    context_after: tuple[Chunk, ...] = ()
    text: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    effective_end: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A file on this machine and the words of the command that shows it, at the place if the program can do that.

    `waits` says whether the command holds the terminal until the person is done, as an editor does.
    """

    doc_path: str
    file: str
    freshness: Freshness
    command: tuple[str, ...]
    waits: bool
    citation: Citation | None = None
