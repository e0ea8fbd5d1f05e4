"""Office files: one parser class for each format, all built on `flow`, which turns what they hold into lines."""

from kebab.parse.office.docx import DocxParser
from kebab.parse.office.hwp import HwpParser
from kebab.parse.office.hwpx import HwpxParser
from kebab.parse.office.odt import OdtParser
from kebab.parse.office.pptx import PptxParser
from kebab.parse.office.rtf import RtfParser
from kebab.parse.office.xlsx import XlsxParser

__all__ = ["DocxParser", "HwpParser", "HwpxParser", "OdtParser", "PptxParser", "RtfParser", "XlsxParser"]
