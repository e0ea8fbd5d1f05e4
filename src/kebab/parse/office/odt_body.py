"""The content part of an OpenDocument text, event by event, into a `Body`.

Gets events, tells paragraphs, lists, tables, text boxes and notes. White space is what ODF says it is: runs of it are
one space, and more is written as elements.
"""

import re
from collections.abc import Callable, Iterable

from kebab.parse.office.body import Body, Look
from kebab.parse.xml import START, TEXT, Attributes, Event, number, without

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
SPACES = {
    f"{_ODF}office:1.0": "office",
    f"{_ODF}text:1.0": "text",
    f"{_ODF}table:1.0": "table",
    f"{_ODF}drawing:1.0": "draw",
    f"{_ODF}meta:1.0": "meta",
    f"{_ODF}manifest:1.0": "manifest",
    "http://purl.org/dc/elements/1.1/": "dc",
}
MAX_SPACES = 100

_SKIPPED = frozenset(
    {
        "text:tracked-changes",
        "text:table-of-content",
        "text:alphabetical-index",
        "text:illustration-index",
        "text:ruby-text",
        "text:note-citation",
        "office:automatic-styles",
        "office:font-face-decls",
        "office:scripts",
        "office:binary-data",
        "text:sequence-decls",
        "text:page-number",
        "dc:creator",
        "dc:date",
        "meta:date-string",
    }
)
_RUN = re.compile(r"[ \t\r\n]+")


class OdtBody:
    def __init__(self, body: Body) -> None:
        self._body = body
        self._lists = 0
        self._looks: list[Look] = []
        self._notes: list[str] = []
        self._spans: list[int] = []
        self._cited = 0
        self._opening: dict[str, Callable[[Attributes], None]] = {
            "text:p": lambda _: self._open_paragraph(Look(item=self._lists - 1) if self._lists else Look()),
            "text:h": lambda found: self._open_paragraph(Look(heading=number(found.get("text:outline-level"), 1))),
            "text:list": self._open_list,
            "text:s": lambda found: body.text(" " * min(number(found.get("text:c"), 1), MAX_SPACES)),
            "text:tab": lambda _: body.text("\t"),
            "text:line-break": lambda _: body.text("\n"),
            "table:table": lambda _: body.open_table(),
            "table:table-row": lambda _: body.open_row(),
            "table:table-cell": self._open_cell,
            "draw:text-box": lambda _: body.open_box(),
            "text:note": self._open_note,
            "office:annotation": self._open_comment,
        }
        self._closing: dict[str, Callable[[], None]] = {
            "text:p": self._close_paragraph,
            "text:h": self._close_paragraph,
            "text:list": self._close_list,
            "table:table": body.close_table,
            "table:table-cell": self._close_cell,
            "draw:text-box": body.close_box,
            "text:note": self._close_note,
            "office:annotation": self._close_note,
        }

    def read(self, stream: Iterable[Event]) -> None:
        for kind, value, attributes in without(stream, _SKIPPED):
            if kind is TEXT:
                self._body.text(_RUN.sub(" ", value))
            elif kind is START:
                if (opening := self._opening.get(value)) is not None:
                    opening(attributes)
            elif (closing := self._closing.get(value)) is not None:
                closing()
            if self._body.flow.full:
                return

    def _open_paragraph(self, look: Look) -> None:
        self._looks.append(look)
        self._body.open_paragraph()

    def _close_paragraph(self) -> None:
        self._body.close_paragraph(self._looks.pop())

    def _open_list(self, _: Attributes) -> None:
        self._lists += 1

    def _close_list(self) -> None:
        self._lists -= 1

    def _open_cell(self, attributes: Attributes) -> None:
        # Cells that repeat are most often the empty rest of a row.
        self._spans.append(number(attributes.get("table:number-columns-spanned"), 1))
        self._body.open_cell()

    def _close_cell(self) -> None:
        self._body.close_cell(self._spans.pop())

    def _open_note(self, _: Attributes) -> None:
        self._cited += 1
        self._body.text(f"[^{self._cited}]")
        self._notes.append(f"[^{self._cited}]")
        self._body.open_box()

    def _open_comment(self, _: Attributes) -> None:
        self._notes.append("Comment:")
        self._body.open_box()

    def _close_note(self) -> None:
        self._body.close_note(self._notes.pop())
