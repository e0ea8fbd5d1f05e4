"""The one order of candidates."""

import random
from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from kebab.core.ordering import Places, ordered
from kebab.core.query import Candidate


def found_at(places: Mapping[int, tuple[str, int]]) -> Places:
    def asked(keys: Sequence[int]) -> Mapping[int, tuple[str, int]]:
        return {key: places[key] for key in keys}

    return asked


def test_the_best_come_first_and_only_so_many() -> None:
    places = {key: ("a.md", key) for key in range(5)}
    assert ordered({0: 0.1, 1: 0.9, 2: 0.5}, found_at(places), 2) == [Candidate(1, 0.9), Candidate(2, 0.5)]


def test_equals_are_ordered_by_their_place_and_not_by_their_key() -> None:
    places = {1: ("z.md", 0), 2: ("a.md", 7), 3: ("a.md", 2)}
    assert [each.chunk_key for each in ordered({1: 0.5, 2: 0.5, 3: 0.5}, found_at(places), 3)] == [3, 2, 1]


def test_what_differs_only_in_the_last_digits_is_equal() -> None:
    places = {1: ("b.md", 0), 2: ("a.md", 0)}
    assert [each.chunk_key for each in ordered({1: 0.1 + 0.2, 2: 0.3}, found_at(places), 2)] == [2, 1]


@given(
    st.dictionaries(st.integers(0, 50), st.integers(-4, 4).map(lambda step: step / 4), max_size=20),
    st.randoms(use_true_random=False),
)
def test_the_order_does_not_depend_on_the_order_of_what_came_in(
    scores: dict[int, float], chance: random.Random
) -> None:
    places = {key: (f"{key % 3}.md", key) for key in scores}
    mixed = list(scores.items())
    chance.shuffle(mixed)
    found = ordered(dict(mixed), found_at(places), 10)
    assert found == ordered(scores, found_at(places), 10)
    assert [each.score for each in found] == sorted(scores.values(), reverse=True)[:10]


def test_only_the_places_of_equals_are_asked_for() -> None:
    asked: list[int] = []

    def places(keys: Sequence[int]) -> Mapping[int, tuple[str, int]]:
        asked.extend(keys)
        return {2: ("b.md", 0), 3: ("a.md", 0)}

    assert [each.chunk_key for each in ordered({1: 0.9, 2: 0.5, 3: 0.5, 4: 0.1}, places, 4)] == [1, 3, 2, 4]
    assert sorted(asked) == [2, 3]


def test_without_decimals_the_smallest_difference_counts() -> None:
    places = found_at({1: ("a.md", 0), 2: ("b.md", 0)})
    assert [each.chunk_key for each in ordered({1: 1e-9, 2: 2e-9}, places, 2)] == [1, 2]
    assert [each.chunk_key for each in ordered({1: 1e-9, 2: 2e-9}, places, 2, decimals=None)] == [2, 1]
