"""Source code to `Document`: one walker for all languages, one row of `LANGUAGES` for each."""

from kebab.parse.code.languages import LANGUAGES
from kebab.parse.code.parser import FALLBACK_VERSION, CodeParser

__all__ = ["FALLBACK_VERSION", "LANGUAGES", "CodeParser"]
