"""The stored form of a vector, the names of derived files, and that importing the engines loads nothing heavy."""

import subprocess
import sys

import numpy as np  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.embedding import VectorRow
from kebab.core.errors import ModelInvalid, RetrievalError
from kebab.vectors import ENGINES
from kebab.vectors.naming import safe_name
from kebab.vectors.packed import pack, unit, unpack
from kebab.vectors.scan.segment import from_rows, places_of
from vectors.vector_bench import as_vectors, clustered


def test_a_stored_vector_has_two_bytes_a_number_and_keeps_its_direction() -> None:
    matrix = clustered(50, 100)
    packed = pack(as_vectors(3 * matrix))
    assert {len(each) for each in packed} == {200}
    back = unpack(packed, 100)
    assert back.dtype == np.float32
    assert np.allclose(np.linalg.norm(back, axis=1), 1, atol=1e-6)
    assert float((back * matrix).sum(axis=1).min()) > 0.99999


def test_packing_what_was_packed_changes_nothing() -> None:
    packed = pack(as_vectors(clustered(50, 64)))
    again = pack(as_vectors(unpack(packed, 64)))
    assert float(np.abs(unpack(again, 64) - unpack(packed, 64)).max()) < 1e-3


def test_no_vectors_are_packed_to_none() -> None:
    assert pack([]) == []
    assert unpack([], 64).shape == (0, 64)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_vector_that_is_not_made_of_numbers_is_refused(bad: float) -> None:
    matrix = clustered(2, 8)
    matrix[1, 3] = bad
    with pytest.raises(ModelInvalid):
        pack(as_vectors(matrix))
    with pytest.raises(ModelInvalid):
        unit(as_vectors(matrix)[1], 8)


def test_vectors_of_other_lengths_are_refused() -> None:
    with pytest.raises(ModelInvalid):
        pack([bytes(8), bytes(12)])
    with pytest.raises(ModelInvalid):
        pack([bytes(7)])
    with pytest.raises(RetrievalError):
        unpack([bytes(7)], 4)
    with pytest.raises(RetrievalError):
        unit(bytes(8), 4)


@settings(deadline=None)
@given(st.lists(st.text(max_size=60), unique=True, min_size=2, max_size=5))
def test_different_tables_have_different_and_safe_names(ids: list[str]) -> None:
    names = [safe_name(each) for each in ids]
    assert len(set(names)) == len(ids)
    assert all(name.isascii() and name == name.lower() and len(name) < 80 for name in names)
    assert not set("".join(names)) & set('/\\:*?"<>| .')


@settings(deadline=None)
@given(st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_words_hold_the_sign_and_the_size_of_every_number(dimensions: int, seed: int) -> None:
    matrix = np.random.default_rng(seed).normal(size=(3, dimensions)).astype(np.float32)
    rows = [VectorRow(key, 1, 1, 0, packed) for key, packed in enumerate(pack(as_vectors(matrix)), 1)]
    words = from_rows(rows, dimensions).words
    signs, sizes = np.split(words, 2)
    assert len(signs) == -(-dimensions // 64)
    stored = np.frombuffer(b"".join(row.packed for row in rows), "<f2").reshape(3, -1)
    for place in range(dimensions):
        sign, size = ((half[place // 64] >> np.uint64(place % 64)) & np.uint64(1) for half in (signs, sizes))
        assert (sign == np.signbit(matrix[:, place])).all()
        assert (size == (np.abs(stored[:, place]) > np.float16(0.8 / dimensions**0.5))).all()


@settings(deadline=None)
@given(st.lists(st.integers(1, 60), unique=True), st.lists(st.integers(1, 60), unique=True))
def test_places_are_found_for_the_keys_that_are_there(keys: list[int], wanted: list[int]) -> None:
    held, asked = np.array(sorted(keys), np.int64), np.array(sorted(wanted), np.int64)
    assert held[places_of(held, asked)].tolist() == sorted(set(keys) & set(wanted))


def test_importing_the_engines_loads_nothing_heavy() -> None:
    script = """
import sys
from kebab.vectors import ENGINES
import kebab.vectors.exact, kebab.vectors.packed
for make in ENGINES.values():
    make(None, writable=False)
assert not {"numpy", "lancedb", "pyarrow", "asyncio"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert list(ENGINES) == ["scan", "lance"]
