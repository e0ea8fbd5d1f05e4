"""The bars: which pane is shown, what the preview shows, and how the index stands, also when others change it."""

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.widgets import Static

from kebab.core.errors import KebabError, NotIndexed
from kebab.core.inspection import NO_MODEL, Pulse
from kebab.ui.tui.desk import Desk, Turn
from kebab.ui.tui.excerpt import Excerpt
from kebab.ui.tui.hit_rows import state_note
from kebab.ui.tui.inking import facts, ink, joined, tail, trouble
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace

_LEAST_PLACE = 20


class Bar(Static):
    """One line that is cut at the edge."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the framework's name for it
        super().__init__(ink(""), classes="bar", id=id)
        self.shown = Text()

    def say(self, text: Text) -> None:
        self.shown = text
        self.update(text)


def tabs(panes: Sequence[str], current: str, words: Words, mode: str) -> Text:
    """The pane that is shown stands in brackets."""
    line = Text("kebab ")
    for number, name in enumerate(panes, start=1):
        label = f"{number} {words[name]}"
        line.append(f"[{label}]" if name == current else f" {label} ", "bold reverse" if name == current else "")
    return joined(line, f"  {words[mode]}")


def empty_bar(words: Words, note: str = "") -> Text:
    return joined(ink(f"── {words['preview']} ", "dim"), ink(note, "yellow"))


def source_bar(excerpt: Excerpt, words: Words, width: int) -> Text:
    note = state_note(excerpt.state.freshness, stale=excerpt.state.stale, words=words)
    return joined(ink("── ", "dim"), tail(excerpt.title, max(width - note.cell_len - 3, _LEAST_PLACE), "bold"), note)


def index_facts(pulse: Pulse | None, words: Words, *, readonly: bool) -> Text:
    if pulse is None:
        return ink(words["opening"], "dim")
    size = words["status"].format(documents=f"{pulse.documents:,}", chunks=f"{pulse.chunks:,}")
    embedding = words["words_only"] if pulse.embedding == NO_MODEL else pulse.embedding
    stale = words["status_stale"].format(stale=pulse.stale) if pulse.stale else ""
    return ink(facts((size, embedding, pulse.language_model, stale, words["readonly"] if readonly else "")), "dim")


class Pulses(Bar):
    """How the index stands. Asks again and again, and calls `news` when it has changed or is not there."""

    def __init__(self, desk: Desk, words: Words, news: Callable[[Pulse | None], None], *, readonly: bool) -> None:
        super().__init__(id="status")
        self._desk, self._words, self._news, self._readonly = desk, words, news, readonly
        self._turn = Turn()
        self.pulse: Pulse | None = None
        self.missing = False

    def on_mount(self) -> None:
        self.say(index_facts(None, self._words, readonly=self._readonly))

    def look(self) -> None:
        before = self.pulse
        self._desk.run(Pace.QUICK, lambda app: app.pulse(before), self._found, self._failed, self._turn.next())

    def _found(self, pulse: Pulse) -> None:
        if pulse is self.pulse:
            return
        changed = self.pulse is not None or self.missing
        self.pulse, self.missing = pulse, False
        self.say(index_facts(pulse, self._words, readonly=self._readonly))
        if changed:
            self._news(pulse)

    def _failed(self, error: KebabError) -> None:
        self.say(ink(trouble(error, self._words["hint"]), "yellow"))
        if isinstance(error, NotIndexed) and not self.missing:
            self.missing = True
            self._news(None)
        self.pulse = None
