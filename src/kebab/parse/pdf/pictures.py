"""Pages of a PDF that are pictures to rows of text: who reads them, which pages need it, and what came of it."""

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from kebab.core.document import UserValue
from kebab.core.errors import KebabError, LeftAside, MissingExtra
from kebab.core.phases import PagePhase, Phase, PhaseKind, Step
from kebab.parse.pdf.fetching import ranges
from kebab.parse.pdf.values import Page, Pdf, Row
from kebab.parse.worker import Worker
from kebab.parse.worker.frames import Json

OCR_HINT = "`kebab config set ingest.pdf.ocr.enabled true` has pages that are pictures read"

_RENDER = "kebab.parse.pdf.rendering:render"
_DPI = 300
_MOST_PIXELS = 25_000_000
# An engine that failed so often in a file will not read the rest of it either.
_MOST_FAILURES = 3
# Characters that stand for nothing: what a font without a table to Unicode leaves.
_NOTHING = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\x7f-\x9f]")
_MOST_NOTHING = 0.3


class OcrMode(StrEnum):
    SCANNED = "scanned"
    ALWAYS = "always"


class PageOcr(Protocol):
    """Reads pictures of pages. `version` is whatever changes what it reads."""

    @property
    def version(self) -> str:
        """May raise a KebabError."""
        ...

    def read(self, image: bytes) -> Sequence[str]:
        """The lines of a picture (PGM), from top to bottom; an empty one ends a paragraph. May raise a KebabError."""
        ...


@dataclass(slots=True)
class Seen:
    """What was made of the pictures: the pages that still say nothing, and what was read from the others."""

    unread: set[int]
    engine: str = ""
    looked: bool = False
    pages: int = 0
    lines: int = 0
    problems: list[KebabError] = field(default_factory=list)

    def warnings(self) -> Iterator[str]:
        if self.problems:
            yield f"not every page could be read from its picture: {self.problems[-1].message}"
        if self.unread:
            hold = f"{ranges(sorted(self.unread))} hold{'s' * (len(self.unread) == 1)} no text"
            yield f"{hold} that could be read" if self.looked else f"{hold} (scanned?). {OCR_HINT}"

    def facts(self) -> dict[str, UserValue]:
        """What `kebab inspect ocr-stats` adds up."""
        told: dict[str, UserValue] = {}
        if self.pages:
            told["ocr"] = {"engine": self.engine, "pages": self.pages, "lines": self.lines}
        if self.unread:
            told["unread_pages"] = [*sorted(self.unread)]
        return told

    def refusal(self, pages: int) -> LeftAside:
        """Why a file of nothing but pictures is left aside. One that may be read another time comes with a hint."""
        many = f"all {pages} pages are pictures" if pages > 1 else "the only page is a picture"
        if not self.looked:
            return LeftAside("scanned", f"{many} without text", hint=OCR_HINT)
        if not self.problems:
            return LeftAside("no_text", f"{many}, and no text could be read")
        problem = self.problems[-1]
        if isinstance(problem, MissingExtra):
            return LeftAside("no_ocr", f"{many}, and {problem.message}", hint=problem.hint)
        hint = problem.hint or "see `kebab doctor`; `kebab ingest` tries again"
        return LeftAside("scanned", f"{many}, which could not be read: {problem.message}", hint=hint)


def needs_eyes(page: Page) -> bool:
    """A picture, or text in a font that does not say what its letters are."""
    if page.state in ("picture", "failed"):
        return page.state == "picture"
    text = "".join([row.text for row in page.rows])
    return not text.isascii() and len(_NOTHING.findall(text)) > _MOST_NOTHING * len(text)


def look(
    worker: Worker, ocr: PageOcr, raw: bytes, pdf: Pdf, wanted: list[int], seen: Seen
) -> Generator[Step, None, None]:
    """Reads pictures of these pages, in place. An engine that fails is left at last, never raised."""
    seen.looked = True
    if not wanted:
        return
    try:
        seen.engine = ocr.version
        yield Phase(PhaseKind.OCR, seen.engine)
        with closing(_pictures(worker, raw, wanted)) as pictures:
            for number, image in pictures:
                yield PagePhase(number, len(wanted))
                _take(pdf.pages[number - 1], ocr, image, seen)
                yield PagePhase(number, len(wanted), finished=True)
                if len(seen.problems) == _MOST_FAILURES:
                    break
    except KebabError as error:
        seen.problems.append(error)


def _take(page: Page, ocr: PageOcr, image: bytes, seen: Seen) -> None:
    try:
        rows = _rows(ocr.read(image)) if image else []
    except MissingExtra:
        raise
    except KebabError as error:
        seen.problems.append(error)
        return
    if rows:
        page.rows[:] = rows
        seen.unread.discard(page.number)
        seen.pages += 1
        seen.lines += len(rows)


def _pictures(worker: Worker, raw: bytes, numbers: list[int]) -> Generator[tuple[int, bytes], None, None]:
    wanted: dict[str, Json] = {"pages": numbers, "dpi": _DPI, "pixels": _MOST_PIXELS}
    asked = set(numbers)
    for reply in worker.stream(_RENDER, raw, wanted, together=False):
        if isinstance(reply.value, int) and reply.value in asked:
            yield reply.value, reply.data


def _rows(lines: Sequence[str]) -> list[Row]:
    found: list[Row] = []
    starts = False
    for line in lines:
        text = " ".join(line.split())
        if text:
            found.append(Row(text, 0, 0, starts=starts and bool(found)))
        starts = not text
    return found
