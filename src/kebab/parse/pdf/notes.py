"""In the worker: what readers wrote on a page, as lines: typed text, sticky notes, and comments on marked words.

PDFium does not count it as text of the page. Links and fields of forms are no notes.
"""

import ctypes

from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Json

MOST_ANNOTATIONS = 2000
_TEXT_BYTES = 8000
_STICKY, _TYPED, _CARET = 1, 3, 14
_MARKED = frozenset(range(9, 13))
_WRITTEN = frozenset({_STICKY, _TYPED, _CARET, *_MARKED})
_HIDDEN = 1 << 1


def lines(page: Handle) -> list[Json]:
    """Typed text as it stands there, anything else after the word `Note`."""
    import pypdfium2.raw as pdfium

    found: list[Json] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind in _WRITTEN and (line := _line(annotation, kind)):
            found.append(line)
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _line(annotation: Handle, kind: int) -> str:
    import pypdfium2.raw as pdfium

    if pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
        return ""
    buffer = ctypes.create_string_buffer(_TEXT_BYTES)
    room = ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR))
    size = pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", room, _TEXT_BYTES)
    # What does not fit is not written at all.
    words = buffer.raw[: size - 2].decode("utf-16-le", "replace").strip() if 2 < size <= _TEXT_BYTES else ""
    return words if kind == _TYPED or not words else f"Note: {words}"
