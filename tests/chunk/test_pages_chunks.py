"""Pages to chunks: never two pages in one, cut between paragraphs, and each at its place on the page."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.pages import VERSION, PageChunker
from kebab.core.asset import Asset
from kebab.core.chunk import ChunkPolicy
from kebab.core.document import BlockKind, Document
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext
from kebab.core.span import PagePlace
from kebab.core.text import LineMap, token_estimate
from kebab.parse.building import Content, Piece, build

MOMENT = "2020-01-01T00:00:00Z"
Paragraph = tuple[tuple[str, ...], str]


def document(*pages: list[Paragraph]) -> Document:
    """Pages of paragraphs with their heading paths, as a parser would give them."""
    texts, pieces, line = [], [], 1
    for number, paragraphs in enumerate(pages, 1):
        at = 0
        for path, text in paragraphs:
            height = text.count("\n") + 1
            place = PagePlace(number, at, at + len(text))
            kind = BlockKind.TABLE if "  " in text else BlockKind.PARAGRAPH
            pieces.append(Piece(kind, line, line + height - 1, path, place=place))
            line += height + 1
            at += len(text) + 2
        texts.append("\n\n".join(text for _, text in paragraphs))
        line += 0 if not paragraphs else -1
        line += 1 if not paragraphs else 0
    checksum = content_hash(b"x")
    asset = Asset(asset_id(checksum), checksum, 1, "pdf", "a.pdf", "file:///a.pdf", MOMENT)
    return build(Content("\n".join(texts), pieces), ParseContext(asset, "a.pdf", MOMENT, MOMENT, None, None), "v", "a")


def plain(*texts: str) -> list[Paragraph]:
    return [((), text) for text in texts]


def chunk(doc: Document, target: int = 500, overlap: int = 0, most: int = 4000) -> list[tuple[int, str]]:
    found = PageChunker().chunk(doc, ChunkPolicy(target, overlap, most))
    return [(each.place.page, each.text) for each in found if isinstance(each.place, PagePlace)]


def test_a_page_is_a_chunk() -> None:
    doc = document(plain("one", "two"), plain("three"))
    assert chunk(doc) == [(1, "one\n\ntwo"), (2, "three")]


def test_an_empty_page_has_none() -> None:
    assert chunk(document(plain("one"), [], plain("three"))) == [(1, "one"), (3, "three")]


def test_a_long_page_is_cut_between_paragraphs() -> None:
    doc = document(plain("a" * 60, "b" * 60, "c" * 60, "d" * 60))
    assert [text[0] + text[-1] for _, text in chunk(doc, target=45)] == ["ab", "cd"]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = "A first sentence. A second one. A third one."
    assert [text for _, text in chunk(document(plain(text)), target=12)] == [
        "A first sentence. A second one.",
        "A third one.",
    ]


def test_a_heading_of_a_few_words_stays_with_its_text() -> None:
    doc = document(plain("Title", "a" * 148, "b" * 148))
    assert [text[0] + text[-1] for _, text in chunk(doc, target=50)] == ["Ta", "bb"]


def test_the_overlap_stays_on_its_page() -> None:
    sentences = "One is here. Two is here. Three is here. Four is here."
    found = PageChunker().chunk(document(plain(sentences), plain("next page")), ChunkPolicy(9, 5, 40))
    assert [each.text for each in found] == [
        "One is here. Two is here.",
        "Two is here. Three is here.",
        "Four is here.",
        "next page",
    ]
    assert [each.place for each in found] == [
        PagePlace(1, 0, 25),
        PagePlace(1, 13, 40),
        PagePlace(1, 41, 54),
        PagePlace(2, 0, 9),
    ]


def test_a_heading_starts_a_chunk_and_labels_it() -> None:
    doc = document([(("1. Rice",), "about rice"), (("1. Rice", "Water"), "about water")])
    found = PageChunker().chunk(doc, ChunkPolicy())
    assert [(each.heading_path, each.section_label, each.text) for each in found] == [
        (("1. Rice",), "§1 Rice", "about rice"),
        (("1. Rice", "Water"), "§ Water", "about water"),
    ]
    assert {each.chunker_version for each in found} == {VERSION} == {"pdf-page-v1"}


def test_a_table_is_cut_between_rows() -> None:
    doc = document(plain("a1  b1. c\na2  b2. c\na3  b3. c"))
    assert [text for _, text in chunk(doc, target=7)] == ["a1  b1. c\na2  b2. c", "a3  b3. c"]


WORDS = st.sampled_from(
    "word two. three! 다섯 여섯이다. 일곱。 \U0001f600 a-very-long-word-without-any-space x".split()
)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4).map("\n".join)
PATHS = st.sampled_from([(), ("A",), ("A", "B")])
PAGES = st.lists(st.lists(st.tuples(PATHS, TEXTS), max_size=5), max_size=4)


@settings(max_examples=60, deadline=None)
@given(PAGES, st.integers(1, 40), st.integers(0, 39), st.integers(0, 40))
def test_chunks_stand_at_their_place_and_lose_nothing(
    pages: list[list[Paragraph]], target: int, overlap: int, more: int
) -> None:
    doc = document(*pages)
    policy = ChunkPolicy(target, min(overlap, target - 1), target + more)
    lines, tops = LineMap(doc.source_text), {}
    for block in doc.blocks:
        assert isinstance(block.place, PagePlace)
        tops[block.place.page] = lines.start_of(block.span.start) - block.place.char_start
    held: set[int] = set()
    for each in PageChunker().chunk(doc, policy):
        assert isinstance(each.place, PagePlace)
        start, end = (tops[each.place.page] + at for at in each.place[1:])
        assert doc.source_text[start:end] == each.text
        assert (lines.line_at(start), lines.line_at(end - 1)) == each.spans[0]
        assert token_estimate(each.text) <= policy.max_chunk_tokens or len(each.text) == 1
        held |= set(range(start, end))
    wanted = [at for at, char in enumerate(doc.source_text) if not char.isspace()]
    assert [at for at in wanted if at not in held] == []
