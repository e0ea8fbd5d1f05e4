from typing import TYPE_CHECKING

import pytest

from kebab.chunk import CHUNKERS
from kebab.chunk.headings import VERSION, HeadingChunker, section_label
from kebab.config import load
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.ids import chunk_id
from kebab.core.span import LineSpan

if TYPE_CHECKING:
    from conftest import Cut, Parse


def texts(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def lines(chunks: list[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.spans[0].start, chunk.spans[-1].end) for chunk in chunks]


# -- sections


def test_a_section_is_a_chunk_with_its_heading(cut: "Cut") -> None:
    chunks = cut("# A\n\nalpha\n\n## B\n\nbeta\n\n# C\n\ngamma\n")
    assert texts(chunks) == ["# A\n\nalpha", "## B\n\nbeta", "# C\n\ngamma"]
    assert [chunk.heading_path for chunk in chunks] == [("A",), ("A", "B"), ("C",)]
    assert lines(chunks) == [(1, 3), (5, 7), (9, 11)]


def test_text_before_the_first_heading_is_a_section_of_its_own(cut: "Cut") -> None:
    chunks = cut("intro\n\n# A\n\nalpha\n")
    assert texts(chunks) == ["intro", "# A\n\nalpha"]
    assert [(chunk.heading_path, chunk.section_label) for chunk in chunks] == [((), None), (("A",), "§ A")]


def test_front_matter_joins_the_first_section(cut: "Cut") -> None:
    chunks = cut("---\ntitle: T\n---\n\n# A\n\nalpha\n\n# B\n\nbeta\n")
    assert texts(chunks) == ["---\ntitle: T\n---\n\n# A\n\nalpha", "# B\n\nbeta"]
    assert chunks[0].heading_path == ("A",)
    assert lines(chunks) == [(1, 7), (9, 11)]


def test_front_matter_joins_plain_text_too(cut: "Cut") -> None:
    assert texts(cut("---\ntitle: T\n---\nintro\n\n# A\n\nalpha\n")) == ["---\ntitle: T\n---\nintro", "# A\n\nalpha"]


def test_front_matter_alone_is_still_found(cut: "Cut") -> None:
    assert texts(cut("---\ntitle: T\n---\n")) == ["---\ntitle: T\n---"]


def test_a_heading_with_nothing_below_joins_the_deeper_section(cut: "Cut") -> None:
    chunks = cut("# A\n\n## B\n\n### C\n\ntext\n")
    assert texts(chunks) == ["# A\n\n## B\n\n### C\n\ntext"]
    assert chunks[0].heading_path == ("A", "B", "C")


def test_front_matter_and_bare_headings_all_join(cut: "Cut") -> None:
    chunks = cut("---\na: 1\n---\n# A\n## B\ntext\n")
    assert texts(chunks) == ["---\na: 1\n---\n# A\n## B\ntext"]
    assert chunks[0].heading_path == ("A", "B")


def test_a_bare_heading_does_not_join_its_neighbour(cut: "Cut") -> None:
    chunks = cut("## A\n\n## B\n\ntext\n\n## C\n")
    assert texts(chunks) == ["## A", "## B\n\ntext", "## C"]


def test_a_deeper_heading_after_text_starts_its_own_chunk(cut: "Cut") -> None:
    assert texts(cut("# A\n\nalpha\n\n## B\n\nbeta\n")) == ["# A\n\nalpha", "## B\n\nbeta"]


@pytest.mark.parametrize("source", ["", "\n\n", "---\n\n***\n"])
def test_a_note_without_words_has_no_chunks(cut: "Cut", source: str) -> None:
    assert cut(source) == []


def test_sections_are_parts_of_one_when_headings_are_not_respected(cut: "Cut") -> None:
    source = "# A\n\nalpha\n\n# B\n\nbeta\n"
    assert texts(cut(source, respect_markdown_headings=False)) == [source.rstrip()]
    assert len(cut(source)) == 2


def test_a_chunk_names_the_section_it_stands_in_when_headings_are_not_respected(cut: "Cut", parse: "Parse") -> None:
    source = "# A\n\nalpha alpha alpha\n\n# B\n\nbeta beta beta\n\n# C\n\ngamma gamma gamma\n"
    own = {block.block_id: block.heading_path for block in parse(source).blocks}
    chunks = cut(source, respect_markdown_headings=False, target_tokens=10, overlap_tokens=0, max_chunk_tokens=20)
    assert len(chunks) > 1
    for chunk in chunks:
        assert chunk.heading_path in {own[block] for block in chunk.block_ids}


def test_a_heading_never_ends_a_chunk_while_its_text_follows(cut: "Cut") -> None:
    source = "alpha alpha alpha\n\n# B\n\nbeta beta beta beta\n"
    chunks = cut(source, respect_markdown_headings=False, target_tokens=9, overlap_tokens=0, max_chunk_tokens=20)
    assert any("# B\n\nbeta" in chunk.text for chunk in chunks)


def test_front_matter_does_not_part_a_heading_from_its_text(cut: "Cut") -> None:
    source = "---\ntitle: T\ntags: [a, b]\n---\n\n# Title\n\n" + "A sentence of this note. " * 100 + "\n"
    chunks = cut(source, overlap_tokens=0)
    assert any("# Title\n\nA sentence" in chunk.text for chunk in chunks)


# -- labels


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ((), None),
        (("Chunking",), "§ Chunking"),
        (("Guide", "14. Chunking 정책"), "§14 Chunking 정책"),
        (("14 Chunking",), "§14 Chunking"),
        (("1.2.3 Deep",), "§1.2.3 Deep"),
        (("2) Restore",), "§2 Restore"),
        (("3.",), "§ 3."),
        (("2024",), "§ 2024"),
        (("v2 notes",), "§ v2 notes"),
        (("3D printing",), "§ 3D printing"),
        (("1장 서론",), "§ 1장 서론"),
    ],
)
def test_a_section_is_named_as_a_person_would(path: tuple[str, ...], label: str | None) -> None:
    assert section_label(path) == label


