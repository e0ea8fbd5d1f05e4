from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kebab.chunk.prose import TextChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.parse.text import TextParser
from sample_files import assert_sound, read

RST = "Guide\n=====\n\nIntro here.\n\nInstall\n-------\n\nRun it.\n\nThen wait.\n\nUse\n---\n\nRead on.\n"
LINES = st.sampled_from(
    [
        "Title",
        "=====",
        "-----",
        "* star",
        "** two stars",
        "a,b",
        '"q',
        "word. Next one! 다음 문장이다.",
        "",
        "",
        " ",
        "x" * 90,
    ]
)


def document(source: str, kind: str = "plain") -> Document:
    return read(TextParser(kind), source, f"notes/a.{kind}", f"text/{kind}")


def cut(source: str, kind: str = "plain", **policy: int) -> list[Chunk]:
    return TextChunker().chunk(document(source, kind), ChunkPolicy(**policy))


def test_small_neighbouring_paragraphs_share_a_chunk() -> None:
    (chunk,) = cut("One.\n\nTwo.\n\n\nThree.\n")
    assert chunk.text == "One.\n\nTwo.\n\n\nThree."
    assert (chunk.place, chunk.chunker_version) == (None, "text-paragraph-v1")


def test_paragraphs_fill_chunks_up_to_the_target() -> None:
    source = "\n\n".join(f"Paragraph {number} says a little." for number in range(40))
    chunks = cut(source, target_tokens=50, overlap_tokens=0)
    assert len(chunks) > 5
    assert all(75 < len(chunk.text) <= 150 for chunk in chunks[:-1])


def test_a_chunk_does_not_cross_a_heading_and_knows_the_ones_above_it() -> None:
    chunks = cut(RST, "rst")
    assert [chunk.heading_path for chunk in chunks] == [("Guide",), ("Guide", "Install"), ("Guide", "Use")]
    assert chunks[1].text == "Install\n-------\n\nRun it.\n\nThen wait."
    assert chunks[1].section_label == "§ Install"


def test_a_heading_stays_with_the_text_below_it() -> None:
    chunks = cut("* Head\n" + "A sentence of some words. " * 20, "org", target_tokens=30, overlap_tokens=0)
    assert chunks[0].text.startswith("* Head\nA sentence")


def test_prose_overlaps_by_sentences_and_rows_do_not() -> None:
    prose = cut(" ".join(f"Sentence {number} is here." for number in range(60)), target_tokens=60, overlap_tokens=20)
    assert all(two.text.split(".")[0] in one.text for one, two in pairwise(prose))
    rows = cut("id,word\n" + "".join(f"{number},row\n" for number in range(300)), "csv", target_tokens=60)
    assert [line for chunk in rows for line in chunk.text.split("\n")] == [
        "id,word",
        *(f"{number},row" for number in range(300)),
    ]
    assert {chunk.heading_path for chunk in rows} == {("id, word",)}
    assert {chunk.section_label for chunk in rows} == {None}


def test_a_log_is_cut_between_lines() -> None:
    source = "".join(f"2020-01-01 12:00:{number:02} INFO done. next\n" for number in range(60))
    chunks = cut(source, "log", target_tokens=100)
    assert len(chunks) > 3
    assert [line for chunk in chunks for line in chunk.text.split("\n")] == source.splitlines()


@settings(max_examples=200, deadline=None)
@example(["Title", "x" * 90, "x" * 90], "plain", 4, 3)
@given(
    st.lists(LINES, max_size=60),
    st.sampled_from(["plain", "rst", "org", "log", "csv"]),
    st.integers(4, 60),
    st.integers(0, 40),
)
def test_every_word_is_in_a_chunk_at_its_lines_and_within_the_limit(
    lines: list[str], kind: str, target: int, more: int
) -> None:
    found = document("\n".join(lines), kind)
    policy = ChunkPolicy(target, min(3, target - 1), target + more)
    assert_sound(found, TextChunker().chunk(found, policy), policy.max_chunk_tokens * 3)
