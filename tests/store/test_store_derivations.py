"""What is kept of slow readings: found by key, told by kind, and dropped from the least used on."""

from itertools import count
from typing import TYPE_CHECKING

import pytest

from kebab.core.inspection import CachedKind, CacheStatus
from kebab.store import derivations
from kebab.store.store import Store

if TYPE_CHECKING:
    from store_bench import Index

# Does not become smaller when it is packed.
NOISE = bytes((index * index * 7919 + index) % 251 for index in range(4096))


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every moment is a second after the one before."""
    seconds = count()
    monkeypatch.setattr(derivations, "now", lambda: f"2024-01-01T00:00:{next(seconds):02}Z")


def kept(index: "Index") -> list[str]:
    return [key for (key,) in index.database.rows("SELECT derivation_key FROM derivations ORDER BY derivation_key")]


def test_a_result_is_found_by_its_key_and_a_newer_one_takes_its_place(index: "Index") -> None:
    cache = index.store.derivations
    assert cache.get("a") is None
    cache.put("a", b"one", "ocr")
    cache.put("a", "둘".encode(), "ocr")
    assert cache.get("a") == "둘".encode()
    assert cache.status().entries == 1


def test_what_is_kept_is_told_by_kind_with_its_oldest_use(index: "Index") -> None:
    cache = index.store.derivations
    assert cache.status() == CacheStatus(0, 0, None)
    for key, kind in (("a", "ocr"), ("b", "ocr"), ("c", "transcript"), ("d", "")):
        cache.put(key, NOISE, kind)
    assert cache.get("a") == NOISE
    found = cache.status()
    size = found.bytes // 4
    assert found.kinds == (
        CachedKind("", 1, size, "2024-01-01T00:00:03Z"),
        CachedKind("ocr", 2, 2 * size, "2024-01-01T00:00:01Z"),
        CachedKind("transcript", 1, size, "2024-01-01T00:00:02Z"),
    )
    assert (found.entries, found.oldest) == (4, "2024-01-01T00:00:01Z")


def test_a_prune_drops_the_least_used_and_no_more_than_it_must(index: "Index") -> None:
    cache = index.store.derivations
    for key in "abcd":
        cache.put(key, NOISE, "ocr")
    assert cache.get("a") is not None
    size = cache.status().bytes // 4
    assert cache.prune(4 * size) == 0
    assert cache.prune(3 * size) == 1
    assert kept(index) == ["a", "c", "d"]
    assert cache.prune(3 * size - 1) == 1
    assert kept(index) == ["a", "d"]
    assert cache.prune(0) == 2
    assert (kept(index), cache.prune(0)) == ([], 0)


def test_a_result_larger_than_all_that_may_be_kept_is_not_kept(index: "Index") -> None:
    cache = index.store.derivations
    cache.put("small", b"x")
    cache.put("large", NOISE)
    assert cache.prune(100) == 2, "what is older than it goes first"
    assert cache.status().entries == 0


def test_a_damaged_result_is_as_good_as_none(index: "Index") -> None:
    cache = index.store.derivations
    cache.put("a", NOISE, "ocr")
    index.database.run("UPDATE derivations SET value = x'00ff00ff'")
    assert cache.get("a") is None
    cache.put("a", NOISE, "ocr")
    assert cache.get("a") == NOISE


def test_what_is_kept_can_be_looked_at_by_a_reader(index: "Index") -> None:
    index.store.derivations.put("a", b"one", "ocr")
    with Store.reader(index.path) as store:
        assert store.derivations.status().entries == 1
