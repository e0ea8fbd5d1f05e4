"""SourceView: the preview with its bar. Fetches what a pane points at; what a newer choice has overtaken is dropped."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from kebab.core.errors import KebabError
from kebab.ui.tui.desk import Desk, Turn
from kebab.ui.tui.excerpt import Excerpt, Target, fetch_excerpt
from kebab.ui.tui.inking import ink, trouble
from kebab.ui.tui.preview import Preview
from kebab.ui.tui.status import Bar, empty_bar, source_bar
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace


class SourceView(Vertical):
    def __init__(self, desk: Desk, words: Words) -> None:
        super().__init__(id="source")
        self._desk, self._words, self._turn = desk, words, Turn()
        self.place, self.preview = Bar(id="place"), Preview(id="preview")

    def compose(self) -> ComposeResult:
        yield self.place
        yield self.preview

    def on_mount(self) -> None:
        self.place.say(empty_bar(self._words))

    def point(self, target: Target | None) -> None:
        wanted = self._turn.next()
        if target is None:
            self._show(None)
            return
        self._desk.run(Pace.QUICK, lambda app: fetch_excerpt(app, target), self._show, self._failed, wanted)

    def advise(self, lines: Sequence[str]) -> None:
        """What to do next, where there is nothing to show."""
        self._turn.drop()
        self.place.say(empty_bar(self._words))
        self.preview.say([ink(line) for line in lines])

    def _show(self, excerpt: Excerpt | None) -> None:
        self.preview.show(excerpt)
        width = self.size.width or 80
        self.place.say(source_bar(excerpt, self._words, width) if excerpt is not None else empty_bar(self._words))

    def _failed(self, error: KebabError) -> None:
        self.preview.show(None)
        self.place.say(empty_bar(self._words, trouble(error, self._words["hint"])))
