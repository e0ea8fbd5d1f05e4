"""In the worker: what is filled into the fields of a form, as lines. PDFium does not count it as text of the page."""

import ctypes

from kebab.parse.pdf.values import Handle
from kebab.parse.worker.frames import Json

MOST_FIELDS = 2000
_WIDGET = 20
_TEXT_BYTES = 8000
_UNTICKED = ("", "Off")


def start(document: Handle) -> bool:
    """Whether the document has a form whose fields can be read."""
    import pypdfium2

    if not document.get_formtype():
        return False
    try:
        document.init_forms()
    except pypdfium2.PdfiumError:
        return False
    return document.formenv is not None


def values(document: Handle, page: Handle) -> list[Json]:
    """`name: value` of every field of the page that has one."""
    import pypdfium2.raw as pdfium

    found: list[Json] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MOST_FIELDS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if pdfium.FPDFAnnot_GetSubtype(annotation) == _WIDGET and (line := _line(document.formenv.raw, annotation)):
                found.append(line)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _line(form: Handle, annotation: Handle) -> str:
    import pypdfium2.raw as pdfium

    value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    if value in _UNTICKED:
        return ""
    label = _string(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
    name = label or _string(pdfium.FPDFAnnot_GetFormFieldName, form, annotation)
    return f"{name}: {value}" if name else value


def _string(function: Handle, form: Handle, annotation: Handle) -> str:
    import pypdfium2.raw as pdfium

    buffer = ctypes.create_string_buffer(_TEXT_BYTES)
    size = function(form, annotation, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), _TEXT_BYTES)
    # What does not fit is not written at all.
    return buffer.raw[: size - 2].decode("utf-16-le", "replace") if 2 < size <= _TEXT_BYTES else ""
