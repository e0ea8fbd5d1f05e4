"""The sections of a Hancom file, event by event, into a `Body`; and which of its styles are headings.

Gets events, tells paragraphs, tables, text boxes and notes. Words stand in `hp:t`, which also holds marks such as tabs.
"""

from collections.abc import Callable, Iterable

from kebab.parse.office.body import Body, Look
from kebab.parse.office.hancom import outline_level
from kebab.parse.xml import END, START, TEXT, Attributes, Event, number, without

MAX_STYLES = 10_000

_HANCOM = (
    "http://www.hancom.co.kr/hwpml/2011/",
    "http://www.hancom.co.kr/hwpml/2016/",
    "http://www.owpml.org/owpml/2021/",
    "http://www.owpml.org/owpml/2024/",
)
_PARTS = {"paragraph": "hp", "section": "hs", "head": "hh", "core": "hc"}
SPACES = {
    **{space + part: prefix for space in _HANCOM for part, prefix in _PARTS.items()},
    "http://www.idpf.org/2007/opf/": "opf",
    "http://www.idpf.org/2007/opf": "opf",
    "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0": "manifest",
}

# A field holds its parameters, or a memo somebody pinned to the text.
_SKIPPED = frozenset(
    "hp:header hp:footer hp:secPr hp:hiddenComment hp:linesegarray hp:shapeComment hp:fieldBegin".split()
)
_MARKS = {"hp:tab": "\t", "hp:lineBreak": "\n", "hp:nbSpace": "\u00a0", "hp:fwSpace": " ", "hp:hyphen": "-"}


def levels(stream: Iterable[Event]) -> dict[str, int]:
    """The heading styles of a file: their level by id."""
    found: dict[str, int] = {}
    for kind, element, attributes in stream:
        if kind is START and element == "hh:style" and len(found) < MAX_STYLES:
            depth = outline_level(attributes.get("name", "")) or outline_level(attributes.get("engName", ""))
            if depth:
                found[attributes.get("id", "")] = depth
    return found


class HwpxBody:
    def __init__(self, body: Body, headings: dict[str, int]) -> None:
        self._body = body
        self._headings = headings
        self._looks: list[Look] = []
        self._spans: list[int] = []
        self._notes: list[str] = []
        self._cited = 0
        self._reading = self._deleted = False
        self._opening: dict[str, Callable[[Attributes], None]] = {
            "hp:p": self._open_paragraph,
            "hp:tbl": lambda _: body.open_table(),
            "hp:tr": lambda _: body.open_row(),
            "hp:tc": self._open_cell,
            "hp:cellSpan": self._span,
            "hp:drawText": lambda _: body.open_box(),
            "hp:footNote": lambda _: self._open_note(""),
            "hp:endNote": lambda _: self._open_note("e"),
            "hp:deleteBegin": lambda _: self._delete(begins=True),
            "hp:deleteEnd": lambda _: self._delete(begins=False),
        }
        self._closing: dict[str, Callable[[], None]] = {
            "hp:p": lambda: body.close_paragraph(self._looks.pop()),
            "hp:tbl": body.close_table,
            "hp:tc": lambda: body.close_cell(self._spans.pop()),
            "hp:drawText": body.close_box,
            "hp:footNote": lambda: body.close_note(self._notes.pop()),
            "hp:endNote": lambda: body.close_note(self._notes.pop()),
        }

    def read(self, stream: Iterable[Event]) -> None:
        for kind, value, attributes in without(stream, _SKIPPED):
            if kind is TEXT:
                if self._reading and not self._deleted:
                    self._body.text(value)
            else:
                self._mark(kind, value)
                if kind is START and (opening := self._opening.get(value)) is not None:
                    opening(attributes)
                elif kind is END and (closing := self._closing.get(value)) is not None:
                    closing()
            if self._body.flow.full:
                return

    def _mark(self, kind: str, element: str) -> None:
        # Marks stand inside the text, which goes on after them; the script of an equation is its words.
        if element in ("hp:t", "hp:script"):
            self._reading = kind is START
        elif kind is START and element in _MARKS and not self._deleted:
            self._body.text(_MARKS[element])

    def _open_paragraph(self, attributes: Attributes) -> None:
        self._looks.append(Look(heading=self._headings.get(attributes.get("styleIDRef", ""), 0)))
        self._body.open_paragraph()

    def _open_cell(self, _: Attributes) -> None:
        self._spans.append(1)
        self._body.open_cell()

    def _span(self, attributes: Attributes) -> None:
        if self._spans:
            self._spans[-1] = number(attributes.get("colSpan"), 1)

    def _open_note(self, kind: str) -> None:
        self._cited += 1
        self._body.text(f"[^{kind}{self._cited}]")
        self._notes.append(f"[^{kind}{self._cited}]")
        self._body.open_box()

    def _delete(self, *, begins: bool) -> None:
        self._deleted = begins
