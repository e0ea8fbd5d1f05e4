"""A chunk to the texts that stand for it in an embedding model: passages with the title in front, and its headings.

The constants were chosen by measurement (docs/experiments.md): one vector of a long chunk blurs what it says, so a
chunk is embedded in windows and found by its best one; headings alone find sections across languages.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from kebab.core.chunk import breadcrumb
from kebab.core.embedding import Role

VERSION = "windows-600-v1"
WINDOW_CHARS = 600

# Where a sentence or a line ends. Possessive, and tried once per run of marks, so that a row of dots costs no more
# than other text.
_END = re.compile(r"(?<![.!?。])[.!?。]++[\"')\]]*+\s+|\n+")


class Input(NamedTuple):
    role: Role
    text: str


def inputs_of(title: str, heading_path: tuple[str, ...], text: str) -> list[Input]:
    """At least one passage; the headings unless there are none."""
    prefix = f"{title}\n" if title else ""
    found = [Input(Role.PASSAGE, prefix + window) for window in windows(text)]
    headings = breadcrumb(title, heading_path)
    return [*found, Input(Role.HEADING, headings)] if headings else found


def windows(text: str, size: int = WINDOW_CHARS) -> list[str]:
    """The text in order, in parts of up to `size`, cut between sentences or lines where it can."""
    text = text.strip()
    if len(text) <= size:
        return [text]
    wanted = -(-len(text) // size)
    target = len(text) / wanted
    parts: list[str] = []
    current = ""
    for piece in _pieces(text, size):
        if current and (len(current) + len(piece) > size or len(current) + len(piece) / 2 > target):
            parts.append(current.strip())
            current = ""
        current += piece
    parts.append(current.strip())
    return [part for part in parts if part] or [""]


def _pieces(text: str, size: int) -> Iterator[str]:
    """Sentences and lines; one that is longer than a window is cut at spaces, or anywhere when it has none."""
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        while end - start > size:
            space = text.rfind(" ", start + size // 2, start + size)
            cut = space + 1 if space >= 0 else start + size
            yield text[start:cut]
            start = cut
        yield text[start:end]
        start = end
