import unicodedata
from typing import TYPE_CHECKING

import pytest

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.query import Filters
from kebab.store.filters import chunk_condition, document_condition

if TYPE_CHECKING:
    from store_bench import Index

ALL = ["@work/paper.md", "notes/en.md", "notes/ko.md", "노트/한글.md"]


@pytest.fixture
def filled(index: "Index") -> "Index":
    english = "---\ntags: [red, big]\n---\nThe common word stands in an English sentence about common things.\n"
    korean = "---\ntags: [red]\nlang: ko\n---\ncommon 한국어 문장이 여기에 있다.\n"
    index.put("notes/en.md", english)
    index.put("notes/ko.md", korean, trust_level=TrustLevel.SECONDARY)
    index.put("노트/한글.md", korean + "\n다른 글.\n", trust_level=TrustLevel.GENERATED, source_type=SourceType.NOTE)
    index.put(
        "@work/paper.md",
        "---\ntags: [blue]\nlang: en\n---\ncommon paper\n",
        source_id="work",
        source_type=SourceType.PAPER,
    )
    times = {"notes/en.md": 1, "notes/ko.md": 2, "노트/한글.md": 3, "@work/paper.md": 4}
    for path, day in times.items():
        moment = f"2024-05-0{day}T00:00:00.500Z"
        index.database.run("UPDATE documents SET updated_at = ? WHERE workspace_path = ?", (moment, path))
    return index


def listed(index: "Index", filters: Filters) -> list[str]:
    return [row.workspace_path for row in index.store.shelf.rows(filters)]


CASES = [
    (Filters(), ALL),
    (Filters(tags=("red",)), ["notes/en.md", "notes/ko.md", "노트/한글.md"]),
    (Filters(tags=("big", "blue")), ["@work/paper.md", "notes/en.md"]),
    (Filters(tags=("nothing",)), []),
    (Filters(langs=("ko",)), ["notes/ko.md", "노트/한글.md"]),
    (Filters(langs=("ko", "en")), ALL),
    (Filters(path_globs=("notes/*",)), ["notes/en.md", "notes/ko.md"]),
    (Filters(path_globs=("*/en.md", "@work/*")), ["@work/paper.md", "notes/en.md"]),
    (Filters(path_globs=("노트/*",)), ["노트/한글.md"]),
    (Filters(path_globs=(unicodedata.normalize("NFD", "노트/한글*"),)), ["노트/한글.md"]),
    (Filters(trust_min=TrustLevel.PRIMARY), ["@work/paper.md", "notes/en.md"]),
    (Filters(trust_min=TrustLevel.SECONDARY), ["@work/paper.md", "notes/en.md", "notes/ko.md"]),
    (Filters(trust_min=TrustLevel.GENERATED), ALL),
    (Filters(media=("markdown",)), ALL),
    (Filters(media=("pdf",)), []),
    (Filters(sources=("work",)), ["@work/paper.md"]),
    (Filters(sources=("default", "work")), ALL),
    (Filters(source_types=("paper", "note")), ["@work/paper.md", "노트/한글.md"]),
    (Filters(ingested_after="2024-05-03T00:00:00.000Z"), ["@work/paper.md", "노트/한글.md"]),
    (Filters(ingested_after="2024-05-04T00:00:00.500Z"), []),
    (Filters(tags=("red",), langs=("ko",), trust_min=TrustLevel.SECONDARY), ["notes/ko.md"]),
    (Filters(tags=("red",), sources=("work",)), []),
    (
        Filters(
            tags=("blue",),
            langs=("en",),
            path_globs=("@work/*",),
            trust_min=TrustLevel.PRIMARY,
            media=("markdown",),
            ingested_after="2024-05-01T00:00:00.000Z",
            sources=("work",),
            source_types=("paper",),
        ),
        ["@work/paper.md"],
    ),
]


@pytest.mark.parametrize(("filters", "expected"), CASES)
def test_each_field_narrows_and_all_of_them_together(filled: "Index", filters: Filters, expected: list[str]) -> None:
    assert listed(filled, filters) == expected


@pytest.mark.parametrize(("filters", "expected"), CASES)
def test_a_search_is_narrowed_the_same_way(filled: "Index", filters: Filters, expected: list[str]) -> None:
    assert sorted(filled.search("common", filters=filters)) == expected


def test_documents_by_id(filled: "Index") -> None:
    ids = {row.workspace_path: row.doc_id for row in filled.store.shelf.rows(Filters())}
    wanted = (ids["notes/en.md"], ids["노트/한글.md"], "0" * 32)
    assert listed(filled, Filters(doc_ids=wanted)) == ["notes/en.md", "노트/한글.md"]


def test_a_moment_without_fractions_is_before_the_fractions_of_its_second(filled: "Index") -> None:
    assert listed(filled, Filters(ingested_after="2024-05-04T00:00:00Z")) == ["@work/paper.md"]


HOSTILE = ["' OR '1'='1", '" OR 1=1 --', "'); DROP TABLE documents; --", "%", "a' UNION SELECT 1 --", "\x00", "?"]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize(
    "field",
    ["tags", "langs", "path_globs", "media", "doc_ids", "sources", "source_types", "repos", "code_langs", "symbols"],
)
def test_values_are_bound_never_read_as_sql(filled: "Index", field: str, value: str) -> None:
    filters = Filters(**{field: (value,)})
    condition, bindings = document_condition(filters)
    assert value not in condition or value == "?"
    assert set(bindings) == {value}
    assert listed(filled, filters) == []
    assert filled.search("common", filters=filters) == []
    assert listed(filled, Filters()) == ALL


def test_without_filters_there_is_no_condition() -> None:
    assert document_condition(Filters()) == ("", [])
    assert chunk_condition(Filters()) == ("", [])


def test_as_many_values_as_anyone_may_give(filled: "Index") -> None:
    many = tuple(f"tag{number}" for number in range(5000))
    assert listed(filled, Filters(tags=(*many, "blue"))) == ["@work/paper.md"]
