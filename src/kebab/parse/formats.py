"""Every format by media type, each with its parser, and the parsers that work with others' help.

A row without a kind (`code`) serves every kind of its family that has no row of its own.
"""

from typing import NamedTuple

from kebab.core.ports import Parser
from kebab.core.reading import Cache, Captioner, OcrEngine, Transcriber
from kebab.parse import audio, image
from kebab.parse.code.parser import CodeParser
from kebab.parse.markdown import MarkdownParser
from kebab.parse.office import DocxParser, HwpParser, HwpxParser, OdtParser, PptxParser, RtfParser, XlsxParser
from kebab.parse.pdf import OcrMode, PageOcr, PdfParser
from kebab.parse.resources import RESOURCE_KINDS, PlainCodeParser, ResourceParser
from kebab.parse.text import TextParser
from kebab.parse.web import EmlParser, EpubParser, HtmlParser, NotebookParser


class Tools(NamedTuple):
    """Who reads what a parser alone cannot: pictures, pictures of pages, and speech."""

    ocr: OcrEngine | None = None
    captioner: Captioner | None = None
    transcriber: Transcriber | None = None
    page_ocr: PageOcr | None = None
    page_mode: OcrMode = OcrMode.SCANNED
    cache: Cache | None = None


def readers(tools: Tools) -> dict[str, Parser]:
    """The parsers that work with others' help, be it an engine or a worker; these are for one user at a time."""
    pictures = image.ImageParser("png", tools.ocr, tools.captioner, tools.cache)
    return {
        **{f"code/{language}": parser for language, parser in CodeParser.of_all().items()},
        "pdf": PdfParser(ocr=tools.page_ocr, mode=tools.page_mode),
        **{f"image/{kind}": pictures.of_kind(kind) for kind in image.KINDS},
        **{
            f"{'video' if kind == 'mp4' else 'audio'}/{kind}": audio.AudioParser(kind, tools.transcriber, tools.cache)
            for kind in audio.KINDS
        },
    }


PARSERS: dict[str, Parser] = {
    "markdown": MarkdownParser(),
    **{f"code/{kind}": ResourceParser(kind) for kind in RESOURCE_KINDS},
    "code": PlainCodeParser(),
    "office/docx": DocxParser(),
    "office/hwp": HwpParser(),
    "office/hwpx": HwpxParser(),
    "office/odt": OdtParser(),
    "office/pptx": PptxParser(),
    "office/rtf": RtfParser(),
    "office/xlsx": XlsxParser(),
    "web/eml": EmlParser(),
    "web/epub": EpubParser(),
    "web/html": HtmlParser(),
    "web/ipynb": NotebookParser(),
    **readers(Tools()),
    **{f"text/{kind}": TextParser(kind) for kind in ("plain", "rst", "org", "log", "csv")},
}
