"""In the worker: a PDF's bookmarks as rows of level, title, page and height on the page, in their order."""

import ctypes

from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Json

MOST_ENTRIES = 20_000
DEEPEST = 12
_TITLE_BYTES = 1200


def entries(document: Handle) -> list[Json]:
    """Level from 0, page from 1, height in tenths of a point from the bottom or None. Loops end at the first repeat."""
    import pypdfium2.raw as pdfium

    found: list[Json] = []
    seen: set[int] = set()
    # The next sibling is taken up after the children, so what is still to do is a stack.
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document.raw, None), 0)]
    while waiting and len(found) < MOST_ENTRIES:
        bookmark, level = waiting.pop()
        if not bookmark or (address := ctypes.addressof(bookmark.contents)) in seen:
            continue
        seen.add(address)
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document.raw, bookmark), level))
        if level + 1 < DEEPEST:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document.raw, bookmark), level + 1))
        found.append(_entry(document, bookmark, level))
    return found


def _entry(document: Handle, bookmark: Handle, level: int) -> Json:
    import pypdfium2.raw as pdfium

    buffer = ctypes.create_string_buffer(_TITLE_BYTES)
    size = pdfium.FPDFBookmark_GetTitle(bookmark, buffer, _TITLE_BYTES)
    title = buffer.raw[: max(min(size, _TITLE_BYTES) - 2, 0)].decode("utf-16-le", "replace") if size else ""
    target = pdfium.FPDFBookmark_GetDest(document.raw, bookmark)
    if not target:
        action = pdfium.FPDFBookmark_GetAction(bookmark)
        target = pdfium.FPDFAction_GetDest(document.raw, action) if action else None
    if not target:
        return [level, title, None, None]
    page = pdfium.FPDFDest_GetDestPageIndex(document.raw, target)
    return [level, title, page + 1 if page >= 0 else None, _height(target)]


def _height(target: Handle) -> int | None:
    import pypdfium2.raw as pdfium

    there = [ctypes.c_int() for _ in range(3)]
    values = [ctypes.c_float() for _ in range(3)]
    if not pdfium.FPDFDest_GetLocationInPage(target, *there, *values) or not there[1].value:
        return None
    height = values[1].value
    return int(height * 10) if abs(height) < 1e6 else None
