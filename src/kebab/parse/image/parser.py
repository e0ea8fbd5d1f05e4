"""Image bytes to a `Document`: the lines an OCR engine reads with their places, and what a model says it shows.

Everything that touches the bytes runs in a worker. What an engine said of an image is kept in a cache by content, so
that cutting it anew reads nothing anew.
"""

from collections.abc import Sequence

from kebab.core.document import Document, UserValue
from kebab.core.errors import KebabError, LeftAside, MissingExtra
from kebab.core.phases import Steps, finish
from kebab.core.ports import ParseContext
from kebab.core.reading import Cache, Captioner, OcrEngine, OcrLine
from kebab.core.span import CaptionPlace
from kebab.parse.building import Content, build
from kebab.parse.image import assembly
from kebab.parse.image.fetching import MOST_PAGES, Sandbox
from kebab.parse.image.scanning import Scan, Scanner
from kebab.parse.worker import Limits, Worker

VERSION = "image-ocr-v1"
AGENT = "kebab.parse.image"
KINDS = ("png", "jpeg", "webp", "gif", "tiff", "heic")

LIMITS = Limits(memory_mb=2048, cpu_s=120, wall_s=60.0, result_mb=160)
NO_OCR_HINT = "install tesseract with Korean: `apt install tesseract-ocr tesseract-ocr-kor`; then see `kebab doctor`"


class ImageParser:
    """`kind` is one of KINDS. One instance serves every file; with neither engine nor captioner it leaves all aside."""

    version = VERSION

    def __init__(
        self,
        kind: str,
        ocr: OcrEngine | None,
        captioner: Captioner | None = None,
        cache: Cache | None = None,
        worker: Sandbox | None = None,
    ) -> None:
        self.kind = kind
        self._ocr = ocr
        self._captioner = captioner
        self._worker: Sandbox = worker or Worker(LIMITS, "image reader")
        self._cache = cache
        self._scanner = Scanner(self._worker, cache)

    def of_kind(self, kind: str) -> "ImageParser":
        """One for another kind of image, with the same worker."""
        return ImageParser(kind, self._ocr, self._captioner, self._cache, self._worker)

    @property
    def variant(self) -> str:
        """What besides the version shapes a document, for whoever decides whether a file is to be read again."""
        return " ".join(
            f"{name}={_told(engine)}"
            for name, engine in (("ocr", self._ocr), ("caption", self._captioner))
            if engine is not None
        )

    @property
    def unavailable(self) -> LeftAside | None:
        """Why no image can be read, so that none has to be opened to find out."""
        if self._captioner is not None:
            return None
        if self._ocr is None:
            return LeftAside("no_ocr", "text in images needs an OCR engine, and there is none", hint=NO_OCR_HINT)
        try:
            self._ocr.identity  # noqa: B018 - asked for what it raises
        except MissingExtra as missing:
            return LeftAside("no_ocr", missing.message, hint=missing.hint)
        return None

    def close(self) -> None:
        self._worker.close()

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        return finish(self.steps(raw, context))

    def steps(self, raw: bytes, context: ParseContext) -> Steps[Document]:
        """A parse that says what it is about to do."""
        if not raw:
            raise LeftAside("empty", "the file is empty")
        try:
            scan, caption = yield from self._read(raw, context.asset.checksum)
        except MissingExtra as missing:
            raise LeftAside("no_ocr", missing.message, hint=missing.hint) from missing
        if not caption and not any(page.lines for page in scan.pages):
            raise LeftAside("no_text", "the image holds no text that could be read")
        model = self._captioner.model if self._captioner else ""
        assembled = assembly.assemble(scan.pages, caption, model)
        engine = self._ocr.identity.key if self._ocr else ""
        return build(_content(scan, assembled, self.kind, engine), context, VERSION, AGENT)

    def _read(self, raw: bytes, checksum: str) -> Steps[tuple[Scan, str]]:
        """The text of the image, if it is read, and the caption, if it gets one."""
        scan = (yield from self._scanner.scan(raw, checksum, self._ocr)) if self._ocr else None
        described = (yield from self._scanner.describe(raw, checksum, self._captioner)) if self._captioner else None
        if scan is None and described is None:
            assert self.unavailable is not None
            raise self.unavailable
        if scan is None:
            assert described is not None
            scan = Scan(described.facts)
        return scan, described.caption if described else ""


def _told(engine: OcrEngine | Captioner) -> str:
    """An engine that is not there reads nothing, and will be another one when it is."""
    try:
        return engine.identity.key
    except KebabError:
        return "missing"


def _content(scan: Scan, assembled: assembly.Assembled, kind: str, engine: str) -> Content:
    facts = scan.facts
    told: dict[str, UserValue] = {"width": facts.width, "height": facts.height, "format": facts.form or kind}
    if facts.camera:
        told["camera"] = facts.camera
    if len(scan.pages) > 1:
        told["pages"] = len(scan.pages)
    if lines := [line for page in scan.pages for line in page.lines]:
        told["ocr"] = _read_by(engine, scan, lines, assembled)
    warnings = [f"only the first {MOST_PAGES} pages were read"] if scan.more else []
    return Content(assembled.text, assembled.pieces, created_at=facts.taken, warnings=warnings, user={"image": told})


def _read_by(engine: str, scan: Scan, lines: Sequence[OcrLine], assembled: assembly.Assembled) -> dict[str, UserValue]:
    """What `kebab inspect ocr-stats` adds up."""
    return {
        "engine": engine,
        "pages": sum(bool(page.lines) for page in scan.pages),
        "regions": sum(not isinstance(piece.place, CaptionPlace) for piece in assembled.pieces),
        "lines": len(lines),
        "confidence": round(sum(line.confidence for line in lines) / len(lines), 3),
    }
