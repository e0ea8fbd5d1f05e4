"""In the worker: pages of a PDF as people see them, their sizes, and where words stand on them. Bytes in, values out.

Words are compared without spaces, hyphens and case, because a line end breaks them and a parser mends them.
"""

import ctypes
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping

from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Attached, Json

MOST_PIXELS = 6_000_000
_MOST_CHARS = 200_000
_MOST_BOXES = 200
_FINE = 100_000
# Of a quote that is not found as a whole, so much of its beginning and of its end is looked for.
_ENDS = 24
_DROPPED = re.compile("[\\s\\-\u00ad\u2010\u2011\ufffe\x00-\x1f]+")


def draw(raw: bytes, arguments: Mapping[str, Json]) -> Iterator[Attached]:
    """The PNG of `page`, `width` pixels wide unless that makes too many; nothing where there is no such page."""
    page_number, width = _numbers(arguments, "page", "width")
    with _Pdf(raw) as document:
        if not 1 <= page_number <= len(document):
            return
        document.init_forms()
        page = document[page_number - 1]
        wide, high = (max(side, 1.0) for side in page.get_size())
        scale = min(width / wide, (MOST_PIXELS / (wide * high)) ** 0.5)
        picture = page.render(scale=scale, may_draw_forms=True).to_pil().convert("RGB")
        out = io.BytesIO()
        picture.save(out, "PNG", compress_level=1)
        yield Attached([picture.width, picture.height], out.getvalue())


def sizes(raw: bytes, arguments: Mapping[str, Json]) -> Json:
    """The number of pages, and the sizes in points of `most` pages from `first` on."""
    first, most = _numbers(arguments, "first", "most")
    with _Pdf(raw) as document:
        count = len(document)
        pages = [list(document.get_page_size(at)) for at in range(first - 1, min(first - 1 + most, count))]
        return [count, [[round(side, 1) for side in page] for page in pages]]


def find(raw: bytes, arguments: Mapping[str, Json]) -> Json:
    """Boxes of `quote` on `page`: left, top, width and height as parts of the page; null without such a page."""
    (page_number,) = _numbers(arguments, "page")
    quote = arguments["quote"]
    assert isinstance(quote, str)
    with _Pdf(raw) as document:
        if not 1 <= page_number <= len(document):
            return None
        page = document[page_number - 1]
        words = page.get_textpage()
        found = _extent(_letters(words), quote)
        return [] if found is None else _boxes(page, words, *found)


def _numbers(arguments: Mapping[str, Json], *names: str) -> list[int]:
    values = [arguments[name] for name in names]
    return [value for value in values if isinstance(value, int)]


def _letters(words: Handle) -> str:
    """Character by character: the text as a whole may leave some out, and then no index would fit."""
    import pypdfium2.raw as pdfium

    count = min(words.count_chars(), _MOST_CHARS)
    return "".join(chr(pdfium.FPDFText_GetUnicode(words.raw, index)) for index in range(count))


class _Pdf:
    """A document that is closed in the end."""

    def __init__(self, raw: bytes) -> None:
        import pypdfium2

        self._document = pypdfium2.PdfDocument(raw)

    def __enter__(self) -> Handle:
        return self._document

    def __exit__(self, *_: object) -> None:
        self._document.close()


def _folded(text: str) -> tuple[str, list[int]]:
    """What is compared, and for each character of it where it came from."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if _DROPPED.match(char):
            continue
        folded = char if char.isascii() else unicodedata.normalize("NFKC", char)
        for letter in folded.casefold():
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


def _extent(text: str, quote: str) -> tuple[int, int] | None:
    """Where the quote begins in the text, and how long it is there."""
    page, places = _folded(text)
    wanted, _ = _folded(quote)
    if not wanted:
        return None
    start = page.find(wanted)
    end = start + len(wanted)
    if start < 0 and len(wanted) >= 2 * _ENDS:
        start = page.find(wanted[:_ENDS])
        end = page.find(wanted[-_ENDS:], start + _ENDS) + _ENDS
        if not start < end <= start + 2 * len(wanted):
            return None
    if start < 0:
        return None
    return places[start], places[end - 1] + 1 - places[start]


def _boxes(page: Handle, words: Handle, start: int, count: int) -> list[Json]:
    """PDFium's rectangles, one for each line, as parts of the page as it is seen."""
    boxes: list[Json] = []
    for index in range(min(words.count_rects(start, count), _MOST_BOXES)):
        left, bottom, right, top = words.get_rect(index)
        (x1, y1), (x2, y2) = _seen(page, left, top), _seen(page, right, bottom)
        x, y = min(x1, x2), min(y1, y2)
        boxes.append([x, y, round(abs(x1 - x2), 5), round(abs(y1 - y2), 5)])
    return boxes


def _seen(page: Handle, x: float, y: float) -> tuple[float, float]:
    """A point of the page from 0 to 1, counted from the upper left; turned and cropped as the page is shown."""
    import pypdfium2.raw as pdfium

    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, _FINE, _FINE, 0, x, y, across, down)
    return tuple(round(min(max(at.value / _FINE, 0.0), 1.0), 5) for at in (across, down))  # type: ignore[return-value]
