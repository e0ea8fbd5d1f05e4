import json
from dataclasses import asdict
from itertools import pairwise

import pytest
from code_samples.reading import LANGUAGES, read_code, sample
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import Document
from kebab.core.text import split_lines

ALL = sorted(set(LANGUAGES.values()))
TEXTS = {name: sample(name) for name in LANGUAGES}
TOKENS = "{ } ( ) < > ; : , \" ' ` /* */ // # @ \\ = => class def fn func struct namespace impl if x 한글 é"
PIECES = [*TOKENS.split(" "), " ", "\t", "\r", "\x00", "\n\n", "\n", "\n", "\u2028", "\x0b", "\x0c", "\U0001f600"]


def check(document: Document) -> None:
    """Blocks tile the lines that are not blank, and say what stands there."""
    lines = split_lines(document.source_text)
    held = [number for block in document.blocks for number in range(block.span.start, block.span.end + 1)]
    assert all(before < after for before, after in pairwise(held))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(held)
    for block in document.blocks:
        assert block.text == "\n".join(lines[block.span.start - 1 : block.span.end])
        if document.symbols:
            assert lines[block.span.start - 1].strip()
            assert lines[block.span.end - 1].strip()
        assert all(0 < len(heading) <= 240 and "\n" not in heading for heading in block.heading_path)
    assert len({block.block_id for block in document.blocks}) == len(document.blocks)
    for symbol in document.symbols:
        assert 1 <= symbol.line <= symbol.end <= len(lines)
    assert (document.parser_version == "none-v1") == (not document.symbols)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    """A sample with stretches cut out, moved or replaced, also right through tokens."""
    name = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[name]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 80) | st.integers(0, 1000)))
        filling = draw(st.lists(st.sampled_from(PIECES), max_size=4).map("".join) | st.just(text[end : end + 60]))
        text = text[:start] + filling + text[end:]
    return LANGUAGES[name], text


@settings(max_examples=250, deadline=None)
@given(mutated())
def test_every_line_of_a_broken_file_is_in_one_block(case: tuple[str, str]) -> None:
    language, text = case
    check(read_code(text, language))


@pytest.mark.parametrize("language", ALL)
@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200))
def test_every_line_of_any_text_is_in_one_block(language: str, text: str) -> None:
    check(read_code(text, language))


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_line_of_a_file_on_few_lines_is_in_one_block(name: str) -> None:
    lines = TEXTS[name].split("\n")
    for step in (1, 2, 3, 7, len(lines)):
        joined = "\n".join(" ".join(lines[start : start + step]) for start in range(0, len(lines), step))
        check(read_code(joined, LANGUAGES[name]))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(ALL))
def test_any_bytes_make_the_same_document_twice_and_utf8_can_hold_it(raw: bytes, language: str) -> None:
    document = read_code(raw, language)
    assert document == read_code(raw, language)
    json.dumps(asdict(document), ensure_ascii=False).encode()


@pytest.mark.parametrize("name", LANGUAGES)
def test_symbols_name_the_line_that_bears_the_name(name: str) -> None:
    document = read_code(TEXTS[name], LANGUAGES[name])
    lines = split_lines(document.source_text)
    unnamed = ("Companion", "default")
    for symbol in document.symbols:
        assert symbol.name in lines[symbol.line - 1] or symbol.name in unnamed, symbol