def test_the_label_is_that_of_the_innermost_heading(cut: "Cut") -> None:
    (chunk,) = cut("# Guide\n\n## 14. Chunking 정책\n\ntext\n")
    assert chunk.section_label == "§14 Chunking 정책"


# -- cutting


def test_a_long_section_is_cut_between_its_blocks(cut: "Cut") -> None:
    source = "# A\n\n" + "\n\n".join(f"paragraph {n} of ten words is here now ok" for n in range(6)) + "\n"
    chunks = cut(source, target_tokens=30, overlap_tokens=0, max_chunk_tokens=100)
    assert texts(chunks) == [
        "# A\n\nparagraph 0 of ten words is here now ok\n\nparagraph 1 of ten words is here now ok",
        "paragraph 2 of ten words is here now ok\n\nparagraph 3 of ten words is here now ok",
        "paragraph 4 of ten words is here now ok\n\nparagraph 5 of ten words is here now ok",
    ]
    assert {chunk.heading_path for chunk in chunks} == {("A",)}


def test_a_heading_stays_with_the_text_below_it(cut: "Cut") -> None:
    source = f"# A heading of some length\n\n{'w' * 58}\n\nnext one\n"
    chunks = cut(source, target_tokens=20, overlap_tokens=0, max_chunk_tokens=60)
    assert chunks[0].text == f"# A heading of some length\n\n{'w' * 58}"


def test_a_short_end_joins_the_chunk_before_it(cut: "Cut") -> None:
    source = f"{'a' * 80}\n\nend\n"
    assert texts(cut(source, target_tokens=27, overlap_tokens=0, max_chunk_tokens=100)) == [source.rstrip()]
    assert len(cut(source, target_tokens=27, overlap_tokens=0, max_chunk_tokens=27)) == 2


