"""What engines say of an image, asked once: the text of its pages and a caption, kept in a cache by content."""

from collections.abc import Iterable
from contextlib import closing
from typing import Any, NamedTuple

from kebab.core.phases import Phase, PhaseKind, Steps
from kebab.core.reading import Cache, Captioner, Json, OcrEngine, OcrLine, Recognised, derivation_key, keep, recall
from kebab.parse.image.assembly import clean, mapped
from kebab.parse.image.fetching import Facts, Page, Sandbox, fetch
from kebab.parse.worker import WorkerFailed

# What is kept was made under these rules; other rules make it anew.
_RULES = "image-ocr-v1"
_OCR, _CAPTION = "ocr", "caption"


class Scan(NamedTuple):
    """What is known of an image: its facts, the text of its pages, and whether there are more than were read."""

    facts: Facts
    pages: tuple[Recognised, ...] = ()
    more: bool = False


class Described(NamedTuple):
    facts: Facts
    caption: str


class Scanner:
    """One image at a time. `checksum` names the content of `raw`."""

    def __init__(self, worker: Sandbox, cache: Cache | None) -> None:
        self._worker = worker
        self._cache = cache

    def scan(self, raw: bytes, checksum: str, ocr: OcrEngine) -> Steps[Scan]:
        key = derivation_key(_OCR, checksum, ocr.identity, _RULES)
        if (known := _scan_of(recall(self._cache, key))) is not None:
            return known
        yield Phase(PhaseKind.OCR, ocr.identity.key)
        with closing(fetch(self._worker, raw, ocr.form)) as parts:
            scan = _read(parts, ocr)
        pages: list[Json] = [[page.width, page.height, [list(line) for line in page.lines]] for page in scan.pages]
        keep(self._cache, key, {"facts": list(scan.facts), "pages": pages, "more": scan.more}, _OCR)
        return scan

    def describe(self, raw: bytes, checksum: str, captioner: Captioner) -> Steps[Described]:
        """Of the first page."""
        key = derivation_key(_CAPTION, checksum, captioner.identity, _RULES)
        if (known := _described_of(recall(self._cache, key))) is not None:
            return known
        yield Phase(PhaseKind.CAPTION, captioner.identity.key)
        with closing(fetch(self._worker, raw, captioner.form, most=1)) as parts:
            pages = [page for page in parts if page is not None]
        if not pages:
            raise _nothing()
        described = Described(pages[0].facts, clean(captioner.caption(pages[0].png)))
        keep(self._cache, key, {"facts": list(described.facts), "caption": described.caption}, _CAPTION)
        return described


def _read(parts: Iterable[Page | None], ocr: OcrEngine) -> Scan:
    """Pages come in parts where they have columns."""
    facts: Facts | None = None
    pages: dict[int, Recognised] = {}
    more = False
    for part in parts:
        if part is None:
            more = True
            continue
        facts = facts or part.facts
        seen = mapped(ocr.read(part.png), part.area, part.size)
        before = pages.get(part.number)
        pages[part.number] = seen._replace(lines=before.lines + seen.lines) if before else seen
    if facts is None:
        raise _nothing()
    return Scan(facts, tuple(pages.values()), more)


def _scan_of(value: dict[str, Any] | None) -> Scan | None:
    """What was kept, if it still has the shape of it."""
    if value is None:
        return None
    try:
        pages = [(tuple(OcrLine(*line) for line in lines), width, height) for width, height, lines in value["pages"]]
        return Scan(Facts(*value["facts"]), tuple(Recognised(*page) for page in pages), value["more"])
    except (TypeError, ValueError, KeyError):
        return None


def _described_of(value: dict[str, Any] | None) -> Described | None:
    if value is None:
        return None
    try:
        return Described(Facts(*value["facts"]), value["caption"])
    except (TypeError, ValueError, KeyError):
        return None


def _nothing() -> WorkerFailed:
    return WorkerFailed("the image reader gave no page")
