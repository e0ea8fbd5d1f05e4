"""Images cut by region: every chunk has the box of exactly its lines."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.regions import VERSION, RegionChunker
from kebab.core.asset import Asset
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.document import Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.core.reading import OcrLine, Recognised
from kebab.core.span import CaptionPlace, PagePlace, RegionPlace
from kebab.core.text import split_lines
from kebab.parse.building import Content, build
from kebab.parse.image.assembly import assemble
from sample_files import MOMENT, assert_sound

HEIGHT = 20
SIZE = (1000, 20_000)


def image(*pages: Sequence[Sequence[str]], caption: str = "") -> Document:
    """Paragraphs of lines; a line is 20 high and as wide as its words, and a paragraph stands 100 below the last."""
    found = []
    for paragraphs in pages:
        lines, top = [], 0
        for paragraph in paragraphs:
            for text in paragraph:
                lines.append(OcrLine(text, 10, top, 10 * len(text), HEIGHT))
                top += 25
            top += 100
        found.append(Recognised(tuple(lines), *SIZE))
    assembled = assemble(found, caption, "seer")
    checksum = content_hash(assembled.text.encode())
    asset = Asset(asset_id(checksum), checksum, 1, "image/png", "a.png", "file:///a.png", MOMENT)
    context = ParseContext(asset, "a.png", MOMENT, MOMENT, None, None)
    return build(Content(assembled.text, assembled.pieces), context, "image-ocr-v1", "test")


def cut(document: Document, target: int = 500, most: int = 4000) -> list[Chunk]:
    return RegionChunker().chunk(document, ChunkPolicy(target_tokens=target, max_chunk_tokens=most, overlap_tokens=0))


def test_a_small_image_is_one_chunk_with_the_box_of_all_its_lines() -> None:
    (chunk,) = cut(image([["현미밥", "물을 붓는다"], ["forty minutes"]]))
    assert chunk.text == "현미밥\n물을 붓는다\n\nforty minutes"
    assert chunk.place == RegionPlace(10, 0, 130, 170)
    assert chunk.chunker_version == VERSION


def test_paragraphs_are_kept_whole_while_they_fit() -> None:
    chunks = cut(image([["aaaa bbbb"], ["cccc dddd", "eeee"], ["ffff"]]), target=7)
    assert [chunk.text for chunk in chunks] == ["aaaa bbbb", "cccc dddd\neeee\n\nffff"]
    assert [chunk.place for chunk in chunks] == [RegionPlace(10, 0, 90, 20), RegionPlace(10, 125, 90, 170)]


def test_a_long_paragraph_is_cut_between_its_lines() -> None:
    chunks = cut(image([["one two three", "four five six", "seven eight"]]), target=10)
    assert [chunk.text for chunk in chunks] == ["one two three\nfour five six", "seven eight"]
    assert [chunk.place for chunk in chunks] == [RegionPlace(10, 0, 130, 45), RegionPlace(10, 50, 110, 20)]


def test_a_line_too_long_for_any_chunk_is_cut_and_keeps_its_box() -> None:
    chunks = cut(image([["word " * 40]]), target=10, most=10)
    assert len(chunks) > 5
    assert {chunk.place for chunk in chunks} == {RegionPlace(10, 0, 2000, 20)}
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)


def test_a_caption_stands_alone() -> None:
    text, caption = cut(image([["현미밥"]], caption="A bowl of rice."))
    assert text.place == RegionPlace(10, 0, 30, 20)
    assert (caption.text, caption.place) == ("A bowl of rice.", CaptionPlace("seer"))
    (alone,) = cut(image(caption="A bowl of rice."))
    assert alone.place == CaptionPlace("seer")


def test_no_chunk_runs_over_the_end_of_a_page() -> None:
    document = image([["one"], ["two"]], [["three", "four"]], [["five"]])
    chunks = cut(document)
    assert [chunk.text for chunk in chunks] == ["one\n\ntwo", "three\nfour", "five"]
    assert [chunk.place for chunk in chunks] == [PagePlace(1, 0, 8), PagePlace(2, 0, 10), PagePlace(3, 0, 4)]
    apart = cut(document, target=2, most=100)
    assert [chunk.place for chunk in apart][:4] == [
        PagePlace(1, 0, 3),
        PagePlace(1, 5, 8),
        PagePlace(2, 0, 5),
        PagePlace(2, 6, 10),
    ]


WORDS = st.text(st.sampled_from("ab 밥。.!"), min_size=1, max_size=30).map(str.strip).filter(bool)
PAGES = st.lists(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=4), min_size=1, max_size=3)


@settings(max_examples=100, deadline=None)
@given(PAGES, st.integers(2, 40), st.integers(0, 40), st.booleans())
def test_any_image_is_cut_soundly(pages: list[list[list[str]]], target: int, slack: int, captioned: bool) -> None:
    document = image(*pages, caption="caption" if captioned else "")
    chunks = cut(document, target, target + slack)
    assert_sound(document, chunks, 3 * (target + slack))
    lines = split_lines(document.source_text)
    for chunk in chunks:
        assert chunk.place is not None
        if isinstance(chunk.place, RegionPlace):
            span = chunk.spans[0]
            held = [line for line in lines[span.start - 1 : span.end] if line]
            assert chunk.place.w == max(10 * len(line) for line in held)


@pytest.mark.parametrize("payload", [{}, {"lines": "x"}, {"lines": [[1, 2]]}, {"lines": []}])
def test_a_block_without_boxes_keeps_its_own_place(payload: dict[str, object]) -> None:
    document = image([["one", "two"]])
    (block,) = document.blocks
    changed = block._replace(payload=payload)
    object.__setattr__(document, "blocks", (changed,))
    assert [chunk.place for chunk in cut(document)] == [block.place]
