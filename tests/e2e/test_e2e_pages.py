"""Pages and budgets of a search by meaning, from the command line: every hit once, within the limit, never stale."""

import json
import re
from pathlib import Path

import pytest
from fluent_notes import NOTES
from kebab_process import Json, answer, kebab, plant, refusal, well

from kebab.core.text import token_estimate

# A note is cut at its headings.
CHUNKS = sum(len(re.findall("^#", text, re.MULTILINE)) for text in NOTES.values())
QUERY = "빵 반죽 발효 dough"


def pages(home: Path, env: dict[str, str], *arguments: str) -> list[Json]:
    """Page after page, as `next_cursor` leads."""
    found = [answer(home, "search", QUERY, *arguments, env=env)]
    while cursor := found[-1]["next_cursor"]:
        assert len(found) < 30
        found.append(answer(home, "search", QUERY, *arguments, "--cursor", cursor, env=env))
    return found


def ids(*responses: Json) -> list[str]:
    return [hit["chunk_id"] for response in responses for hit in response["hits"]]


@pytest.fixture(scope="module")
def whole(fluent_library: Path, builtin: dict[str, str]) -> Json:
    response = answer(fluent_library, "search", QUERY, "--k", "100", env=builtin)
    assert response["next_cursor"] is None
    assert len(response["hits"]) == CHUNKS, "every chunk has a vector, so every chunk is a candidate"
    return response


def test_the_pages_together_are_the_whole_result(fluent_library: Path, builtin: dict[str, str], whole: Json) -> None:
    found = pages(fluent_library, builtin, "--k", "6")
    assert [len(page["hits"]) for page in found] == [6, 6, 6, 1]
    assert ids(*found) == ids(whole)
    assert [hit["rank"] for page in found for hit in page["hits"]] == list(range(1, CHUNKS + 1))
    assert not any(page["truncated"] for page in found)


def test_a_budget_of_tokens_holds_on_every_page_and_loses_no_hit(
    fluent_library: Path, builtin: dict[str, str], whole: Json
) -> None:
    budget = 2000
    found = pages(fluent_library, builtin, "--k", "12", "--max-tokens", str(budget))
    assert all(token_estimate(json.dumps(page, ensure_ascii=False)) <= budget for page in found)
    assert len(found) > 2
    assert found[0]["truncated"] is True
    assert ids(*found) == ids(whole)


def test_one_hit_stays_however_small_the_budget(fluent_library: Path, builtin: dict[str, str], whole: Json) -> None:
    response = answer(fluent_library, "search", QUERY, "--max-tokens", "1", env=builtin)
    assert (ids(response), response["truncated"]) == (ids(whole)[:1], True)
    spoken = well(kebab(fluent_library, "search", QUERY, "--max-tokens", "1", env=builtin))
    assert spoken.lines[-1].endswith("(cut to fit --max-tokens)")


def test_at_most_so_many_hits_of_one_note(fluent_library: Path, builtin: dict[str, str], whole: Json) -> None:
    found = pages(fluent_library, builtin, "--k", "5", "--max-per-doc", "1")
    best = list({hit["doc_path"]: hit["chunk_id"] for hit in reversed(whole["hits"])}.values())
    assert sorted(ids(*found)) == sorted(best)
    assert len(ids(*found)) == len(NOTES)


def test_a_cursor_is_refused_once_the_index_has_moved_on(fluent: Path, builtin: dict[str, str]) -> None:
    cursor = answer(fluent, "search", QUERY, "--k", "3", env=builtin)["next_cursor"]
    other = kebab(fluent, "search", "another question", "--k", "3", "--cursor", cursor, "--json", env=builtin)
    assert refusal(other, "stale_cursor")["hint"]
    well(kebab(fluent, "search", QUERY, "--k", "3", "--cursor", cursor, env=builtin))
    plant(fluent / "notes", {"new.md": "# Rye\n\nDough of rye.\n"})
    well(kebab(fluent, "ingest", "--quiet", env=builtin))
    stale = kebab(fluent, "search", QUERY, "--k", "3", "--cursor", cursor, "--json", env=builtin)
    assert "without --cursor" in refusal(stale, "stale_cursor")["hint"]
    refusal(kebab(fluent, "search", QUERY, "--k", "3", "--cursor", "page2", "--json", env=builtin), "invalid_input")
