"""In the worker: a PDF's bytes to what its pages say, page by page, with facts before and the outline after them.

Gives JSON, one value at a time: ["problem", name] or ["facts", {...}], then ["page", number, text, boxes, state] for
each page, then ["outline", [[level, title, page, y], ...]]. Decides nothing about reading order.
"""

from collections.abc import Iterator, Mapping

from kebab.parse.pdf import forms, glyphs, notes, outline
from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Json

# A page that says more than this is not read to its end: no printed page does.
MOST_CHARS = 500_000

_NEEDS_PASSWORD = 4
_UNSUPPORTED_SECURITY = 5
_META = ("Title", "Author", "CreationDate", "ModDate")


def read(raw: bytes, arguments: Mapping[str, Json]) -> Iterator[Json]:
    """`first` and `last` are pages from 1, both included.

    Where there are at least `share` of them, every other page is left to someone else, and the facts say so; whoever is
    asked with a `step` is that other one, and tells no outline.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        yield ["problem", _problem(getattr(error, "err_code", None), raw)]
        return
    try:
        yield from _contents(document, arguments)
    finally:
        document.close()


def _problem(code: int | None, raw: bytes) -> str:
    if code in (_NEEDS_PASSWORD, _UNSUPPORTED_SECURITY):
        return "encrypted"
    # Zero is success: the file was understood, and there is no page in it.
    return "no pages" if code == 0 and b"%PDF-" in raw[:1024] else "corrupt"


def _contents(document: Handle, arguments: Mapping[str, Json]) -> Iterator[Json]:
    count = len(document)
    first, last = _number(arguments, "first", 1), min(_number(arguments, "last", count), count)
    share, step = _number(arguments, "share", 0), _number(arguments, "step", 1)
    shared = 0 < share <= last - first + 1
    filled = forms.start(document)
    meta = {key: document.get_metadata_value(key) for key in _META}
    yield ["facts", {"pages": count, "form": filled, "shared": shared, **meta}]
    for number in range(first, last + 1, 2 if shared else step):
        yield _page(document, number, filled=filled)
    if step == 1:
        # After the pages, since finding a bookmark's page walks the page tree, which is known by now.
        yield ["outline", outline.entries(document)]


def _number(arguments: Mapping[str, Json], name: str, otherwise: int) -> int:
    value = arguments.get(name, otherwise)
    assert isinstance(value, int)
    return value


def _page(document: Handle, number: int, *, filled: bool) -> Json:
    import pypdfium2.raw as pdfium

    page = pdfium.FPDF_LoadPage(document.raw, number - 1)
    if not page:
        return ["page", number, "", [], "broken"]
    try:
        text, boxes, lost = glyphs.read(page, MOST_CHARS)
        state = glyphs.state(page, text, lost)
        values = [*(forms.values(document, page) if filled else ()), *notes.lines(page)]
        if values:
            return ["page", number, text, boxes, state, values]
        return ["page", number, text, boxes, state]
    finally:
        pdfium.FPDF_ClosePage(page)
