"""In the worker: pages of a PDF as grey pictures (PGM), for a reader of pictures. Large pages are drawn smaller."""

from collections.abc import Iterator, Mapping

from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Attached, Json


def render(raw: bytes, arguments: Mapping[str, Json]) -> Iterator[Attached]:
    """A picture of each of `pages`, at `dpi` unless that makes more than `pixels`; a page that fails has no bytes."""
    import pypdfium2

    pages, dpi, pixels = arguments["pages"], arguments["dpi"], arguments["pixels"]
    assert isinstance(pages, list)
    assert isinstance(dpi, int)
    assert isinstance(pixels, int)
    document = pypdfium2.PdfDocument(raw)
    try:
        document.init_forms()
        for number in pages:
            try:
                yield Attached(number, _picture(document[number - 1], dpi, pixels))
            except (pypdfium2.PdfiumError, ValueError):
                yield Attached(number, b"")
    finally:
        document.close()


def _picture(page: Handle, dpi: int, pixels: int) -> bytes:
    wide, high = (max(side, 1.0) for side in page.get_size())
    scale = min(dpi / 72, (pixels / (wide * high)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    rows, width, stride = memoryview(bitmap.buffer).cast("B"), bitmap.width, bitmap.stride
    lines = [rows[start : start + width] for start in range(0, stride * bitmap.height, stride)]
    head = b"P5 %d %d 255\n" % (width, bitmap.height)
    picture = head + b"".join(lines)
    page.close()
    return picture
