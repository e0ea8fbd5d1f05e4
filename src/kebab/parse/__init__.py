"""Bytes to `Document`. `PARSERS` lists every format by media type; a parser knows `core` and its own format.

A row without a kind (`code`) serves every kind of its family that has no row of its own.
"""

from kebab.core.ports import Parser
from kebab.parse.code import LANGUAGES, CodeParser
from kebab.parse.markdown import MarkdownParser
from kebab.parse.office import DocxParser, HwpParser, HwpxParser, OdtParser, PptxParser, RtfParser, XlsxParser
from kebab.parse.pdf import PdfParser
from kebab.parse.resources import RESOURCE_KINDS, PlainCodeParser, ResourceParser
from kebab.parse.text import TextParser
from kebab.parse.web import EmlParser, EpubParser, HtmlParser, NotebookParser

PARSERS: dict[str, Parser] = {
    "markdown": MarkdownParser(),
    **{f"code/{name}": CodeParser(name) for name in LANGUAGES},
    **{f"code/{kind}": ResourceParser(kind) for kind in RESOURCE_KINDS},
    "code": PlainCodeParser(),
    "office/docx": DocxParser(),
    "office/hwp": HwpParser(),
    "office/hwpx": HwpxParser(),
    "office/odt": OdtParser(),
    "office/pptx": PptxParser(),
    "office/rtf": RtfParser(),
    "office/xlsx": XlsxParser(),
    "pdf": PdfParser(),
    "web/eml": EmlParser(),
    "web/epub": EpubParser(),
    "web/html": HtmlParser(),
    "web/ipynb": NotebookParser(),
    **{f"text/{kind}": TextParser(kind) for kind in ("plain", "rst", "org", "log", "csv")},
}