@pytest.mark.parametrize(
    "block",
    [
        "```py\n" + "value = compute(1, 2, 3)\n" * 12 + "```",
        "| a | b |\n|---|---|\n" + "\n".join(f"| row {n} | value {n} |" for n in range(16)),
    ],
    ids=["code", "table"],
)
def test_code_and_tables_are_whole_up_to_the_maximum(cut: "Cut", block: str) -> None:
    source = f"before\n\n{block}\n\nafter the block there is text\n"
    limit = -(-len(block.encode()) // 3)
    whole = cut(source, target_tokens=20, overlap_tokens=5, max_chunk_tokens=limit)
    assert any(block in chunk.text for chunk in whole)
    smaller = cut(source, target_tokens=20, overlap_tokens=5, max_chunk_tokens=limit // 2)
    assert not any(block in chunk.text for chunk in smaller)
    assert all(len(chunk.text.encode()) <= 3 * (limit // 2) for chunk in smaller)


def test_code_is_cut_between_lines(cut: "Cut") -> None:
    code = "```\n" + "".join(f"line {n}. has a stop. inside\n" for n in range(20)) + "```"
    chunks = cut(code, target_tokens=20, overlap_tokens=5, max_chunk_tokens=40)
    assert len(chunks) > 2
    assert "".join(texts(chunks)) == code
    assert all(chunk.text.endswith("\n") for chunk in chunks[:-1])


def test_long_english_is_cut_at_sentences(cut: "Cut") -> None:
    source = "First one here. Second one! Third, (in brackets.) Fourth? Fifth is the last.\n"
    chunks = cut(source, target_tokens=10, overlap_tokens=0, max_chunk_tokens=30)
    assert texts(chunks) == ["First one here. Second one! ", "Third, (in brackets.) Fourth? ", "Fifth is the last."]


def test_long_korean_is_cut_at_sentences(cut: "Cut") -> None:
    source = "첫 문장이다. 둘째 문장인가? 셋째 문장이다! 넷째 문장은 길다。다섯째 문장。\n"
    chunks = cut(source, target_tokens=14, overlap_tokens=0, max_chunk_tokens=40)
    assert texts(chunks) == ["첫 문장이다. 둘째 문장인가? ", "셋째 문장이다! ", "넷째 문장은 길다。", "다섯째 문장。"]


def test_a_sentence_that_is_too_long_is_cut_at_a_space(cut: "Cut") -> None:
    chunks = cut(
        "one two three four five six seven eight nine ten\n", target_tokens=5, overlap_tokens=0, max_chunk_tokens=9
    )
    assert all(len(chunk.text) <= 15 for chunk in chunks)
    assert [
        word for chunk in chunks for word in chunk.text.split()
    ] == "one two three four five six seven eight nine ten".split()


def test_a_word_that_is_too_long_is_cut_anywhere(cut: "Cut") -> None:
    chunks = cut("x" * 100 + "\n", target_tokens=5, overlap_tokens=0, max_chunk_tokens=5)
    assert "".join(texts(chunks)) == "x" * 100
    assert all(len(chunk.text) <= 15 for chunk in chunks)


# -- overlap

PROSE = "Alpha is first. Beta is second. Gamma is third. Delta is fourth. Epsilon is fifth. Zeta is sixth.\n"


def test_prose_repeats_the_last_sentence_of_the_chunk_before(cut: "Cut") -> None:
    chunks = cut(PROSE, target_tokens=12, overlap_tokens=6, max_chunk_tokens=40)
    assert texts(chunks) == [
        "Alpha is first. Beta is second. ",
        "Beta is second. Gamma is third. Delta is fourth. ",
        "Delta is fourth. Epsilon is fifth. Zeta is sixth.",
    ]


def test_no_overlap_is_no_overlap(cut: "Cut") -> None:
    assert "".join(texts(cut(PROSE, target_tokens=12, overlap_tokens=0, max_chunk_tokens=40))) == PROSE.rstrip()


def test_an_overlap_never_repeats_a_whole_chunk(cut: "Cut") -> None:
    chunks = cut("Aaa bbb. Ccc ddd. Eee fff. Ggg hhh.\n", target_tokens=3, overlap_tokens=2, max_chunk_tokens=30)
    found = texts(chunks)
    assert found == ["Aaa bbb. ", "Ccc ddd. ", "Eee fff. ", "Ggg hhh."]


def test_sections_do_not_overlap(cut: "Cut") -> None:
    chunks = cut(
        "# A\n\nOne. Two. Three.\n\n# B\n\nFour. Five.\n", target_tokens=6, overlap_tokens=5, max_chunk_tokens=40
    )
    assert chunks[-1].text.startswith("# B")


@pytest.mark.parametrize(
    "source",
    [
        "Some prose is here. It ends.\n\n```\ncode line one\ncode line two\n```\n\nMore prose is here. It ends.\n",
        "Some prose is here. It ends.\n\n| a | b |\n|---|---|\n| one | two |\n\nMore prose is here. It ends.\n",
    ],
    ids=["code", "table"],
)
def test_only_prose_overlaps_prose(cut: "Cut", source: str) -> None:
    chunks = cut(source, target_tokens=12, overlap_tokens=8, max_chunk_tokens=40)
    assert len(chunks) == 3
    assert "\n\n".join(texts(chunks)) == source.rstrip()


def test_a_chunk_with_overlap_names_the_block_it_reaches_into(cut: "Cut", parse: "Parse") -> None:
    source = "Alpha is first. Beta is second.\n\nGamma is third. Delta is fourth.\n"
    document = parse(source)
    chunks = cut(source, target_tokens=12, overlap_tokens=6, max_chunk_tokens=40)
    assert texts(chunks) == ["Alpha is first. Beta is second.", "Beta is second.\n\nGamma is third. Delta is fourth."]
    assert lines(chunks) == [(1, 1), (1, 3)]
    assert [chunk.block_ids for chunk in chunks] == [
        (document.blocks[0].block_id,),
        (document.blocks[0].block_id, document.blocks[1].block_id),
    ]


def test_an_overlap_keeps_to_the_maximum_with_the_blank_lines_it_takes_along(cut: "Cut") -> None:
    blank = "\n" * 60
    source = f"Alpha is the first one. Beta.{blank}Gamma is third. Delta is fourth.\n"
    chunks = cut(source, target_tokens=12, overlap_tokens=6, max_chunk_tokens=16)
    assert len(chunks) == 2
    assert all(len(chunk.text.encode()) <= 3 * 16 for chunk in chunks)


def test_blank_lines_of_wide_spaces_count_as_the_bytes_they_are(cut: "Cut") -> None:
    wide = "\n\n" + "\u3000" * 9 + "\n\n"
    chunks = cut(f"alpha{wide}beta{wide}gamma{wide}delta\n", target_tokens=16, overlap_tokens=0, max_chunk_tokens=16)
    assert all(len(chunk.text.encode()) <= 3 * 16 for chunk in chunks)


# -- identity


def test_a_chunk_carries_the_recipe_of_its_id(cut: "Cut", parse: "Parse") -> None:
    source = "# A\n\nalpha\n"
    document, policy = parse(source), ChunkPolicy()
    (chunk,) = cut(source)
    blocks = [block.block_id for block in document.blocks]
    assert chunk.block_ids == tuple(blocks)
    assert chunk.chunk_id == chunk_id(document.doc_id, VERSION, blocks, policy.policy_hash())
    assert (chunk.doc_id, chunk.ordinal, chunk.chunker_version, chunk.policy_hash) == (
        document.doc_id,
        0,
        VERSION,
        policy.policy_hash(),
    )
    assert chunk.spans == (LineSpan(1, 3),)
    assert chunk.token_estimate == 4


def test_chunks_cut_from_one_block_are_told_apart_by_where_they_start(cut: "Cut", parse: "Parse") -> None:
    document = parse(PROSE)
    policy = ChunkPolicy(12, 0, 40)
    chunks = cut(PROSE, target_tokens=12, overlap_tokens=0, max_chunk_tokens=40)
    blocks = [document.blocks[0].block_id]
    assert [chunk.block_ids for chunk in chunks] == [tuple(blocks)] * len(chunks)
    starts = [PROSE.index(chunk.text) for chunk in chunks]
    suffixes = ["", *(f"#c{start}" for start in starts[1:])]
    assert [chunk.chunk_id for chunk in chunks] == [
        chunk_id(document.doc_id, VERSION, blocks, policy.policy_hash() + suffix) for suffix in suffixes
    ]
    assert {chunk.policy_hash for chunk in chunks} == {policy.policy_hash()}


def test_a_policy_changes_every_chunk_id_and_no_block_id(cut: "Cut") -> None:
    before, after = cut("# A\n\nalpha\n"), cut("# A\n\nalpha\n", target_tokens=400)
    assert before[0].block_ids == after[0].block_ids
    assert before[0].chunk_id != after[0].chunk_id


def test_identical_sections_have_their_own_ids(cut: "Cut") -> None:
    chunks = cut("# A\n\nsame\n\n# A\n\nsame\n\n# A\n\nsame\n")
    assert len({chunk.chunk_id for chunk in chunks}) == 3


def test_the_version_is_the_one_the_configuration_knows() -> None:
    assert HeadingChunker.version == VERSION == CHUNKERS["markdown"].version
    assert load(env={"HOME": "/nowhere"}).chunker_version == VERSION
