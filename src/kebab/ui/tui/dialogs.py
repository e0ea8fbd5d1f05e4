"""Screens on top of the others: a list to choose from, and the keys. Each gives back what was chosen, or None."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from kebab.core.archive import AnswerSummary, ChatSession
from kebab.core.markers import shown
from kebab.ui.tui.desk import Failed
from kebab.ui.tui.inking import ink, joined
from kebab.ui.tui.pane import Tools
from kebab.ui.tui.rows import Row, Rows
from kebab.ui.tui.words import Words, help_rows
from kebab.ui.tui.workers import Pace

_HISTORY = 100
# No session can be called so.
NEW_SESSION = "+"
Chosen: TypeAlias = Callable[[str | None], None]


class Choice(ModalScreen[str | None]):
    """Gives back the value of the row, which is a text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1", "leave", show=False)]

    def __init__(self, title: str, rows: Sequence[Row], words: Words) -> None:
        super().__init__()
        self._title, self._rows, self._words = title, rows, words

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(ink(f"── {self._title} ──", "bold"), classes="bar")
            yield Rows(id="choices")
            yield Static(ink(self._words["keys_dialog"], "dim"), classes="bar")

    def on_mount(self) -> None:
        rows = self.query_one(Rows)
        rows.show(self._rows)
        rows.focus()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        event.stop()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.value if isinstance(event.row.value, str) else None)

    def action_leave(self) -> None:
        self.dismiss(None)


def choose_session(app: App[Any], tools: Tools, chosen: Chosen, failed: Failed) -> None:
    def offer(found: Sequence[ChatSession]) -> None:
        app.push_screen(Choice(tools.words["sessions"], session_rows(found, tools.words), tools.words), chosen)

    tools.desk.run(Pace.QUICK, lambda index: index.list_sessions(), offer, failed)


def choose_answer(app: App[Any], tools: Tools, chosen: Chosen, failed: Failed) -> None:
    def offer(found: Sequence[AnswerSummary]) -> None:
        app.push_screen(Choice(tools.words["history"], history_rows(found, tools.words), tools.words), chosen)

    tools.desk.run(Pace.QUICK, lambda index: index.list_answers(_HISTORY), offer, failed)


def help_screen(words: Words) -> Choice:
    rows = [
        Row((joined(ink(key.ljust(16 - (cell_len(key) - len(key))), "bold"), ink(does)),))
        for key, does in help_rows(words)
    ]
    return Choice(words["keys"], rows, words)


def session_rows(sessions: Sequence[ChatSession], words: Words) -> list[Row]:
    """An empty text is no session."""
    own = [Row((ink(words["new_session"]),), NEW_SESSION), Row((ink(words["no_session"]),), "")]
    kept = [
        Row((joined(ink(each.session_id, "bold"), f"  {each.turn_count}  ", ink(each.title or "")),), each.session_id)
        for each in sessions
    ]
    return own + kept


def history_rows(answers: Sequence[AnswerSummary], words: Words) -> list[Row]:
    rows = []
    for each in answers:
        lines = (
            joined(ink(each.created_at[:16].replace("T", " "), "dim"), "  ", ink(each.question, "bold")),
            joined("   ", ink(" ".join(shown(each.answer).split()))),
        )
        rows.append(Row(lines, each.trace_id))
    return rows or [Row((ink(words["nothing_yet"]),))]
