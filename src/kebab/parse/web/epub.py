"""Books (`.epub`) to a `Document`: the chapters in reading order, each through the same extraction as a web page.

A chapter without a heading gets the name the table of contents gives it. Books whose chapters are encrypted are refused
with a word about it. Lines are those of the extracted text.
"""

import re

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.archive import MAX_PAGE, Archive
from kebab.parse.building import build
from kebab.parse.facts import content
from kebab.parse.flow import Flow
from kebab.parse.web.charset import declared, read
from kebab.parse.web.epub_outline import book, protected, titles
from kebab.parse.web.html_extract import extract

VERSION = "epub-v1"
AGENT = "kebab.parse.web.epub"

_HEADING = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)


class EpubParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        archive = Archive(raw, "epub")
        found = book(archive)
        locked = protected(archive)
        if any(path in locked for path in found.chapters):
            raise InvalidInput(
                "not a readable epub: its chapters are encrypted", hint="a protected book cannot be read"
            )
        names = titles(archive, found)
        flow = Flow()
        warnings: list[str] = []
        for path in found.chapters:
            if not flow.full:
                _chapter(archive, path, names.get(path, ""), flow, warnings)
        return build(content(flow, found.facts, warnings), context, VERSION, AGENT)


def _chapter(archive: Archive, path: str, title: str, flow: Flow, warnings: list[str]) -> None:
    if path not in archive:
        warnings.append(f"chapter {path[:80]} is missing")
        return
    raw = archive.read(path, MAX_PAGE)
    if len(raw) >= MAX_PAGE:
        warnings.append(f"chapter {path[:80]} is too long: only its first part is read")
    decoded = read(raw, declared(raw))
    flow.leave_headings()
    unnamed = bool(title) and not _HEADING.search(decoded.text)
    if unnamed:
        flow.heading(1, title)
    extract(decoded.text, flow, xml=True, said=title if unnamed else "")
