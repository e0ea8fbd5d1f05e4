"""Bytes to `Document`. `PARSERS` lists every format by media type; a parser knows `core` and its own format.

They are loaded when they are asked for: a worker lies in this package too, and starts with the one reader it runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kebab.parse.formats import PARSERS, Tools, readers

__all__ = ["PARSERS", "Tools", "readers"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kebab.parse import formats

    return getattr(formats, name)
