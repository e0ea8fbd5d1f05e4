import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.paragraphs import ParagraphChunker, windows
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.span import CodePlace
from kebab.parse.resources import PlainCodeParser
from kebab.parse.text import TextParser
from sample_files import assert_sound, read

LINES = st.sampled_from(
    ["echo one", "  indented", "# 주석", "", "", "   ", "\t", "x" * 50, "one two three " * 9, "\u3000"]
)


def cut(source: str, lang: str = "shell", **policy: int) -> list[Chunk]:
    document = read(PlainCodeParser(lang), source, f"a.{lang}")
    return ParagraphChunker().chunk(document, ChunkPolicy(**policy))


def spans(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.spans[0].start, chunk.spans[0].end) for chunk in chunks]


def test_blank_lines_part_a_script_into_chunks() -> None:
    chunks = cut("#!/bin/sh\nset -e\n\nrun() {\n  true\n}\n \t\n\nrun\n")
    assert [chunk.text for chunk in chunks] == ["#!/bin/sh\nset -e", "run() {\n  true\n}", "run"]
    assert spans(chunks) == [(1, 2), (4, 6), (9, 9)]
    assert {chunk.place for chunk in chunks} == {CodePlace(None, "shell")}
    assert {chunk.chunker_version for chunk in chunks} == {"code-text-paragraph-v1"}
    assert {(chunk.heading_path, chunk.section_label) for chunk in chunks} == {((), None)}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (80, [(1, 80)]),
        (81, [(1, 80), (61, 81)]),
        (140, [(1, 80), (61, 140)]),
        (200, [(1, 80), (61, 140), (121, 200)]),
        (250, [(1, 80), (61, 140), (121, 200), (181, 250)]),
    ],
)
def test_a_long_paragraph_is_read_in_windows_that_overlap(lines: int, expected: list[tuple[int, int]]) -> None:
    chunks = cut("".join(f"line {number}\n" for number in range(lines)))
    assert spans(chunks) == expected == list(windows(1, lines))
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)


@pytest.mark.parametrize("source", ["", "\n\n", " \n\t\n\u3000\n"])
def test_a_file_without_words_gives_no_chunk(source: str) -> None:
    assert cut(source) == []


def test_the_language_of_the_file_is_kept() -> None:
    assert [chunk.place for chunk in cut("a: 1\n", "yaml")] == [CodePlace(None, "yaml")]


def test_text_without_a_language_is_cited_by_its_lines_alone() -> None:
    document = read(TextParser("plain"), "one\n\ntwo\n", "a.txt")
    assert [chunk.place for chunk in ParagraphChunker().chunk(document, ChunkPolicy())] == [None, None]


def test_lines_too_long_for_a_window_are_cut_by_size_and_none_is_stored_twice() -> None:
    source = "".join(f"{number} " + "word " * 40 + "\n" for number in range(200))
    chunks = cut(source, max_chunk_tokens=1000, target_tokens=500)
    assert all(len(chunk.text) <= 3000 for chunk in chunks)
    assert "".join(chunk.text + "\n" for chunk in chunks).split() == source.split()


def test_one_endless_line_is_cut_inside() -> None:
    chunks = cut("x" * 100_000)
    assert spans(chunks) == [(1, 1)] * len(chunks)
    assert "".join(chunk.text for chunk in chunks) == "x" * 100_000


@settings(max_examples=120, deadline=None)
@given(st.lists(LINES, max_size=260), st.integers(4, 400))
def test_every_word_is_in_a_chunk_at_its_lines_and_within_the_limit(lines: list[str], tokens: int) -> None:
    document = read(PlainCodeParser("shell"), "\n".join(lines), "a.sh")
    chunks = ParagraphChunker().chunk(document, ChunkPolicy(max_chunk_tokens=tokens))
    assert_sound(document, chunks, tokens * 3)
