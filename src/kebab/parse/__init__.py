"""Bytes to `Document`. `PARSERS` lists every format by media type; a parser knows `core` and its own format."""

from kebab.core.ports import Parser
from kebab.parse.markdown import MarkdownParser

PARSERS: dict[str, Parser] = {
    "markdown": MarkdownParser(),
}
