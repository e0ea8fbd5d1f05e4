"""LibraryPane: the documents with a filter, and which of them have changed, are gone or were indexed long ago."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from kebab.core.errors import KebabError
from kebab.core.inspection import DocSummary
from kebab.core.query import Freshness
from kebab.ui.tui.hit_rows import DocRows
from kebab.ui.tui.inking import facts, trouble
from kebab.ui.tui.pane import Line, Tools, TypedPane
from kebab.ui.tui.workers import Pace


class LibraryPane(TypedPane):
    title = "library"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("c", "odd", show=False)]

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self._filter = Line(tools.words["filter"], tools.words["filter_for"], "library-filter")
        self.documents: list[DocSummary] = []
        self.only_odd = False

    def compose(self) -> ComposeResult:
        yield self._filter
        yield self.rows

    @property
    def entry(self) -> Input:
        return self._filter.input

    @property
    def filter_line(self) -> Input:
        return self._filter.input

    @property
    def first(self) -> Widget:
        return self.rows

    def arrive(self) -> None:
        self.refresh_found()

    def refresh_found(self) -> None:
        filters = self.filters()
        if filters is not None:
            wanted = self._turn.next()
            self.tools.desk.run(
                Pace.LONG, lambda app: app.list_docs(filters, "path"), self._found, self._failed, wanted
            )

    def action_odd(self) -> None:
        self.only_odd = not self.only_odd
        self._draw()

    def _found(self, documents: list[DocSummary]) -> None:
        self.documents = documents
        self._draw()

    def _draw(self) -> None:
        words, every = self.tools.words, self.documents
        seen = [doc for doc in every if _is_odd(doc)] if self.only_odd else every
        chosen = self.target.reference if self.target is not None else ""
        place = next((at for at, doc in enumerate(seen) if doc.doc_id == chosen), 0)
        self.rows.show(DocRows(seen, words), place, DocRows.height)
        counts = {state: sum(doc.freshness is state for doc in every) for state in Freshness}
        states = words["states"].format(
            changed=counts[Freshness.CHANGED],
            missing=counts[Freshness.MISSING],
            stale=sum(doc.stale for doc in every),
        )
        count = words["documents"].format(shown=len(seen), total=len(every))
        self.tell(facts((count, states, words["only_odd"] if self.only_odd else "")))

    def _failed(self, error: KebabError) -> None:
        self.documents = []
        self.rows.show(())
        self.tell(trouble(error, self.tools.words["hint"]))


def _is_odd(doc: DocSummary) -> bool:
    return doc.stale or doc.freshness is not Freshness.FRESH
