"""The same file in several folders does not crowd the first page, and each copy is still there to be found."""

import pytest
from app_bench import Desk

from kebab.core.query import Filters, Query, SearchMode

RECIPE = "# Rice\n\nBrown rice simmers for forty minutes.\n"


@pytest.fixture
def crowded(desk: Desk) -> Desk:
    for folder in "abcd":
        desk.write(f"{folder}/rice.md", RECIPE)
    desk.write("notes/pots.md", "# Pots\n\nA pot for rice.\n")
    desk.write("notes/water.md", "# Water\n\nTwo cups of water for a cup of rice, whatever else is said of it.\n")
    desk.write("notes/other.md", "# Other\n\nThe feline sleeps.\n")
    desk.ingest()
    return desk


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("mode", list(SearchMode))
def test_different_texts_come_before_copies(crowded: Desk, mode: SearchMode) -> None:
    found = crowded.app().search(Query("brown rice", mode, 10))
    paths = [hit.doc_path for hit in found.hits]
    assert paths[0] == "a/rice.md"
    assert paths[1].startswith("notes/")
    assert [path for path in paths if path.endswith("rice.md")] == [f"{folder}/rice.md" for folder in "abcd"]
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("mode", list(SearchMode))
def test_a_copy_comes_before_what_is_beside_the_point(crowded: Desk, mode: SearchMode) -> None:
    paths = [hit.doc_path for hit in crowded.app().search(Query("brown rice", mode, 10)).hits]
    assert "notes/other.md" not in paths[: paths.index("b/rice.md")]


@pytest.mark.usefixtures("model")
def test_a_filter_finds_the_copy_it_asks_for(crowded: Desk) -> None:
    found = crowded.search("brown rice", filters=Filters(path_globs=("c/*",)))
    assert [hit.doc_path for hit in found.hits] == ["c/rice.md"]
