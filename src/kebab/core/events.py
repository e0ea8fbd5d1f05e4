"""What happens during an ingest, as values; interfaces render the same stream as a bar, as lines or as JSON."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypeAlias

from kebab.core.asset import Source

# Reasons of files that were read in vain.
READ_NOTHING = ("no_text", "no_speech")


class Aside(NamedTuple):
    """Why whoever read a file left it aside; `hint` says what would make it readable, if anything would."""

    reason: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class IngestItem:
    """What became of one file. kind: new, updated, unchanged, skipped, error."""

    kind: str
    doc_path: str
    doc_id: str | None = None
    asset_id: str | None = None
    byte_len: int | None = None
    block_count: int | None = None
    chunk_count: int | None = None
    parser_version: str | None = None
    chunker_version: str | None = None
    warnings: tuple[str, ...] = ()
    error: str | None = None
    aside: Aside | None = None


@dataclass(frozen=True, slots=True)
class SkipCount:
    """How many files a rule kept out, with up to five of them."""

    count: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    scanned: int = 0
    new: int = 0
    updated: int = 0
    skipped: int = 0
    unchanged: int = 0
    errors: int = 0
    chunks_indexed: int = 0
    embeddings_indexed: int = 0


@dataclass(frozen=True, slots=True)
class IngestReport:
    source: Source
    counts: Counts
    duration_ms: int
    skipped_by_extension: Mapping[str, int]
    skips: Mapping[str, SkipCount]
    items: tuple[IngestItem, ...] | None
    purged_deleted_files: int
    purged_paths: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    aborted: bool = False
    dry_run: bool = False

    def notable(self) -> tuple[IngestItem, ...]:
        """Files that failed or warned."""
        return tuple(item for item in self.items or () if item.error or item.warnings)

    def unread(self, most: int) -> tuple[IngestItem, ...]:
        """Files that could not be read or said nothing when they were, up to so many for each reason."""
        seen: Counter[str] = Counter()
        found = []
        for item in self.items or ():
            if item.aside is None or not (item.aside.hint or item.aside.reason in READ_NOTHING):
                continue
            seen[item.aside.reason] += 1
            if seen[item.aside.reason] <= most:
                found.append(item)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class ScanStarted:
    kind: ClassVar[str] = "scan_started"
    ts: str
    root: str


@dataclass(frozen=True, slots=True)
class ScanCompleted:
    kind: ClassVar[str] = "scan_completed"
    ts: str
    total: int
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class AssetStarted:
    kind: ClassVar[str] = "asset_started"
    ts: str
    idx: int
    total: int
    path: str
    media: str
    byte_len: int = 0


@dataclass(frozen=True, slots=True)
class AssetPhase:
    """A slow part of reading the file begins; `phase` is a `PhaseKind`, `model` who does it."""

    kind: ClassVar[str] = "asset_phase"
    ts: str
    idx: int
    total: int
    path: str
    phase: str
    model: str


@dataclass(frozen=True, slots=True)
class PdfOcrStarted:
    """The picture of a page is about to be read: one of `pages` of this file that are read so."""

    kind: ClassVar[str] = "pdf_ocr_started"
    ts: str
    idx: int
    total: int
    path: str
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class PdfOcrFinished:
    kind: ClassVar[str] = "pdf_ocr_finished"
    ts: str
    idx: int
    total: int
    path: str
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class AssetChunked:
    kind: ClassVar[str] = "asset_chunked"
    ts: str
    idx: int
    total: int
    path: str
    chunks: int


@dataclass(frozen=True, slots=True)
class AssetTimings:
    kind: ClassVar[str] = "asset_timings"
    ts: str
    idx: int
    total: int
    path: str
    parse_ms: int
    chunk_ms: int
    store_ms: int
    embed_ms: int = 0
    ocr_ms: int | None = None
    caption_ms: int | None = None


@dataclass(frozen=True, slots=True)
class AssetFinished:
    kind: ClassVar[str] = "asset_finished"
    ts: str
    idx: int
    total: int
    path: str
    result: str
    chunks: int
    error: str | None = None
    doc_id: str | None = None


@dataclass(frozen=True, slots=True)
class EmbedBatchStarted:
    """Chunks that were stored without vectors get theirs; `done` of `total` have them."""

    kind: ClassVar[str] = "embed_batch_started"
    ts: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class EmbedBatchFinished:
    kind: ClassVar[str] = "embed_batch_finished"
    ts: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TuningStarted:
    """A large index is made fast for searches by words; `total` is its number of chunks."""

    kind: ClassVar[str] = "tuning_started"
    ts: str
    total: int


@dataclass(frozen=True, slots=True)
class IngestFinished:
    """The last event of every run: `completed`, or `aborted` with what was done until then."""

    ts: str
    counts: Counts
    report: IngestReport
    aborted: bool = field(default=False)

    @property
    def kind(self) -> str:
        return "aborted" if self.aborted else "completed"


IngestEvent: TypeAlias = (
    ScanStarted
    | ScanCompleted
    | AssetStarted
    | AssetPhase
    | PdfOcrStarted
    | PdfOcrFinished
    | AssetChunked
    | AssetTimings
    | AssetFinished
    | EmbedBatchStarted
    | EmbedBatchFinished
    | TuningStarted
    | IngestFinished
)
