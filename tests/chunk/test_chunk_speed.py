import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from kebab.chunk.headings import HeadingChunker
from kebab.core.chunk import ChunkPolicy
from kebab.core.document import Document

if TYPE_CHECKING:
    from conftest import Parse

# Four times the text costs four times as much when time is linear, sixteen times when it is quadratic.
GROWTH = 4
BOUND = 9.0


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def growth(small: Document, large: Document, policy: ChunkPolicy) -> float:
    """The best of three: a busy machine makes single measurements worthless."""
    found = []
    for _ in range(3):
        before = seconds(lambda: HeadingChunker().chunk(small, policy))
        after = seconds(lambda: HeadingChunker().chunk(large, policy))
        found.append(after / before)
        if found[-1] < BOUND:
            break
    return min(found)


@pytest.mark.parametrize(
    ("unit", "count", "bytes_at_least"),
    [
        ("This is a sentence of some words. ", 150_000, 5_000_000),
        ("x", 5_000_000, 5_000_000),
        ("한국어 문장은 이렇게 끝난다. ", 40_000, 1_000_000),
        ("ab\n", 200_000, 600_000),
        ("- a\n", 200_000, 800_000),
    ],
    ids=["one line of sentences", "one endless word", "one line of Korean", "tiny lines", "tiny items"],
)
def test_time_is_linear_in_the_text(parse: "Parse", unit: str, count: int, bytes_at_least: int) -> None:
    large = parse(unit * count)
    assert len(large.source_text.encode()) >= bytes_at_least
    assert growth(parse(unit * (count // GROWTH)), large, ChunkPolicy()) < BOUND


def test_time_is_linear_in_headings_that_are_not_respected(parse: "Parse") -> None:
    policy = ChunkPolicy(target_tokens=20, overlap_tokens=0, max_chunk_tokens=100_000, respect_markdown_headings=False)
    assert growth(parse("# a\n" * 1000), parse("# a\n" * 1000 * GROWTH), policy) < BOUND


@pytest.mark.parametrize("unit", ["!)", '.."', "。", "a. "])
def test_time_is_linear_in_marks_that_look_like_sentence_ends(parse: "Parse", unit: str) -> None:
    large = parse("a" + unit * 100_000)
    small = parse("a" + unit * (100_000 // GROWTH))
    assert growth(small, large, ChunkPolicy()) < BOUND
