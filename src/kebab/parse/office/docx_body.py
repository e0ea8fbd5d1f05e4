"""The parts of a Word file that hold text, event by event, into a `Body`.

Gets the events of the document, notes and comments, and tells paragraphs, tables, text boxes and references. Deleted
and hidden text is left out, inserted text is kept; fields show their last result.
"""

from collections.abc import Callable, Iterable

from kebab.parse.office.body import Body, Look
from kebab.parse.office.docx_styles import Styles
from kebab.parse.xml import START, TEXT, Attributes, Event, number, without

# A drawing is written twice, the second time for old programs; a ruby reading repeats the word below it.
_SKIPPED = frozenset({"mc:Fallback", "w:moveFrom", "w:sdtPr", "w:rt", "w:sectPr", "w:tblPr", "w:tblGrid"})
_MARKS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_REFERENCES = {"w:footnoteReference": "", "w:endnoteReference": "e"}
_OFF = ("0", "false", "off")


class DocxBody:
    """One part at a time into the same body."""

    def __init__(self, body: Body, styles: Styles, paste: Callable[[str], None] | None = None) -> None:
        """`paste` is told the id of every file that stands in place of text."""
        self._body = body
        self._styles = styles
        self._looks: list[Look | None] = []
        self._path: list[str] = []
        self._spans: list[int] = []
        self._rows: list[bool] = []
        self._hidden = False
        self._reading = False
        self._opening: dict[str, Callable[[Attributes], None]] = {
            "w:p": self._open_paragraph,
            "w:r": self._open_run,
            "w:pStyle": self._style,
            "w:outlineLvl": self._outline,
            "w:numId": self._numbered,
            "w:ilvl": self._indented,
            "w:vanish": self._vanish,
            "w:tbl": lambda _: body.open_table(),
            "w:tr": self._open_row,
            "w:del": self._delete,
            "w:tc": self._open_cell,
            "w:gridSpan": self._span,
            "w:txbxContent": lambda _: body.open_box(),
            "w:altChunk": lambda found: paste(found.get("r:id", "")) if paste else None,
        }
        self._closing: dict[str, Callable[[], None]] = {
            "w:p": self._close_paragraph,
            "w:tbl": body.close_table,
            "w:tr": self._close_row,
            "w:tc": lambda: body.close_cell(self._spans.pop()),
            "w:txbxContent": body.close_box,
        }

    def read(self, stream: Iterable[Event]) -> None:
        for kind, value, attributes in without(stream, _SKIPPED):
            if kind is TEXT:
                if self._reading and not self._hidden:
                    self._body.text(value)
            elif kind is START:
                self._start(value, attributes)
            else:
                self._end(value)
            if self._body.flow.full:
                return

    def _start(self, element: str, attributes: Attributes) -> None:
        self._path.append(element)
        self._reading = element in ("w:t", "m:t")
        if (opening := self._opening.get(element)) is not None:
            opening(attributes)
        elif element in _MARKS and self._path[-2:-1] == ["w:r"] and not self._hidden:
            self._body.text(_MARKS[element])
        elif element in _REFERENCES and not self._hidden:
            self._body.text(f"[^{_REFERENCES[element]}{number(attributes.get('w:id'))}]")

    def _end(self, element: str) -> None:
        self._path.pop()
        self._reading = False
        if (closing := self._closing.get(element)) is not None:
            closing()

    def _open_paragraph(self, _: Attributes) -> None:
        self._body.open_paragraph()
        self._looks.append(Look())

    def _close_paragraph(self) -> None:
        look = self._looks.pop()
        if look is None:
            self._body.clear_paragraph()
        self._body.close_paragraph(look or Look())

    def _open_run(self, _: Attributes) -> None:
        self._hidden = False

    def _vanish(self, attributes: Attributes) -> None:
        # In the properties of a paragraph it speaks of the paragraph mark only.
        if self._path[-3:-1] == ["w:r", "w:rPr"]:
            self._hidden = attributes.get("w:val", "1") not in _OFF

    def _style(self, attributes: Attributes) -> None:
        if self._looks:
            self._looks[-1] = self._styles.look(attributes.get("w:val", ""))

    def _outline(self, attributes: Attributes) -> None:
        level = number(attributes.get("w:val"), 9)
        if self._looks and self._looks[-1] is not None:
            self._looks[-1] = Look(heading=level + 1) if level < 9 else Look(item=self._looks[-1].item)

    def _numbered(self, attributes: Attributes) -> None:
        look = self._looks[-1] if self._looks else None
        if look is not None and not look.heading:
            self._looks[-1] = Look(item=max(look.item, 0) if number(attributes.get("w:val")) else -1)

    def _indented(self, attributes: Attributes) -> None:
        look = self._looks[-1] if self._looks else None
        if look is not None and not look.heading:
            self._looks[-1] = Look(item=number(attributes.get("w:val")))

    def _open_row(self, _: Attributes) -> None:
        self._body.open_row()
        self._rows.append(True)

    def _delete(self, _: Attributes) -> None:
        """A row marked as deleted; deleted words stand in elements that are not read."""
        if self._rows and self._path[-2:-1] == ["w:trPr"]:
            self._rows[-1] = False

    def _close_row(self) -> None:
        if not self._rows.pop():
            self._body.drop_row()

    def _open_cell(self, _: Attributes) -> None:
        self._body.open_cell()
        self._spans.append(1)

    def _span(self, attributes: Attributes) -> None:
        if self._spans:
            self._spans[-1] = number(attributes.get("w:val"), 1)
