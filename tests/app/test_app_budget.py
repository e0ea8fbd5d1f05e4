"""A budget of tokens: snippets give way before hits, one hit always stays, and nothing is lost to the next page."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from app_bench import Desk
from word_embedder import WordModel

from kebab.app import assemble
from kebab.app.budget import cost, fit
from kebab.app.facade import App
from kebab.core.errors import InvalidInput
from kebab.core.query import Hit, Query, SearchMode, SearchResult
from kebab.core.text import token_estimate
from kebab.core.versions import INDEX_VERSION
from kebab.wire.search import encode_response

NOTES = 12


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("budget")
    (home / "kb").mkdir()
    desk = Desk(home, home / "kb", {"models.embedding.provider": "builtin", "models.embedding.dimensions": 32})
    for number in range(NOTES):
        desk.write(f"{number}.md", f"# 얼룩말 {number}\n\n{'A zebra stands here, 얼룩말이 서 있다. ' * 12}{number}\n")
    with pytest.MonkeyPatch.context() as patch, desk.open:
        patch.setattr(assemble, "embedder_for", WordModel())
        desk.ingest()
        yield desk


@pytest.fixture(scope="module")
def library(filled: Desk) -> App:
    return filled.app()


def ask(**limits: Any) -> Query:
    return Query("zebra", SearchMode.HYBRID, 8, snippet_chars=220)._replace(**limits)


def size(result: SearchResult) -> int:
    return token_estimate(json.dumps(encode_response(result, INDEX_VERSION), ensure_ascii=False))


@pytest.mark.parametrize("mode", list(SearchMode))
@pytest.mark.parametrize("budget", [700, 1000, 1500, 2000, 3000, 4000])
def test_a_response_fits_its_budget(library: App, mode: SearchMode, budget: int) -> None:
    result = library.search(ask(mode=mode, max_tokens=budget))
    assert result.hits
    assert size(result) <= budget


def test_a_note_to_the_reader_is_part_of_the_budget(filled: Desk) -> None:
    by_words = replace(filled, flags={"models.embedding.provider": "none"})
    for budget in range(700, 2700, 25):
        result = by_words.app().search(ask(max_tokens=budget))
        assert result.degraded
        assert size(result) <= budget


def test_no_budget_cuts_nothing(library: App) -> None:
    free = library.search(ask())
    assert (len(free.hits), free.truncated) == (8, False)
    assert library.search(ask(max_tokens=100_000)) == free


def test_snippets_are_shortened_before_a_hit_is_dropped(library: App) -> None:
    free = library.search(ask())
    tight = library.search(ask(max_tokens=size(free) - 150))
    assert [hit.chunk_id for hit in tight.hits] == [hit.chunk_id for hit in free.hits]
    assert tight.truncated
    assert all(len(short.snippet) < len(long.snippet) for short, long in zip(tight.hits, free.hits, strict=True))
    for hit in tight.hits:
        assert {hit.snippet[start:end] for start, end in hit.highlights} == {"zebra"}
        assert not hit.snippet_full_text


def test_then_hits_are_dropped_from_the_end(library: App) -> None:
    free = library.search(ask())
    few = library.search(ask(max_tokens=1200))
    assert 1 <= len(few.hits) < 8
    assert [hit.chunk_id for hit in few.hits] == [hit.chunk_id for hit in free.hits[: len(few.hits)]]
    assert few.truncated
    assert all(len(hit.snippet) <= 60 + 2 for hit in few.hits)


@pytest.mark.parametrize("budget", [1, 50, 300])
def test_one_hit_always_stays(library: App, budget: int) -> None:
    result = library.search(ask(max_tokens=budget))
    assert ([hit.rank for hit in result.hits], result.truncated) == ([1], True)
    assert result.next_cursor is not None


def test_what_did_not_fit_comes_on_the_next_page(library: App) -> None:
    whole = [hit.chunk_id for hit in library.search(ask(k=100)).hits]
    seen: list[str] = []
    query = ask(max_tokens=1200)
    while True:
        page = library.search(query)
        seen += [hit.chunk_id for hit in page.hits]
        assert page.hits[-1].rank == len(seen)
        if page.next_cursor is None:
            break
        query = query._replace(cursor=page.next_cursor)
    assert seen == whole


def test_a_query_without_hits_needs_no_budget(library: App) -> None:
    result = library.search(ask(text="unheard", mode=SearchMode.LEXICAL, max_tokens=1))
    assert (result.hits, result.truncated, result.next_cursor) == ((), False, None)


def test_a_budget_below_nothing_is_refused(library: App) -> None:
    with pytest.raises(InvalidInput, match="max-tokens"):
        library.search(ask(max_tokens=-1))


# -- the fitting itself


def shortened(hit: Hit, chars: int) -> Hit:
    return replace(hit, snippet=hit.snippet[:chars])


def test_a_snippet_that_is_short_already_was_not_cut(library: App) -> None:
    (hit,) = library.search(ask(k=1)).hits
    short = replace(hit, snippet="zebra", highlights=())
    assert fit([short], 1, 220, shortened, None) == ((short,), False)
    assert fit([], 1, 220, shortened, None) == ((), False)


def test_a_snippet_is_no_shorter_than_it_must_be(library: App) -> None:
    hits = library.search(ask(k=4)).hits
    full = sum(cost(hit, None) for hit in hits)
    kept, cut = fit(hits, full + 60, 220, shortened, None)
    assert (kept, cut) == (hits, False)
    kept, cut = fit(hits, full + 59, 220, shortened, None)
    assert (len(kept), cut) == (4, True)
    assert {len(hit.snippet) for hit in kept} == {146}


def test_naming_the_model_costs_too(library: App) -> None:
    (hit,) = library.search(ask(k=1)).hits
    assert cost(hit, "use-multilingual-v3") > cost(hit, None)
