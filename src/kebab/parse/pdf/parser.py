"""PDF bytes to a `Document`: text by page in reading order, and a word about every page that could not be read.

Everything that touches the bytes runs in a worker. A page that is only a picture goes to `PageOcr`, if there is one.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Protocol

from kebab.core.document import Document, UserValue
from kebab.core.errors import KebabError, LeftAside
from kebab.core.ports import ParseContext
from kebab.parse.building import Content, build
from kebab.parse.pdf import assembly, margins, naming
from kebab.parse.pdf.fetching import Caps, fetch, ranges
from kebab.parse.pdf.values import Page, Pdf, Row
from kebab.parse.worker import Limits, Worker
from kebab.parse.worker.frames import Json

VERSION = "pdf-text-v1"
AGENT = "kebab.parse.pdf"

_RENDER = "kebab.parse.pdf.rendering:render"
_DPI = 300
_MOST_PIXELS = 25_000_000
_LIMITS = Limits(result_mb=160)
_OCR_HINT = "`kebab config set ingest.pdf.ocr.enabled true` has pages that are pictures read"
# Characters that stand for nothing: what a font without a table to Unicode leaves.
_NOTHING = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\x7f-\x9f]")
_MOST_NOTHING = 0.3


class OcrMode(StrEnum):
    SCANNED = "scanned"
    ALWAYS = "always"


class PageOcr(Protocol):
    """Reads pictures of pages. `version` is whatever changes what it reads."""

    @property
    def version(self) -> str: ...

    def read(self, image: bytes) -> Sequence[str]:
        """The lines of a picture (PGM), from top to bottom; an empty one ends a paragraph. May raise a KebabError."""
        ...


class PdfParser:
    """One instance serves every file. Its worker starts with the first of them."""

    version = VERSION

    def __init__(
        self,
        worker: Worker | None = None,
        ocr: PageOcr | None = None,
        mode: OcrMode = OcrMode.SCANNED,
        caps: Caps | None = None,
    ) -> None:
        self._worker = worker or Worker(_LIMITS, "PDF reader")
        self._ocr = ocr
        self._mode = mode
        self._caps = caps or Caps()

    @property
    def variant(self) -> str:
        """What besides the version shapes a document, for whoever decides whether a file is to be read again."""
        return f"ocr={self._mode}:{self._ocr.version}" if self._ocr else ""

    def close(self) -> None:
        self._worker.close()

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        if not raw.strip(b"\x00\t\n\r "):
            raise LeftAside("empty", "the file is empty")
        pdf = fetch(self._worker, raw, self._caps)
        unread = [page.number for page in pdf.pages if _needs_eyes(page)]
        warnings = list(pdf.warnings)
        if self._ocr is not None:
            unread = self._look(self._ocr, raw, pdf, unread, warnings)
        if unread:
            warnings.append(f"{ranges(unread)} hold{'s' * (len(unread) == 1)} no text (scanned?). {_OCR_HINT}")
        if not any(page.rows or page.fields for page in pdf.pages):
            raise _nothing_to_read(pdf, unread)
        return build(_content(pdf, unread, warnings), context, VERSION, AGENT)

    def _look(self, ocr: PageOcr, raw: bytes, pdf: Pdf, unread: list[int], warnings: list[str]) -> list[int]:
        """Reads pictures of the pages that need it, in place; gives those that still say nothing."""
        wanted = unread if self._mode is OcrMode.SCANNED else [page.number for page in pdf.pages]
        left = set(unread)
        try:
            for number, image in self._pictures(raw, wanted):
                rows = _rows(ocr.read(image)) if image else []
                if rows:
                    pdf.pages[number - 1].rows[:] = rows
                    left.discard(number)
        except KebabError as error:
            warnings.append(f"not every page could be read from its picture: {error.message}")
        return sorted(left)

    def _pictures(self, raw: bytes, numbers: list[int]) -> Iterator[tuple[int, bytes]]:
        if not numbers:
            return
        wanted: dict[str, Json] = {"pages": numbers, "dpi": _DPI, "pixels": _MOST_PIXELS}
        for reply in self._worker.stream(_RENDER, raw, wanted, together=False):
            if isinstance(reply.value, int) and reply.value in numbers:
                yield reply.value, reply.data


def _needs_eyes(page: Page) -> bool:
    """A picture, or text in a font that does not say what its letters are."""
    if page.state in ("picture", "failed"):
        return page.state == "picture"
    text = "".join(row.text for row in page.rows)
    return not text.isascii() and len(_NOTHING.findall(text)) > _MOST_NOTHING * len(text)


def _rows(lines: Sequence[str]) -> list[Row]:
    found: list[Row] = []
    starts = False
    for line in lines:
        text = " ".join(line.split())
        if text:
            found.append(Row(text, 0, 0, starts=starts and bool(found)))
        starts = not text
    return found


def _nothing_to_read(pdf: Pdf, unread: list[int]) -> Exception:
    if unread:
        many = f"all {len(pdf.pages)} pages are" if len(pdf.pages) > 1 else "the only page is"
        return LeftAside("scanned", f"{many} pictures without text", hint=_OCR_HINT)
    if pdf.warnings:
        return KebabError(pdf.warnings[0])
    return LeftAside("empty", "the PDF holds no text")


def _content(pdf: Pdf, unread: list[int], warnings: list[str]) -> Content:
    title = naming.title(pdf.facts, pdf.outline, pdf.pages)
    repeated = margins.find(pdf.pages, {naming.one_line(entry.title) for entry in pdf.outline})
    assembled = assembly.assemble(pdf.pages, repeated.rows, pdf.outline)
    told: dict[str, UserValue] = {"pages": pdf.facts.pages}
    if author := naming.person(pdf.facts):
        told["author"] = author
    for name, lines in (("headers", repeated.headers), ("footers", repeated.footers)):
        if lines:
            told[name] = list(lines)
    if unread:
        told["unread_pages"] = list(unread)
    return Content(
        assembled.text,
        assembled.pieces,
        title=title,
        warnings=warnings,
        created_at=naming.moment(pdf.facts.created),
        updated_at=naming.moment(pdf.facts.changed),
        user={"pdf": told},
    )
