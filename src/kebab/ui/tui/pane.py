"""Pane: what the parts of the app share. A line to type in, a filter line, a list, and the tools they work with."""

from collections.abc import Callable
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, SearchMode
from kebab.ui.tui.desk import Desk, Turn
from kebab.ui.tui.excerpt import Target
from kebab.ui.tui.filtering import filters_in
from kebab.ui.tui.inking import ink, trouble
from kebab.ui.tui.rows import Rows
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace

_LONGEST_LINE = 2000


class Manners(NamedTuple):
    """How the app behaves; tests have less patience.

    `k` hits are listed, and `passages` looked for behind a question; `answers` is the pace of whoever answers.
    """

    readonly: bool = False
    k: int = 20
    passages: int = 10
    snippet_chars: int = 220
    debounce: float = 0.12
    answers: Pace = Pace.LONG
    look_again_seconds: float = 2.0


class Tools(NamedTuple):
    """What a pane may use. `show` previews a place, `tell` says a line, `open` opens a source; all return at once."""

    desk: Desk
    words: Words
    mode: Callable[[], SearchMode]
    show: Callable[[Target | None], None]
    tell: Callable[[str], None]
    open: Callable[[Target], None]
    manners: Manners


class Entry(Input):
    """Takes what is pasted as one line, and as much of it as fits; a longer text is not refused as a whole."""

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        start, end = sorted(self.selection)
        room = _LONGEST_LINE - len(self.value) + end - start
        self.replace(" ".join(event.text.split())[:room], start, end)


class Line(Horizontal):
    """A label and a line to type in."""

    def __init__(self, label: str, placeholder: str, name: str) -> None:
        super().__init__(classes="line")
        self._label = label
        self.input = Entry(
            placeholder=placeholder, compact=True, select_on_focus=False, max_length=_LONGEST_LINE, id=name
        )
        # A cursor that blinks is traffic, over ssh without end.
        self.input.cursor_blink = False

    def compose(self) -> ComposeResult:
        yield Static(ink(f"{self._label}: "), classes="label")
        yield self.input


class Pane(Vertical):
    """`title` and `keys` name rows of the table of words."""

    title = ""
    keys = "keys_list"

    def __init__(self, tools: Tools) -> None:
        super().__init__(id=self.title, classes="pane")
        self.tools = tools
        self.rows = Rows(id=f"{self.title}-rows")

    @property
    def entry(self) -> Input | None:
        """Where `/` leads."""
        return None

    @property
    def filter_line(self) -> Input | None:
        return None

    def filters(self) -> Filters | None:
        """None, and a word about it, when the line is not understood."""
        line = self.filter_line
        try:
            return filters_in(line.value if line is not None else "")
        except InvalidInput as error:
            self.tell(trouble(error, self.tools.words["hint"]))
            return None

    @property
    def first(self) -> Widget:
        """What has the focus when the pane is shown."""
        return self.entry or self.rows

    @property
    def target(self) -> Target | None:
        """What is chosen."""
        value = self.rows.current.value if self.rows.current is not None else None
        return value if isinstance(value, Target) else None

    def tell(self, line: str) -> None:
        """A pane that is not shown has nothing to say."""
        if self.display:
            self.tools.tell(line)

    def cancel(self) -> bool:
        """Whether there was something to stop."""
        return False

    def arrive(self) -> None:
        """The pane is shown."""

    def refresh_found(self) -> None:
        """The index or the mode has changed."""

    def on_rows_moved(self, event: Rows.Moved) -> None:
        event.stop()
        if self.display:
            self.tools.show(self.target)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.stop()
        if isinstance(event.row.value, Target):
            self.tools.open(event.row.value)


class TypedPane(Pane):
    """A pane whose list follows what is typed: it waits for a pause, and drops what newer words have overtaken."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self._turn = Turn()
        self._timer: Timer | None = None

    def on_input_changed(self, event: Input.Changed) -> None:
        """The only thing that starts anew: letters an input method still composes have not changed the line."""
        event.stop()
        self._turn.drop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self.tools.manners.debounce, self.refresh_found)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.rows.focus()
