"""Excel files (`.xlsx`) to a `Document`: each sheet as tables of about thirty rows under the range they stand in.

A block's heading path is the sheet and the range, as `Sheet1 > A2:D31`, so a citation names the cells to look at; its
lines are those of the extracted text. A first row of names is repeated above every range, as its rows mean little
without it. Cell comments, charts, headers and footers are left out.
"""

from typing import NamedTuple

from kebab.core.document import Document
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import content
from kebab.parse.flow import Flow
from kebab.parse.office.package import Package
from kebab.parse.office.xlsx_sheet import Row, letters, rows, strings
from kebab.parse.office.xlsx_values import Formats
from kebab.parse.xml import START

VERSION = "xlsx-v1"
AGENT = "kebab.parse.office.xlsx"

ROWS_PER_BLOCK = 30
MAX_ROWS = 50_000
MAX_CELLS = 1_000_000
MAX_SHEETS = 1000


class _Sheet(NamedTuple):
    name: str
    path: str
    hidden: bool


class XlsxParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        package = Package(raw, "xlsx")
        flow = Flow()
        sheets, from_1904 = _workbook(package)
        formats = Formats(package.optional(package.linked(package.main, "styles")), from_1904=from_1904)
        shared = strings(package.optional(package.linked(package.main, "sharedStrings")))
        writer = _Writer(flow, package.warnings)
        for sheet in sheets:
            if sheet.hidden:
                package.warnings.append(f"sheet {sheet.name} is hidden")
            writer.open(sheet.name)
            for row in rows(package.optional(sheet.path), shared, formats):
                if not writer.take(row):
                    break
            writer.flush()
        facts = package.facts()
        # A sheet's name is no title of a workbook.
        named = facts._replace(title=facts.title or context.workspace_path.rpartition("/")[2])
        return build(content(flow, named, package.warnings), context, VERSION, AGENT)


def _workbook(package: Package) -> tuple[list[_Sheet], bool]:
    """The sheets in their order, and whether dates count from 1904."""
    links = package.links(package.main)
    found: list[_Sheet] = []
    from_1904 = False
    for kind, element, attributes in package.events(package.main):
        if kind is START and element == "x:workbookPr":
            from_1904 = attributes.get("date1904") in ("1", "true")
        elif kind is START and element == "x:sheet":
            # Each part once: one that is named many times would be read as often.
            link = links.pop(attributes.get("r:id", ""), None)
            if link is not None and link.kind == "worksheet":
                name = attributes.get("name") or f"Sheet{len(found) + 1}"
                found.append(_Sheet(name, link.path, attributes.get("state", "visible") != "visible"))
    if len(found) > MAX_SHEETS:
        package.warnings.append(f"only the first {MAX_SHEETS} sheets are read")
    return found[:MAX_SHEETS], from_1904


class _Writer:
    """Rows of one sheet after the other into tables of a bounded size."""

    def __init__(self, flow: Flow, warnings: list[str]) -> None:
        self._flow = flow
        self._warnings = warnings
        self._rows: list[Row] = []
        self._names: Row | None = None
        self._seen = self._cells = 0
        self._sheet = ""
        self._started = False

    def open(self, sheet: str) -> None:
        self._sheet, self._started, self._names, self._rows = sheet, False, None, []

    def take(self, row: Row) -> bool:
        """Whether there is room for more."""
        if self._seen >= MAX_ROWS or self._cells >= MAX_CELLS:
            self._warnings.append(f"only the first {self._seen} rows are read")
            return False
        self._seen += 1
        self._cells += len(row.cells)
        if not self._started and not self._rows and _names_columns(row):
            self._names = row
        self._rows.append(row)
        if len(self._rows) >= ROWS_PER_BLOCK - (self._started and self._names is not None):
            self.flush()
        return not self._flow.full

    def flush(self) -> None:
        block, self._rows = self._rows, []
        if not block:
            return
        if not self._started:
            self._flow.heading(1, self._sheet)
        shown = [self._names, *block] if self._started and self._names is not None else block
        columns = sorted({column for row in block for column in row.cells})
        first, last = letters(columns[0]), letters(columns[-1])
        self._flow.heading(2, f"{first}{block[0].number}:{last}{block[-1].number}")
        self._flow.table([[row.cells.get(column, "") for column in columns] for row in shown])
        self._started = True


def _names_columns(row: Row) -> bool:
    """Whether a first row looks like the names of columns: several cells, and no number among them."""
    return len(row.cells) > 1 and not any(text[:1].isdigit() or text[:1] in "-+." for text in row.cells.values())
