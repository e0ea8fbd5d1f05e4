"""Tables of web pages as they open and close: rows of data, or mere layout around text.

A table that holds another table or a heading lays out a page: its cells are written as the text they are. Anything else
is data, and becomes rows when it ends. A cell that covers several places stands in the first of them, the others are
empty, so that what follows stays in its column.
"""

from dataclasses import dataclass, field

from kebab.parse.flow import Flow, joined

MAX_NESTED = 100
MAX_ROWS = 50_000
# Beyond this column nothing is kept empty: a cell of a few characters could cover very many places.
MAX_KEPT = 32


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    cell: list[str] | None = None
    covers: tuple[int, int] = (1, 1)
    """How many columns and rows the open cell covers."""
    hanging: dict[int, int] = field(default_factory=dict)
    """For how many rows more each column is covered from above."""
    layout: bool = False

    def place(self, text: str) -> None:
        row = self.rows[-1]
        while self.hanging.get(len(row), 0) > 0 and len(row) < MAX_KEPT:
            self.hanging[len(row)] -= 1
            row.append("")
        across, down = self.covers
        at = len(row)
        row.append(text)
        row += [""] * (min(at + across, MAX_KEPT) - len(row))
        if down > 1:
            self.hanging.update((column, down - 1) for column in range(at, min(len(row), MAX_KEPT)))


class Tables:
    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._open: list[_Table] = []
        self._deeper = 0

    @property
    def in_cell(self) -> bool:
        """Whether text belongs to a cell of data."""
        return bool(self._open) and self._open[-1].cell is not None and not self._open[-1].layout

    def say(self, words: str) -> None:
        cell = self._open[-1].cell
        assert cell is not None
        cell.append(words)

    def open(self) -> None:
        self.lay_out()
        if len(self._open) >= MAX_NESTED:
            self._deeper += 1
        else:
            self._open.append(_Table())

    def lay_out(self) -> None:
        """The innermost table turns out to be layout: what it holds so far is text."""
        if self._open and not self._open[-1].layout:
            table = self._open[-1]
            self.close_cell()
            for row in table.rows:
                for cell in row:
                    self._flow.paragraph(cell)
            table.rows.clear()
            table.layout = True

    def close(self) -> None:
        if self._deeper:
            self._deeper -= 1
        elif self._open:
            self.close_cell()
            self._write(self._open.pop().rows)

    def open_row(self) -> None:
        if self._open and not self._open[-1].layout:
            self.close_cell()
            table = self._open[-1]
            if len(table.rows) >= MAX_ROWS:
                self._write(table.rows)
                table.rows = []
            table.rows.append([])

    def open_cell(self, across: int, down: int) -> None:
        if self._open and not self._open[-1].layout:
            self.close_cell()
            self._open[-1].cell, self._open[-1].covers = [], (max(across, 1), max(down, 1))

    def close_cell(self) -> None:
        table = self._open[-1] if self._open else None
        if table is None or table.cell is None:
            return
        if not table.rows:
            table.rows.append([])
        table.place(joined(table.cell))
        table.cell = None

    def finish(self) -> None:
        """What was never closed ends with the page."""
        while self._open:
            self._deeper = 0
            self.close()

    def _write(self, rows: list[list[str]]) -> None:
        if all(sum(map(bool, row)) <= 1 for row in rows):
            for row in rows:
                self._flow.paragraph(joined(row))
        else:
            self._flow.table(rows)
