"""A pool of passages: every search gives its best before any gives its second, and nothing comes twice."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rag_bench import hit

from kebab.rag.pack import Found
from kebab.rag.pool import Pool


def passage(name: str, score: float = 1.0, doc: str | None = None) -> Found:
    return Found(replace(hit(doc=doc or name), chunk_id=name, score=score), f"Text {name}.", 1, 1)


def listed(*names: str, best: float = 1.0) -> list[Found]:
    return [passage(name, best / (at + 1)) for at, name in enumerate(names)]


def ids(pool: Pool) -> list[str]:
    return [each.hit.chunk_id for each in pool.found()]


def test_searches_take_turns_and_the_better_score_leads_within_a_round() -> None:
    pool = Pool(10)
    pool.add(listed("a1", "a2", "a3", "a4"))
    pool.add(listed("b1", "b2", best=2.0))
    assert ids(pool) == ["b1", "a1", "b2", "a2", "a3", "a4"]
    assert [each.hit.rank for each in pool.found()] == [1, 2, 3, 4, 5, 6]


def test_a_later_search_takes_places_from_tails() -> None:
    pool = Pool(4)
    assert pool.add(listed("a1", "a2", "a3", "a4", "a5")) == ("a1", "a2", "a3", "a4")
    assert pool.add(listed("b1", "b2", "b3")) == ("b1", "b2")
    assert ids(pool) == ["a1", "b1", "a2", "b2"]
    assert pool.seen == 8


def test_what_another_search_gave_is_no_turn() -> None:
    pool = Pool(4)
    pool.add(listed("a1", "a2", "a3"))
    assert pool.add(listed("a1", "b1")) == ("b1",)
    assert ids(pool) == ["a1", "b1", "a2", "a3"]
    assert pool.add(listed("a1")) == ()


def test_no_document_takes_it_all() -> None:
    pool = Pool(10, per_document=2)
    pool.add([passage(f"a{number}", doc="a") for number in range(5)])
    pool.add([passage("a9", doc="a"), passage("b1")])
    assert ids(pool) == ["a0", "a9", "b1"]


def test_a_pool_without_passages_is_empty() -> None:
    pool = Pool(3)
    assert not pool
    pool.add([])
    assert (bool(pool), pool.found(), pool.seen) == (False, (), 0)
    pool.add(listed("a"))
    assert pool


@given(st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=8), max_size=5), st.integers(1, 12))
def test_every_search_has_its_best_in_a_pool_with_room_for_all_of_them(lists: list[list[str]], most: int) -> None:
    pool, added = Pool(most), 0
    for names in lists:
        added += len(pool.add(listed(*names)))
    found = ids(pool)
    assert len(found) == len(set(found)) == min(most, len({name for names in lists for name in names}))
    assert added >= len(found)
    if most >= len(lists):
        assert all(names[0] in found for names in lists if names)
