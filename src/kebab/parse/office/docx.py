"""Word files (`.docx`) to a `Document`: headings, paragraphs, lists, tables and text boxes, with the notes at the end.

Headers, footers and tables of contents are left out. Lines are those of the extracted text, as Word has none.
"""

from collections.abc import Iterable, Iterator

from kebab.core.document import Document
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import content
from kebab.parse.flow import Flow
from kebab.parse.office.body import Body
from kebab.parse.office.docx_body import DocxBody
from kebab.parse.office.docx_pasted import Pasted
from kebab.parse.office.docx_styles import Styles
from kebab.parse.office.package import Package
from kebab.parse.xml import END, START, Event, number

VERSION = "docx-v1"
AGENT = "kebab.parse.office.docx"

# The part's relationship, the element of one note, and what stands before its number.
_NOTES = (("footnotes", "w:footnote", "^"), ("endnotes", "w:endnote", "^e"))


class DocxParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        package = Package(raw, "docx")
        flow = Flow()
        body = Body(flow)
        styles = Styles(package.optional(package.linked(package.main, "styles")))
        DocxBody(body, styles, Pasted(package, flow).write).read(package.events(package.main))
        for kind, element, mark in _NOTES:
            _read_notes(body, styles, package.optional(package.linked(package.main, kind)), element, mark)
        _read_notes(body, styles, package.optional(package.linked(package.main, "comments")), "w:comment", "")
        body.write_notes()
        return build(content(flow, package.facts(), package.warnings), context, VERSION, AGENT)


def _read_notes(body: Body, styles: Styles, stream: Iterator[Event], element: str, mark: str) -> None:
    """Each note of a part as a box of its own; the separators Word keeps among them hold no words."""
    reader = DocxBody(body, styles)
    for kind, value, attributes in stream:
        if body.flow.full:
            return
        if kind is START and value == element:
            label = f"[{mark}{number(attributes.get('w:id'))}]" if mark else _comment(attributes.get("w:author"))
            body.open_box()
            reader.read(_inside(stream))
            body.close_note(label)


def _comment(author: str | None) -> str:
    return f"Comment by {author[:80]}:" if author and author.strip() else "Comment:"


def _inside(stream: Iterable[Event]) -> Iterator[Event]:
    """What follows up to the end of the element that is open."""
    depth = 1
    for event in stream:
        depth += (event[0] is START) - (event[0] is END)
        if not depth:
            return
        yield event
