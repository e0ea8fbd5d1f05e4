"""Images: the text in them with the place of every line, and what a model says they show."""

from kebab.parse.image.parser import KINDS, ImageParser

__all__ = ["KINDS", "ImageParser"]
