"""Apps that share a vector side: what one of them has ranked the other need not, unless it is another index."""

from typing import TYPE_CHECKING

import pytest

from kebab.app import ranking
from kebab.core.query import Query, SearchMode

if TYPE_CHECKING:
    from app_bench import Desk

QUERY = Query("pelican", SearchMode.LEXICAL, 5)


@pytest.fixture
def ranked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that were really ranked."""
    asked: list[str] = []
    retrieve = ranking.retrieve

    def counted(query: Query, *others: object) -> object:
        asked.append(query.text)
        return retrieve(query, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(ranking, "retrieve", counted)
    return asked


def test_a_ranking_is_made_once_for_all(desk: "Desk", ranked: list[str]) -> None:
    desk.write("a.md", "# A\n\npelican\n")
    desk.ingest()
    one = desk.app()
    other = desk.app(vectors=one.vectors)
    assert [hit.doc_path for hit in one.search(QUERY).hits] == ["a.md"]
    assert [hit.doc_path for hit in other.search(QUERY).hits] == ["a.md"]
    assert ranked == ["pelican"]


def test_an_index_that_was_made_anew_is_ranked_anew(desk: "Desk", ranked: list[str]) -> None:
    desk.write("a.md", "# A\n\npelican\n")
    desk.ingest()
    one = desk.app()
    assert len(one.search(QUERY).hits) == 1
    desk.app().reset("data_only")
    desk.write("a.md", "# A\n\nheron\n", at=1_700_000_100)
    desk.ingest()
    assert desk.app(vectors=one.vectors).search(QUERY).hits == ()
    assert ranked == ["pelican", "pelican"]
