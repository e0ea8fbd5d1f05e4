"""SearchPane: hits while a query is typed."""

from functools import partial

from textual.app import ComposeResult
from textual.widgets import Input

from kebab.core.errors import KebabError
from kebab.core.query import Query, SearchResult
from kebab.ui.tui.hit_rows import hit_row
from kebab.ui.tui.inking import facts, trouble
from kebab.ui.tui.pane import Line, Tools, TypedPane
from kebab.ui.tui.rows import Row
from kebab.ui.tui.workers import Pace


class SearchPane(TypedPane):
    title = "search"

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        words = tools.words
        self._query = Line(words["search"], words["search_for"], "query")
        self._filter = Line(words["filter"], words["filter_for"], "query-filter")
        self._asked: Query | None = None
        self.result: SearchResult | None = None

    def compose(self) -> ComposeResult:
        yield self._query
        yield self._filter
        yield self.rows

    @property
    def entry(self) -> Input:
        return self._query.input

    @property
    def filter_line(self) -> Input:
        return self._filter.input

    def on_resize(self) -> None:
        if self.result is not None:
            self.rows.amend(self._made(self.result))

    def refresh_found(self) -> None:
        text, wanted = self.entry.value.strip(), self._turn.next()
        filters = self.filters()
        if filters is None:
            return
        if not text and filters.symbols:
            text = filters.symbols[0].replace("*", "")
        if not text:
            self.result = None
            self.rows.show(())
            self.tell("")
            return
        manners = self.tools.manners
        query = Query(text, self.tools.mode(), manners.k, filters, manners.snippet_chars)
        found = partial(self._found, query)
        self.tools.desk.run(Pace.QUICK, lambda app: app.search(query), found, self._failed, wanted)

    def _found(self, query: Query, result: SearchResult) -> None:
        """The same query again, because the index has changed, leaves the choice where it was if it can."""
        words, chosen = self.tools.words, self.target if query == self._asked else None
        self.result, self._asked = result, query
        rows = self._made(result)
        self.rows.show(rows, next((at for at, row in enumerate(rows) if row.value == chosen), 0))
        count = words["hits"].format(count=len(result.hits), mode=words[str(result.mode)])
        # That there is no model is what the status line says all the time.
        note = "" if "no embedding model" in (result.degraded or "") else result.degraded or result.hint or ""
        self.tell(facts((count if result.hits else words["no_hits"], note)))

    def _made(self, result: SearchResult) -> list[Row]:
        width = (self.size.width or 80) - 2
        return [hit_row(hit, self.tools.words, width) for hit in result.hits]

    def _failed(self, error: KebabError) -> None:
        self.result = None
        self.rows.show(())
        self.tell(trouble(error, self.tools.words["hint"]))
