"""Lists of documents page by page: together they are the list, and a cursor is good for its own list alone."""

from collections.abc import Iterator

import pytest
from app_bench import Desk

from kebab.app.facade import App
from kebab.app.library import SORT_ORDERS
from kebab.core.errors import InvalidInput, StaleCursor
from kebab.core.inspection import DocPage
from kebab.core.query import Filters, Query, SearchMode

DOCUMENTS = 7


@pytest.fixture
def filled(desk: Desk) -> Desk:
    for number in range(DOCUMENTS):
        tags = "even" if number % 2 == 0 else "odd, prime"
        desk.write(f"{number}.md", f"---\ntags: [{tags}]\n---\n# Same title\n\nzebra {number}\n")
    desk.ingest()
    return desk


def pages(app: App, filters: Filters, sort: str, limit: int) -> Iterator[DocPage]:
    cursor: str | None = ""
    while cursor is not None:
        page = app.page_of_docs(filters, sort, limit, cursor)
        yield page
        cursor = page.next_cursor


@pytest.mark.parametrize("sort", SORT_ORDERS)
@pytest.mark.parametrize("limit", [1, 3, 7, 8])
def test_pages_together_are_the_list(filled: Desk, sort: str, limit: int) -> None:
    app = filled.app()
    found = list(pages(app, Filters(), sort, limit))
    assert [doc for page in found for doc in page.docs] == app.list_docs(Filters(), sort)
    assert [len(page.docs) for page in found[:-1]] == [limit] * (len(found) - 1)
    assert {page.total for page in found} == {DOCUMENTS}
    assert len(found) == -(-DOCUMENTS // limit)


def test_a_filtered_list_counts_what_the_filters_leave_and_has_the_tags_of_each(filled: Desk) -> None:
    page = filled.app().page_of_docs(Filters(tags=("odd",)), "path", 2)
    assert (page.total, [doc.doc_path for doc in page.docs]) == (3, ["1.md", "3.md"])
    assert [doc.tags for doc in page.docs] == [("odd", "prime")] * 2
    assert page.next_cursor is not None
    empty = filled.app().page_of_docs(Filters(tags=("none",)), "path", 2)
    assert empty == DocPage((), 0, None)


def test_a_cursor_is_good_for_its_own_list_and_until_the_index_changes(filled: Desk) -> None:
    app = filled.app()
    cursor = app.page_of_docs(Filters(), "path", 2).next_cursor
    assert cursor is not None
    assert app.page_of_docs(Filters(), "path", 5, cursor).docs[0].doc_path == "2.md", "a page may be of any size"
    assert len(app.page_of_docs(Filters(), "path", 0, cursor).docs) == DOCUMENTS - 2, "or all the rest"
    with pytest.raises(StaleCursor):
        app.page_of_docs(Filters(), "title", 2, cursor)
    with pytest.raises(StaleCursor):
        app.page_of_docs(Filters(langs=("en",)), "path", 2, cursor)
    with pytest.raises(StaleCursor):
        app.search(Query("zebra", SearchMode.LEXICAL, 2, cursor=cursor))
    filled.write("new.md", "zebra\n")
    filled.ingest()
    with pytest.raises(StaleCursor):
        app.page_of_docs(Filters(), "path", 2, cursor)


@pytest.mark.parametrize("cursor", ["x", "WzEsIC0xLCAieCJd", "W10=", "é"])
def test_what_is_no_cursor_is_refused(filled: Desk, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="not one of kebab's"):
        filled.app().page_of_docs(Filters(), "path", 2, cursor)
    with pytest.raises(InvalidInput, match="limit"):
        filled.app().page_of_docs(Filters(), "path", -1)
