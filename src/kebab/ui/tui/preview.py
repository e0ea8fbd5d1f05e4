"""Preview: a source around a place, numbered, with the passage marked and in view. Gets excerpts, fetches none."""

from collections.abc import Iterator

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from kebab.ui.tui.excerpt import Excerpt, SourceLine

_LEAST_TEXT = 8
_ABOVE = 2


class Preview(ScrollView, can_focus=True):
    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the framework's name for it
        super().__init__(id=id)
        self.excerpt: Excerpt | None = None
        self._lines: list[Text] = []
        self._meant = 0

    def show(self, excerpt: Excerpt | None) -> None:
        self.excerpt = excerpt
        self._lay_out()
        self.scroll_to(y=max(self._meant - _ABOVE, 0), animate=False, force=True)

    def say(self, lines: list[Text]) -> None:
        """Words of our own instead of a source."""
        self.excerpt = None
        self._set(lines, 0)

    def on_resize(self, _event: events.Resize) -> None:
        if self.excerpt is not None:
            self.show(self.excerpt)

    def _lay_out(self) -> None:
        lines: list[Text] = []
        meant = 0
        source = self.excerpt.lines if self.excerpt is not None else ()
        digits = len(str(max((line.number or 0 for line in source), default=0)))
        numbered = any(line.number is not None for line in source)
        for line in source:
            if line.meant and not meant:
                meant = len(lines)
            lines.extend(self._drawn(line, digits if numbered else 0))
        self._set(lines, meant)

    def _set(self, lines: list[Text], meant: int) -> None:
        self._lines, self._meant = lines, meant
        self.virtual_size = Size(self.size.width, len(lines))
        self.refresh()

    def _drawn(self, line: SourceLine, digits: int) -> Iterator[Text]:
        """The passage has a mark at the edge: it is seen without colours, too."""
        edge = "▌" if line.meant else " "
        number = f"{line.number or '':>{digits}} " if digits else ""
        width = max(self.size.width - len(edge) - len(number) - 1, _LEAST_TEXT)
        body = line.text.copy()
        if line.meant:
            body.stylize("bold")
        parts = body.wrap(self.app.console, width, no_wrap=False, overflow="fold") or [body]
        for at, part in enumerate(parts):
            lead = number if at == 0 else " " * len(number)
            drawn = Text(end="", no_wrap=True)
            drawn.append(edge, "bold yellow" if line.meant else "")
            drawn.append(lead, "yellow" if line.meant else "dim")
            drawn.append_text(part)
            yield drawn

    def render_line(self, y: int) -> Strip:
        at, style, width = y + self.scroll_offset.y, self.rich_style, self.size.width
        if not 0 <= at < len(self._lines):
            return Strip.blank(width, style)
        segments: list[Segment] = list(self._lines[at].render(self.app.console))
        return Strip(segments).adjust_cell_length(width).apply_style(style)
