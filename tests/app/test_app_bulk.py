"""Many queries at once: one item per line, in order, whatever becomes of any of them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from app_bench import Desk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kebab.app.bulk import MAX_LINE, MAX_QUERIES
from kebab.app.facade import App
from kebab.core.asset import TrustLevel
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, Query, SearchMode
from kebab.wire.bulk import decode_bulk_input, encode_bulk_response
from wire_schemas import check

DEFAULTS = Query("", SearchMode.LEXICAL, 3)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home = tmp_path_factory.mktemp("bulk")
    (home / "kb").mkdir()
    desk = Desk(home, home / "kb")
    desk.write("zebra.md", "---\ntags: [animals, stripes]\n---\n\n# Zebra\n\nA zebra stands.\n")
    desk.write("okapi.md", "---\ntags: [animals]\n---\n\n# Okapi\n\nAn okapi and a zebra.\n")
    with desk.open:
        desk.ingest()
        yield desk.app()


def lines(*given: object) -> list[bytes]:
    return [each if isinstance(each, bytes) else json.dumps(each).encode() for each in given]


def ask(app: App, *given: object, defaults: Query = DEFAULTS) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = list(app.bulk_search(lines(*given), defaults))
    for item in items:
        check(item)
        check(json.loads(json.dumps(item, ensure_ascii=False, allow_nan=False).encode("utf-8")))
    check(encode_bulk_response(items))
    return items


def paths(item: dict[str, Any]) -> list[str]:
    assert item["error"] is None, item["error"]
    return [hit["doc_path"] for hit in item["response"]["hits"]]


def code(item: dict[str, Any]) -> str:
    assert item["response"] is None
    return str(item["error"]["code"])


# -- items


def test_each_line_has_its_item_in_order(app: App) -> None:
    items = ask(app, {"query": "okapi"}, {"query": "zebra"}, {"query": "unheard"}, {"query": "okapi"})
    assert [paths(item) for item in items] == [["okapi.md"], ["zebra.md", "okapi.md"], [], ["okapi.md"]]
    assert [item["query"]["query"] for item in items] == ["okapi", "zebra", "unheard", "okapi"]


def test_an_item_is_what_a_search_alone_would_say(app: App) -> None:
    from kebab.core.versions import INDEX_VERSION
    from kebab.wire.search import encode_response

    (item,) = ask(app, {"query": "zebra", "k": 1})
    assert item["response"] == encode_response(app.search(DEFAULTS._replace(text="zebra", k=1)), INDEX_VERSION)


def test_a_query_that_fails_stops_no_other(app: App) -> None:
    items = ask(
        app,
        {"query": "zebra"},
        b"{not json",
        {"query": ""},
        {"query": "zebra", "mode": "vector"},
        {"query": "zebra", "cursor": "x"},
        {"query": "okapi"},
    )
    assert [item["error"] is None for item in items] == [True, False, False, False, False, True]
    assert [code(item) for item in items[1:5]] == ["invalid_input"] * 4
    assert encode_bulk_response(items)["summary"] == {"total": 6, "succeeded": 2, "failed": 4}


def test_a_cursor_of_another_query_is_stale_here_too(app: App) -> None:
    (first,) = ask(app, {"query": "zebra", "k": 1})
    cursor = first["response"]["next_cursor"]
    second, stale = ask(app, {"query": "zebra", "k": 1, "cursor": cursor}, {"query": "okapi", "k": 1, "cursor": cursor})
    assert paths(first) + paths(second) == ["zebra.md", "okapi.md"]
    assert code(stale) == "stale_cursor"


@pytest.mark.parametrize(
    "line",
    [
        *(b"{not json", b"[]", b"7", b"null", b'"zebra"', b"{}", b"\xff\xfe", b"[" * 5000, b'{"query": NaN}'),
        *(b'{"query": "a"} {"query": "b"}', b'{"query": "' + b"a" * MAX_LINE + b'"}'),
    ],
)
def test_a_malformed_line_is_an_item_with_an_error(app: App, line: bytes) -> None:
    (item,) = ask(app, line)
    assert code(item) == "invalid_input"
    assert isinstance(item["query"]["query"], str)


UNUSABLE: dict[str, list[object]] = {
    "query": [None, 7, ["zebra"], {"text": "zebra"}, "", "  "],
    "mode": ["telepathy", "", 7, ["lexical"], {}],
    "k": [0, -1, 1001, 10**30, 1.5, 3.0, "3", True, [3]],
    **{name: [7, [7], {}, [["a"]]] for name in ("tag", "lang", "media", "source", "source_type", "doc_id")},
    "path_glob": [False, 0, [None]],
    "trust_min": ["total", "", 7],
    "ingested_after": ["yesterday", "", 7, "9999-99-99"],
    "max_tokens": [0, -5, "9", 2.5],
    "max_per_doc": [0, "1"],
    "snippet_chars": [0, 19, 20_001, "40"],
    "trace": [1, "yes", []],
    "cursor": [7, ["a"]],
    **{name: [7, [7], {}] for name in ("repo", "code_lang", "symbol")},
}


@pytest.mark.parametrize(("field", "value"), [(name, value) for name, values in UNUSABLE.items() for value in values])
def test_a_field_of_the_wrong_kind_is_named(app: App, field: str, value: object) -> None:
    (item,) = ask(app, {"query": "zebra", field: value})
    assert code(item) == "invalid_input"
    told = f"{item['error']['message']} {item['error']['details']}"
    assert field.replace("_", "-") in told or field in told


def test_what_no_field_is_called_is_let_through_and_echoed(app: App) -> None:
    (item,) = ask(app, {"query": "okapi", "id": "q1", "from_the_future": [1, 2], "deep": {"a": 1}})
    assert paths(item) == ["okapi.md"]
    assert item["query"] == {
        "schema_version": "bulk_search_input.v1",
        "query": "okapi",
        "id": "q1",
        "from_the_future": [1, 2],
    }


def test_null_is_the_same_as_absent(app: App) -> None:
    names = "mode k tag lang path_glob trust_min media ingested_after doc_id repo code_lang source max_tokens cursor"
    (item,) = ask(app, {"query": "okapi", **dict.fromkeys(names.split())})
    assert paths(item) == ["okapi.md"]
    assert item["query"] == {"schema_version": "bulk_search_input.v1", "query": "okapi"}


@pytest.mark.parametrize("text", ["\ud800 okapi", "okapi\udfff"])
def test_half_a_character_is_replaced(app: App, text: str) -> None:
    by_text, by_tag = ask(app, {"query": text, "id": text}, {"query": "okapi", "tag": ["animals", text]})
    assert paths(by_text) == paths(by_tag) == ["okapi.md"]


@pytest.mark.parametrize("field", ["x", "k", "tag", "mode", "query"])
def test_a_line_nested_without_end_harms_nothing(app: App, field: str) -> None:
    nested = b'{"query": "okapi", "' + field.encode() + b'": ' + b"[" * 700 + b"]" * 700 + b"}"
    item, other = ask(app, nested, {"query": "okapi"})
    assert (item["error"] is None) == (field == "x")
    assert paths(other) == ["okapi.md"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = "query mode k tag lang path_glob trust_min media ingested_after doc_id repo source max_tokens cursor trace x"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.sampled_from(FIELDS.split()), anything) | anything, min_size=1, max_size=4))
def test_whatever_comes_in_every_item_is_what_its_schema_says(app: App, given: list[object]) -> None:
    assert len(ask(app, *given)) == len(given)


# -- how many


def test_blank_lines_are_no_queries(app: App) -> None:
    assert [paths(item) for item in ask(app, b"\n", {"query": "okapi"}, b"  \r\n", b"")] == [["okapi.md"]]


@pytest.mark.parametrize("given", [[], [b"\n", b"   "]])
def test_no_query_at_all_is_an_error_of_the_call(app: App, given: list[bytes]) -> None:
    with pytest.raises(InvalidInput, match="no queries"):
        app.bulk_search(given, DEFAULTS)


def test_too_many_queries_are_refused_before_the_first_is_answered(app: App) -> None:
    many = lines(*({"query": "okapi"} for _ in range(MAX_QUERIES)))
    assert len(list(app.bulk_search(many, DEFAULTS))) == MAX_QUERIES
    with pytest.raises(InvalidInput, match=f"at most {MAX_QUERIES}"):
        app.bulk_search([*many, many[0]], DEFAULTS)


def test_items_come_as_they_are_answered(app: App) -> None:
    """A reader of the stream sees the first before the last is done."""
    items = app.bulk_search(lines({"query": "okapi"}, {"query": "zebra"}), DEFAULTS)
    assert paths(next(items)) == ["okapi.md"]


# -- what a line may say


def test_what_a_line_leaves_out_is_as_the_call_says(app: App) -> None:
    stripes = DEFAULTS._replace(k=1, filters=Filters(tags=("stripes",)), trace=True)
    silent, other, none = (
        {"query": "okapi"},
        {"query": "okapi", "tag": "animals"},
        {"query": "zebra", "tag": [], "k": 5},
    )
    items = ask(app, silent, other, none, defaults=stripes)
    assert [paths(item) for item in items] == [[], ["okapi.md"], ["zebra.md", "okapi.md"]]
    assert all("trace" in item["response"] for item in items)


def test_every_field_becomes_its_part_of_the_query() -> None:
    line = {
        "schema_version": "bulk_search_input.v1",
        "query": "zebra",
        "mode": "hybrid",
        "k": 7,
        "tag": ["a", "b", "a", ""],
        "lang": "ko",
        "path_glob": "notes/*",
        "trust_min": "secondary",
        "media": ["markdown"],
        "ingested_after": "2026-03-01",
        "doc_id": "0f",
        "source": ["default"],
        "source_type": "note",
        "max_tokens": 900,
        "max_per_doc": 2,
        "snippet_chars": 40,
        "cursor": "abc",
        "trace": True,
    }
    filters = Filters(
        tags=("a", "b"),
        langs=("ko",),
        path_globs=("notes/*",),
        trust_min=TrustLevel.SECONDARY,
        media=("markdown",),
        ingested_after="2026-03-01T00:00:00Z",
        doc_ids=("0f",),
        sources=("default",),
        source_types=("note",),
    )
    assert decode_bulk_input(line, DEFAULTS) == Query("zebra", SearchMode.HYBRID, 7, filters, 40, 2, 900, "abc", True)
    check({**line, "schema_version": "bulk_search_input.v1"})
