from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.headings import HeadingChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.text import LineMap, split_lines, token_estimate

if TYPE_CHECKING:
    from conftest import Parse

WORDS = st.sampled_from(
    "word two. three! four? 다섯 여섯이다. 일곱。 naïve \U0001f600 a-very-long-word-without-any-space x".split()
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
BLOCKS = st.one_of(
    SENTENCES,
    SENTENCES.map(lambda text: text.replace(" ", "\n", 2)),
    st.tuples(st.integers(1, 6), SENTENCES).map(lambda pair: "#" * pair[0] + " " + pair[1][:20]),
    st.lists(SENTENCES, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(SENTENCES, min_size=1, max_size=4).map(lambda lines: "```py\n" + "\n\n".join(lines) + "\n```"),
    st.lists(WORDS, min_size=1, max_size=4).map(
        lambda cells: "| a | b |\n|---|---|\n" + "\n".join(f"| {cell} | {cell} |" for cell in cells)
    ),
    SENTENCES.map(lambda text: f"> {text}"),
    st.sampled_from(["---", "***", "![alt](a.png)", "[[link]]", "<div>", "    indented", "\u3000\u3000", "- [ ] task"]),
)
GAPS = st.sampled_from(["\n\n", "\n", "\n\n\n\n", "\n  \n", "\n\n\u3000\n\n"])
FRONT = st.sampled_from(["", "", "---\ntitle: T\ntags: [a, b]\n---\n", "+++\na = 1\n+++\n"])
NOTES = st.tuples(FRONT, st.lists(st.tuples(BLOCKS, GAPS), max_size=10)).map(
    lambda parts: parts[0] + "".join(block + gap for block, gap in parts[1])
)


@st.composite
def policies(draw: st.DrawFn) -> ChunkPolicy:
    """Overlap < target <= max, as the configuration holds them, down to sizes where nothing fits."""
    target = draw(st.integers(1, 5) | st.integers(6, 60) | st.just(500))
    return ChunkPolicy(
        target_tokens=target,
        overlap_tokens=draw(st.integers(0, target - 1)),
        max_chunk_tokens=target + draw(st.just(0) | st.integers(0, 60)),
        respect_markdown_headings=draw(st.booleans()),
    )


def wanted(document: Document) -> list[int]:
    """Offsets of every character a chunk has to hold: those of blocks that are not space."""
    lines = LineMap(document.source_text)
    found: list[int] = []
    for block in document.blocks:
        start = lines.start_of(block.span.start)
        found += [start + at for at, char in enumerate(block.text) if not char.isspace()]
    return found


def place(document: Document, chunk: Chunk, first_missing: int) -> int:
    """Where the chunk's text stands inside the lines it names, at or before the first character still missing."""
    lines, text = LineMap(document.source_text), chunk.text.rstrip()
    start, end = lines.start_of(chunk.spans[0].start), lines.start_of(chunk.spans[-1].end + 1)
    return document.source_text.rfind(text, start, min(end, first_missing + len(text)))


@settings(max_examples=150, deadline=None)
@given(NOTES, policies())
def test_chunks_are_exact_pieces_at_their_lines_and_lose_nothing(
    parse: "Parse", source: str, policy: ChunkPolicy
) -> None:
    document = parse(source)
    missing = wanted(document)
    for chunk in HeadingChunker().chunk(document, policy):
        assert missing, "a chunk that only repeats"
        at = place(document, chunk, missing[0])
        assert at >= 0, "not at its lines, or a word before it is lost"
        assert document.source_text.startswith(chunk.text, at)
        end = at + len(chunk.text)
        left = [offset for offset in missing if offset >= end]
        assert len(left) < len(missing), "a chunk that only repeats"
        missing = left
    assert missing == []


@settings(max_examples=80, deadline=None)
@given(NOTES, policies())
def test_spans_name_every_line_of_the_text_and_no_other(parse: "Parse", source: str, policy: ChunkPolicy) -> None:
    document = parse(source)
    lines = split_lines(document.source_text)
    chunks = HeadingChunker().chunk(document, policy)
    for chunk in chunks:
        (span,) = chunk.spans
        assert 1 <= span.start <= span.end <= len(lines)
        assert chunk.text.rstrip().count("\n") == span.end - span.start
        assert chunk.text.rstrip() in "\n".join(lines[span.start - 1 : span.end])
    for before, after in pairwise(chunks):
        assert before.spans[0].start <= after.spans[0].start
        assert before.spans[0].end <= after.spans[0].end


@settings(max_examples=150, deadline=None)
@given(NOTES, policies())
def test_no_chunk_is_larger_than_the_maximum(parse: "Parse", source: str, policy: ChunkPolicy) -> None:
    for chunk in HeadingChunker().chunk(parse(source), policy):
        size = len(chunk.text.encode())
        assert size <= 3 * policy.max_chunk_tokens or len(chunk.text.strip()) == 1
        assert chunk.token_estimate == token_estimate(chunk.text) == -(-size // 3)


@settings(max_examples=80, deadline=None)
@given(NOTES, policies())
def test_ids_are_unique_and_ordinals_count(parse: "Parse", source: str, policy: ChunkPolicy) -> None:
    document = parse(source)
    chunks = HeadingChunker().chunk(document, policy)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert HeadingChunker().chunk(document, policy) == chunks


@settings(max_examples=80, deadline=None)
@given(NOTES, policies())
def test_a_chunk_names_the_blocks_it_is_made_of(parse: "Parse", source: str, policy: ChunkPolicy) -> None:
    document = parse(source)
    positions = {block.block_id: position for position, block in enumerate(document.blocks)}
    for chunk in HeadingChunker().chunk(document, policy):
        held = [positions[block] for block in chunk.block_ids]
        assert held == list(range(held[0], held[-1] + 1))
        first, last = document.blocks[held[0]], document.blocks[held[-1]]
        assert first.span.start <= chunk.spans[0].start <= first.span.end
        assert last.span.start <= chunk.spans[-1].end <= last.span.end


@settings(max_examples=60, deadline=None)
@given(NOTES, policies())
def test_a_chunk_never_crosses_a_heading_when_headings_are_respected(
    parse: "Parse", source: str, policy: ChunkPolicy
) -> None:
    document = parse(source)
    by_id = {block.block_id: block for block in document.blocks}
    for chunk in HeadingChunker().chunk(document, ChunkPolicy(policy.target_tokens, 0, policy.max_chunk_tokens)):
        blocks = [by_id[block] for block in chunk.block_ids]
        for block in blocks:
            assert chunk.heading_path[: len(block.heading_path)] == block.heading_path
        below = [block for block in blocks if block.kind != "heading" and not block.payload.get("front_matter")]
        assert {block.heading_path for block in below} <= {chunk.heading_path}
