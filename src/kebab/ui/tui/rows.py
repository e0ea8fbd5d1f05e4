"""Rows: a list to choose from by keyboard. Draws only what is seen; the choice has a mark, not only a colour."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

_MARGIN = 2
_HERE, _ELSEWHERE, _NONE = "> ", "- ", "  "


class Row(NamedTuple):
    """Lines on the screen, and what they stand for. `wraps` lets lines that are too long go on below."""

    lines: tuple[Text, ...]
    value: object = None
    wraps: bool = False


class Rows(ScrollView, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home,g", "end(-1)", show=False),
        Binding("end,G", "end(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    class Moved(Message):
        """Another row is the chosen one, or other rows are shown."""

        def __init__(self, rows: "Rows", row: Row | None) -> None:
            super().__init__()
            self.rows, self.row = rows, row

    class Chosen(Message):
        def __init__(self, rows: "Rows", row: Row) -> None:
            super().__init__()
            self.rows, self.row = rows, row

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the framework's name for it
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.cursor = 0
        self._height = 0
        self._drawn: list[tuple[Text, ...]] = []
        self._starts: Sequence[int] = (0,)

    @property
    def current(self) -> Row | None:
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def show(self, rows: Sequence[Row], cursor: int = 0, height: int = 0) -> None:
        """`height` is that of every row; where it is given, only rows that are seen are made at all."""
        self.rows, self._height = rows, height
        self.cursor = min(max(cursor, 0), max(len(rows) - 1, 0))
        self._lay_out()
        self._reveal()
        self.post_message(self.Moved(self, self.current))

    def amend(self, rows: Sequence[Row]) -> None:
        """Other words for what is shown already: the place stays, and nobody is told."""
        self.rows, self._height = rows, 0
        self.cursor = min(self.cursor, max(len(rows) - 1, 0))
        self._lay_out()

    def follow(self) -> None:
        """Keeps the end in view. The framework's own way to the end comes late, and after what was shown since."""
        self.scroll_to(y=self._starts[-1], animate=False, force=True)

    def on_resize(self, _event: events.Resize) -> None:
        self._lay_out()
        self._reveal()

    def _lay_out(self) -> None:
        if self._height:
            self._drawn, self._starts = [], range(0, (len(self.rows) + 1) * self._height, self._height)
        else:
            width = max(self.size.width - _MARGIN, 1)
            self._drawn = [self._wrapped(row, width) if row.wraps else row.lines for row in self.rows]
            self._starts = [0, *accumulate(map(len, self._drawn))]
        self.virtual_size = Size(self.size.width, self._starts[-1])
        self.refresh()

    def _wrapped(self, row: Row, width: int) -> tuple[Text, ...]:
        console = self.app.console
        return tuple(
            part for line in row.lines for part in line.wrap(console, width, no_wrap=False, overflow="fold") or (line,)
        )

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        width, style = self.size.width, self.rich_style
        number = bisect_right(self._starts, at) - 1
        if not 0 <= number < len(self.rows):
            return Strip.blank(width, style)
        lines = self.rows[number].lines if self._height else self._drawn[number]
        line = lines[at - self._starts[number]]
        chosen = number == self.cursor
        first = at == self._starts[number]
        margin = (_HERE if self.has_focus else _ELSEWHERE) if chosen and first else _NONE
        segments = [Segment(margin), *line.render(self.app.console)]
        # A strip is cut and filled to the width in cells, so that a wide letter never runs over the edge.
        strip = Strip(segments).adjust_cell_length(width)
        return strip.apply_style(style + Style(bold=True) if chosen else style)

    def _reveal(self) -> None:
        if self.rows:
            start, end = self._starts[self.cursor], self._starts[self.cursor + 1]
            self.scroll_to_region(Region(0, start, 1, max(end - start, 1)), animate=False, force=True)
        self.refresh()

    def _go(self, to: int) -> None:
        to = min(max(to, 0), len(self.rows) - 1)
        if self.rows and to != self.cursor:
            self.cursor = to
            self._reveal()
            self.post_message(self.Moved(self, self.current))

    def action_move(self, by: int) -> None:
        self._go(self.cursor + by)

    def action_page(self, by: int) -> None:
        at = self._starts[self.cursor] + by * max(self.size.height - 1, 1)
        self._go(max(bisect_right(self._starts, max(at, 0)) - 1, 0))

    def action_end(self, side: int) -> None:
        self._go(len(self.rows) if side > 0 else 0)

    def action_choose(self) -> None:
        if (row := self.current) is not None:
            self.post_message(self.Chosen(self, row))
