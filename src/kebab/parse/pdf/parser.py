"""PDF bytes to a `Document`: text by page in reading order, and a word about every page that could not be read.

Everything that touches the bytes runs in a worker. A page that is only a picture goes to `PageOcr`, if there is one.
"""

from kebab.core.document import Document, UserValue
from kebab.core.errors import KebabError, LeftAside
from kebab.core.phases import Steps, finish
from kebab.core.ports import ParseContext
from kebab.parse.building import Content, build
from kebab.parse.pdf import assembly, margins, naming
from kebab.parse.pdf.fetching import Caps, fetch
from kebab.parse.pdf.pictures import OcrMode, PageOcr, Seen, look, needs_eyes
from kebab.parse.pdf.sharing import Readers
from kebab.parse.pdf.values import Pdf
from kebab.parse.worker import Worker

VERSION = "pdf-text-v1"
AGENT = "kebab.parse.pdf"


class PdfParser:
    """One instance serves every file. Its worker starts with the first, and a helper once there is enough to do.

    A worker that is given works alone.
    """

    version = VERSION

    def __init__(
        self,
        worker: Worker | None = None,
        ocr: PageOcr | None = None,
        mode: OcrMode = OcrMode.SCANNED,
        caps: Caps | None = None,
    ) -> None:
        self._readers = Readers.usual() if worker is None else Readers(worker)
        self._worker = self._readers.worker
        self._ocr = ocr
        self._mode = mode
        self._caps = caps or Caps()

    @property
    def variant(self) -> str:
        """What besides the version shapes a document, for whoever decides whether a file is to be read again."""
        if self._ocr is None:
            return ""
        try:
            return f"ocr={self._mode}:{self._ocr.version}"
        except KebabError:
            # An engine that is not there reads nothing, and will be another one when it is.
            return "ocr=missing"

    def close(self) -> None:
        self._readers.close()

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        return finish(self.steps(raw, context))

    def steps(self, raw: bytes, context: ParseContext) -> Steps[Document]:
        """A parse that says what it is about to do."""
        if not raw.strip(b"\x00\t\n\r "):
            raise LeftAside("empty", "the file is empty")
        pdf = fetch(self._readers, raw, self._caps)
        unread = [page.number for page in pdf.pages if needs_eyes(page)]
        seen = Seen(set(unread))
        if self._ocr is not None:
            wanted = unread if self._mode is OcrMode.SCANNED else [page.number for page in pdf.pages]
            yield from look(self._worker, self._ocr, raw, pdf, wanted, seen)
        if not any(page.rows or page.fields for page in pdf.pages):
            raise _nothing_to_read(pdf, seen)
        return build(_content(pdf, seen), context, VERSION, AGENT)


def _nothing_to_read(pdf: Pdf, seen: Seen) -> Exception:
    if seen.unread:
        return seen.refusal(len(pdf.pages))
    if pdf.warnings:
        return KebabError(pdf.warnings[0])
    return LeftAside("empty", "the PDF holds no text")


def _content(pdf: Pdf, seen: Seen) -> Content:
    title = naming.title(pdf.facts, pdf.outline, pdf.pages)
    repeated = margins.find(pdf.pages, {naming.one_line(entry.title) for entry in pdf.outline})
    assembled = assembly.assemble(pdf.pages, repeated.rows, pdf.outline)
    told: dict[str, UserValue] = {"pages": pdf.facts.pages}
    if author := naming.person(pdf.facts):
        told["author"] = author
    for name, lines in (("headers", repeated.headers), ("footers", repeated.footers)):
        if lines:
            told[name] = list(lines)
    told |= seen.facts()
    return Content(
        assembled.text,
        assembled.pieces,
        title=title,
        warnings=[*pdf.warnings, *seen.warnings()],
        created_at=naming.moment(pdf.facts.created),
        updated_at=naming.moment(pdf.facts.changed),
        user={"pdf": told},
    )
