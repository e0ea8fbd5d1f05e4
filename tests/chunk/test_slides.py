from itertools import pairwise

import pytest

from kebab.chunk.pages import PageChunker
from kebab.core.chunk import ChunkPolicy
from kebab.core.span import PagePlace
from kebab.parse.office import PptxParser
from office_samples import pptx, read, shape, slide


@pytest.mark.parametrize("target", [20, 500])
def test_a_chunk_never_leaves_its_slide(target: int) -> None:
    slides = [
        slide(shape("title", f"제목 {number}") + shape("body", *[f"{number}번 슬라이드의 항목 {n}" for n in range(12)]))
        for number in range(1, 5)
    ]
    document = read(PptxParser(), pptx([*slides, slide(shape("", "끝"))], {2: "천천히 말할 것"}))
    chunks = PageChunker().chunk(document, ChunkPolicy(target_tokens=target, overlap_tokens=0))
    assert {chunk.place.page for chunk in chunks if isinstance(chunk.place, PagePlace)} == {1, 2, 3, 4, 5}
    for chunk in chunks:
        assert isinstance(chunk.place, PagePlace)
        number = chunk.place.page
        assert chunk.heading_path == ((f"제목 {number}",) if number < 5 else ("Slide 5",))
        assert not any(f"{other}번" in chunk.text for other in range(1, 6) if other != number)
    places = [chunk.place for chunk in chunks if isinstance(chunk.place, PagePlace)]
    assert all(before.page < after.page or before.char_end <= after.char_start for before, after in pairwise(places))
    assert "천천히" in "".join(chunk.text for chunk, place in zip(chunks, places, strict=True) if place.page == 2)
