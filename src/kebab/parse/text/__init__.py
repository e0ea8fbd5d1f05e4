"""Plain text: the one door is `TextParser`."""

from kebab.parse.text.parser import VERSION, TextParser

__all__ = ["VERSION", "TextParser"]
