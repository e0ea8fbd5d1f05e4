"""Numbers and words of a server: whatever they are, they become unit vectors and short lines, or are turned down."""

import json
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from remote_bench import numbers

from kebab.embed.reply import to_vectors
from kebab.remote.failures import MAX_WORDS, Unusable, one_line, words_of

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["error", "message", "x"]), inner),
    max_leaves=6,
)


@settings(deadline=None)
@example([5e-324, 5e-324])
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(), min_size=1, max_size=40))
def test_finite_numbers_become_a_vector_of_unit_length_or_are_turned_down(row: list[float]) -> None:
    try:
        (vector,) = to_vectors([row], 1, len(row))
    except Unusable:
        assert not any(row) or max(abs(value) for value in row) > 1e300
        return
    assert math.isclose(math.hypot(*numbers(vector)), 1.0, rel_tol=1e-5)
    largest = max(range(len(row)), key=lambda index: abs(row[index]))
    assert math.copysign(1, numbers(vector)[largest]) == math.copysign(1, row[largest])


@settings(deadline=None)
@given(st.lists(ANYTHING, max_size=4), st.integers(0, 4), st.integers(1, 4))
def test_anything_else_is_turned_down_and_never_an_accident(rows: list[object], texts: int, dimensions: int) -> None:
    try:
        vectors = to_vectors(rows, texts, dimensions)
    except Unusable:
        return
    assert [len(vector) for vector in vectors] == [4 * dimensions] * texts


@pytest.mark.parametrize("value", [1e-320, 5e-324, 1e-200, 1e200, 1e307])
def test_very_small_and_very_large_numbers_have_a_direction(value: float) -> None:
    (vector,) = to_vectors([[value, 0.0]], 1, 2)
    assert numbers(vector) == (1.0, 0.0)


@settings(deadline=None)
@given(st.text() | st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape")))
def test_words_become_one_short_line_that_can_be_seen(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= MAX_WORDS
    assert line == line.strip()


def test_a_short_line_is_left_as_it_is() -> None:
    assert one_line("모델을 찾을 수 없습니다") == "모델을 찾을 수 없습니다"
    assert one_line("x" * MAX_WORDS) == "x" * MAX_WORDS
    assert one_line("x" * (MAX_WORDS + 1)) == "x" * (MAX_WORDS - 1) + "…"


@settings(deadline=None)
@given(ANYTHING | st.binary())
def test_whatever_a_server_says_has_words(reply: object) -> None:
    raw = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    assert isinstance(words_of(raw), str)
