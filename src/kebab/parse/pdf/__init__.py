"""PDF bytes to a `Document` with a page for every place. PDFium runs in a worker; what is done here is plain Python."""

from kebab.parse.pdf.parser import PdfParser
from kebab.parse.pdf.pictures import OcrMode, PageOcr

__all__ = ["OcrMode", "PageOcr", "PdfParser"]
