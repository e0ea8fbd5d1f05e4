"""Markdown: the one door is `MarkdownParser`."""

from kebab.parse.markdown.parser import VERSION, MarkdownParser

__all__ = ["VERSION", "MarkdownParser"]
