"""What OCR made of images and scanned pages: how much was read by whom, and what could not be read."""

from typing import NamedTuple

# Why a file could not be read: what its reader said of it, or one of these.
FAILED = "failed"
UNREAD_PAGES = "unread_pages"


class RecognisedBy(NamedTuple):
    """What one engine read in one sort of file, `image` or `pdf`. Pages of a PDF have no regions of their own.

    `confidence` is the mean over lines; None when the engine's certainty is not kept, as for pages of PDFs.
    """

    media: str
    engine: str
    documents: int
    pages: int
    regions: int
    lines: int
    confidence: float | None = None


class OcrStats(NamedTuple):
    """`unread_*` are documents that hold pages of which nothing could be read, and these pages."""

    readers: tuple[RecognisedBy, ...] = ()
    unread_documents: int = 0
    unread_pages: int = 0

    @property
    def documents(self) -> int:
        return sum(reader.documents for reader in self.readers)

    @property
    def pages(self) -> int:
        return sum(reader.pages for reader in self.readers)

    @property
    def lines(self) -> int:
        return sum(reader.lines for reader in self.readers)


class OcrFailure(NamedTuple):
    """A file that is not in the index, or not all of it. `seen_at` is when that was last found so."""

    doc_path: str
    reason: str
    message: str
    hint: str | None
    seen_at: str
    pages: tuple[int, ...] = ()


class RunNote(NamedTuple):
    """What an ingest wrote down of a file that needs attention; `reason` is set when its reader left it aside."""

    doc_path: str
    finished_at: str
    error: str | None = None
    reason: str | None = None
    message: str = ""
    hint: str | None = None
