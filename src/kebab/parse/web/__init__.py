"""Web pages, books, mail and notebooks: one parser class for each format."""

from kebab.parse.web.eml import EmlParser
from kebab.parse.web.epub import EpubParser
from kebab.parse.web.html import HtmlParser
from kebab.parse.web.notebook import NotebookParser

__all__ = ["EmlParser", "EpubParser", "HtmlParser", "NotebookParser"]
