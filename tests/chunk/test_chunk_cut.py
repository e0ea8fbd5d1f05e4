import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.cut import byte_length, pieces, tail_start

prose = st.text(st.sampled_from("ab한\U0001f600 .!?。\n'\")"), max_size=60)
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]|\n")


@pytest.mark.parametrize("text", ["", "abc", "한글", "\U0001f600é", "\ud800"])
def test_bytes_are_those_of_utf8(text: str) -> None:
    assert byte_length(text) == len(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=300)
@given(prose, st.integers(1, 40), st.booleans())
def test_pieces_cover_the_text_in_order_and_keep_to_the_limit(text: str, limit: int, by_line: bool) -> None:
    found = pieces(text, limit, by_line=by_line)
    assert "".join(text[start:end] for start, end, _ in found) == text
    assert all(before[1] == after[0] for before, after in pairwise(found))
    for start, end, size in found:
        assert size == len(text[start:end].encode())
        assert size <= limit or end - start == 1


@settings(max_examples=300)
@given(prose, st.integers(1, 40), st.booleans())
def test_pieces_are_filled_as_far_as_they_go(text: str, limit: int, by_line: bool) -> None:
    found = pieces(text, limit, by_line=by_line)
    pattern = re.compile(r"\n") if by_line else SENTENCE_END
    ends = [match.end() for match in pattern.finditer(text)]
    for (start, end, _), (_, following, _) in pairwise(found):
        reachable = [cut for cut in ends if start < cut <= following and len(text[start:cut].encode()) <= limit]
        assert end >= max(reachable, default=start)


@settings(max_examples=300)
@given(prose, st.integers(0, 40))
def test_the_tail_is_the_earliest_sentence_start_that_fits(text: str, limit: int) -> None:
    starts = [0, *(match.end() for match in SENTENCE_END.finditer(text))]
    fitting = [at for at in starts if at < len(text) and len(text[at:].encode()) <= limit]
    found = tail_start(text, 0, len(text), limit)
    assert found <= min(fitting, default=len(text))
    assert len(text[found:].encode()) <= limit


@pytest.mark.parametrize("indent", [1, 8, 16, 17, 40])
def test_the_tail_is_found_behind_any_indentation(indent: int) -> None:
    text = "First sentence.\n" + " " * indent + "Second one."
    assert text[tail_start(text, 0, len(text), 11) :] == "Second one."


@given(prose, prose, prose, st.integers(0, 40))
def test_the_tail_looks_at_nothing_outside_its_range(before: str, text: str, after: str, limit: int) -> None:
    whole, first, last = before + text + after, len(before), len(before) + len(text)
    found = tail_start(whole, first, last, limit)
    assert first <= found <= last
    assert len(whole[found:last].encode()) <= limit
