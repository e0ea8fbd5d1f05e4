"""Pages: together they are the result, and a cursor is good for the result it came with and for no other."""

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from app_bench import Desk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from word_embedder import WordModel

from kebab.app import assemble, paging
from kebab.app.facade import App
from kebab.core.asset import TrustLevel
from kebab.core.errors import InvalidInput, StaleCursor
from kebab.core.query import Filters, Hit, Query, RetrievalDetail, SearchMode, SearchResult
from kebab.search.retrieve import Ranked

DOCUMENTS, SECTIONS = 8, 4
MODES = list(SearchMode)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Documents of several chunks each, all of which hold a zebra."""
    home = tmp_path_factory.mktemp("paging")
    (home / "kb").mkdir()
    flags: dict[str, object] = {"models.embedding.provider": "builtin", "models.embedding.dimensions": 32}
    desk = Desk(home, home / "kb", flags)
    for number in range(DOCUMENTS):
        sections = (f"## Part {part}\n\n{'zebra ' * (part + 1)}{number}\n\n" for part in range(SECTIONS))
        desk.write(f"{number}.md", f"# Note {number}\n\n{''.join(sections)}")
    with pytest.MonkeyPatch.context() as patch, desk.open:
        patch.setattr(assemble, "embedder_for", WordModel())
        desk.ingest()
        yield desk.app()


def ask(**limits: Any) -> Query:
    return Query("zebra", SearchMode.LEXICAL, 5)._replace(**limits)


def pages(app: App, query: Query) -> Iterator[SearchResult]:
    while True:
        page = app.search(query)
        yield page
        if page.next_cursor is None:
            return
        query = query._replace(cursor=page.next_cursor)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk_id for hit in hits]


# -- pages


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 40), st.sampled_from(MODES), st.integers(0, 3))
def test_pages_together_are_the_whole_result(library: App, k: int, mode: SearchMode, most: int) -> None:
    whole = library.search(ask(mode=mode, k=100, max_per_doc=most))
    assert whole.next_cursor is None
    joined = [hit for page in pages(library, ask(mode=mode, k=k, max_per_doc=most)) for hit in page.hits]
    assert joined == list(whole.hits)
    assert len(set(ids(joined))) == len(joined)
    assert [hit.rank for hit in joined] == list(range(1, len(joined) + 1))


def test_every_page_but_the_last_is_full(library: App) -> None:
    lengths = [len(page.hits) for page in pages(library, ask(k=7))]
    assert sum(lengths) >= DOCUMENTS * SECTIONS
    assert set(lengths[:-1]) == {7}
    assert 0 < lengths[-1] <= 7


def test_a_result_of_one_page_has_no_next_one(library: App) -> None:
    assert library.search(ask(k=100)).next_cursor is None
    assert library.search(ask(text="unheard")).next_cursor is None


def test_the_number_of_hits_may_change_from_page_to_page(library: App) -> None:
    first = library.search(ask(k=3))
    second = library.search(ask(k=9, cursor=first.next_cursor))
    assert ids(first.hits + second.hits) == ids(library.search(ask(k=12)).hits)


def test_how_long_snippets_are_and_whether_there_is_a_trace_makes_no_other_result(library: App) -> None:
    cursor = library.search(ask()).next_cursor
    page = library.search(ask(cursor=cursor, snippet_chars=40, trace=True))
    assert page.hits[0].rank == 6


def test_a_page_can_be_asked_for_by_another_app(library: App) -> None:
    cursor = library.search(ask()).next_cursor
    other = App(library.config)
    assert other.search(ask(cursor=cursor)).hits == library.search(ask(cursor=cursor)).hits
    other.close()


# -- at most so many of one document


@pytest.mark.parametrize("mode", MODES)
def test_one_document_does_not_fill_the_page(library: App, mode: SearchMode) -> None:
    for most in (1, 2):
        paths = [hit.doc_path for hit in library.search(ask(mode=mode, k=100, max_per_doc=most)).hits]
        assert len(set(paths)) == DOCUMENTS
        assert max(paths.count(path) for path in paths) == most


def test_the_best_of_a_document_are_those_that_stay(library: App) -> None:
    free = library.search(ask(k=100)).hits
    best = {hit.doc_path: hit.chunk_id for hit in reversed(free)}
    capped = library.search(ask(k=100, max_per_doc=1)).hits
    assert {hit.doc_path: hit.chunk_id for hit in capped} == best
    assert [hit.score for hit in capped] == sorted((hit.score for hit in capped), reverse=True)


@given(st.lists(st.integers(0, 4), max_size=20), st.integers(1, 4))
def test_capping_keeps_order_and_nothing_that_fits_is_lost(documents: list[int], most: int) -> None:
    ranked = [Ranked(key, -key, RetrievalDetail(SearchMode.LEXICAL, -key)) for key in range(len(documents))]
    kept = paging.capped(ranked, dict(enumerate(documents)), most)
    assert [each.chunk_key for each in kept] == sorted(each.chunk_key for each in kept)
    for document in set(documents):
        keys = [key for key, value in enumerate(documents) if value == document]
        assert [each.chunk_key for each in kept if each.chunk_key in keys] == keys[:most]


# -- a cursor is bound


@pytest.mark.parametrize(
    "other",
    [
        {"text": "zebra part"},
        {"text": "Zebra"},
        {"mode": SearchMode.HYBRID},
        {"mode": SearchMode.VECTOR},
        {"filters": Filters(path_globs=("0*",))},
        {"filters": Filters(langs=("0*",))},
        {"filters": Filters(trust_min=TrustLevel.PRIMARY)},
        {"filters": Filters(ingested_after="2020-01-01T00:00:00Z")},
        {"max_per_doc": 3},
        {"k": 101},
    ],
)
def test_a_cursor_belongs_to_its_query(library: App, other: dict[str, Any]) -> None:
    cursor = library.search(ask()).next_cursor
    with pytest.raises(StaleCursor) as caught:
        library.search(ask(**other, cursor=cursor))
    assert (caught.value.code, "--cursor" in (caught.value.hint or "")) == ("stale_cursor", True)


def test_a_cursor_belongs_to_one_state_of_the_index(desk: Desk) -> None:
    for number in range(4):
        desk.write(f"{number}.md", f"zebra {number}\n")
    desk.ingest()
    app = desk.app()
    cursor = app.search(ask(k=2)).next_cursor
    desk.ingest()
    assert len(app.search(ask(k=2, cursor=cursor)).hits) == 2
    desk.write("new.md", "other words\n")
    desk.ingest()
    with pytest.raises(StaleCursor):
        app.search(ask(k=2, cursor=cursor))


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


BOUND = "0" * 32
NO_PLACES: list[object] = [
    *(None, 7, "abc", [], {}, {"a": 1, "b": 2, "c": 3}),
    *([1, 5], [1, 5, BOUND, 0], [2, 5, BOUND], [None, 5, BOUND]),
    *([1, -1, BOUND], [1, 1.5, BOUND], [1, True, BOUND], [1, "5", BOUND]),
    *([1, 5, None], [1, 5, 7]),
]
NO_TEXTS = ["x", "   ", "!!!!", "다음", "\udcff", "A" * 10_000]
NO_JSON = [b"\xff\xfe", b"[" * 100_000, b"[1, 5,"]


@pytest.mark.parametrize(
    "cursor", [*NO_TEXTS, *(base64.urlsafe_b64encode(raw).decode() for raw in NO_JSON), *map(encoded, NO_PLACES)]
)
def test_what_is_no_cursor_is_refused(library: App, cursor: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        library.search(ask(cursor=cursor))
    assert "next_cursor" in (caught.value.hint or "")


@given(st.text(max_size=60))
def test_no_text_whatever_breaks_the_reading_of_a_cursor(text: str) -> None:
    query = ask(cursor=text)
    if text:
        with pytest.raises((InvalidInput, StaleCursor)):
            paging.offset_of(query, paging.binding(query, 1))
    else:
        assert paging.offset_of(query, "bound") == 0


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_cursor_leads_back_to_its_place(offset: int, revision: int) -> None:
    bound = paging.binding(ask(), revision)
    assert paging.offset_of(ask(cursor=paging.cursor_at(offset, bound)), bound) == offset


def test_a_place_beyond_the_end_is_an_empty_page(library: App) -> None:
    _, _, bound = json.loads(base64.urlsafe_b64decode(library.search(ask()).next_cursor or ""))
    page = library.search(ask(cursor=paging.cursor_at(10**6, bound)))
    assert (page.hits, page.next_cursor) == ((), None)
