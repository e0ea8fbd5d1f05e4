import io
import zipfile

import pytest

from kebab.core.document import Document
from kebab.core.span import PagePlace
from kebab.parse.office import PptxParser
from office_samples import P, archive, check, pptx, read, rels, shape, slide


def parse(raw: bytes) -> Document:
    document = read(PptxParser(), raw, "talks/발표.pptx")
    check(document)
    return document


@pytest.fixture(scope="module")
def talk() -> Document:
    first = slide(
        shape("title", "첫 슬라이드") + shape("body", "하나", "둘") + shape("", "상자") + shape("sldNum", "1")
    )
    second = slide(shape("", "제목 없는 글") + shape("ftr", "회사 이름"), ' show="0"')
    return parse(pptx([first, second, slide(shape("ctrTitle", "끝"))], {1: "천천히 말할 것"}))


def test_a_slide_is_its_title_its_shapes_and_its_notes(talk: Document) -> None:
    assert talk.source_text == (
        "# 첫 슬라이드\n\n- 하나\n- 둘\n\n상자\n\nNotes: 천천히 말할 것\n\n제목 없는 글\n\n# 끝\n"
    )
    assert talk.title == "첫 슬라이드"


def test_the_heading_path_is_the_title_of_the_slide(talk: Document) -> None:
    assert [block.heading_path for block in talk.blocks] == [*[("첫 슬라이드",)] * 4, ("Slide 2",), ("끝",)]


def test_every_block_knows_its_slide_and_where_on_it(talk: Document) -> None:
    pages: dict[int, str] = {}
    for block in talk.blocks:
        assert isinstance(block.place, PagePlace)
        pages.setdefault(block.place.page, talk.source_text[talk.source_text.index(block.text) :])
        text = pages[block.place.page]
        assert text[block.place.char_start : block.place.char_end] == block.text
    assert list(pages) == [1, 2, 3]


def test_a_hidden_slide_is_kept_with_a_warning(talk: Document) -> None:
    assert talk.warnings == ("slide 2 is hidden",)


def test_slides_come_in_the_order_they_are_shown() -> None:
    slides = [slide(shape("title", f"s{number}")) for number in (1, 2, 3)]
    assert [block.text for block in parse(pptx(slides, order=[3, 1, 2])).blocks] == ["# s3", "# s1", "# s2"]


def test_lists_of_two_slides_stay_apart() -> None:
    document = parse(pptx([slide(shape("body", "a")), slide(shape("body", "b"))]))
    assert [(block.text, block.place) for block in document.blocks] == [
        ("- a", PagePlace(1, 0, 3)),
        ("- b", PagePlace(2, 0, 3)),
    ]


def test_a_table_is_rows_and_the_number_of_the_slide_is_no_text() -> None:
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    rows = "".join(f"<a:tr>{cell.format(a)}{cell.format(b)}</a:tr>" for a, b in (("이름", "수"), ("배", "3")))
    field = '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp>'
    frame = (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    document = parse(pptx([slide(frame + field)]))
    assert [(block.kind, block.text) for block in document.blocks] == [("table", "| 이름 | 수 |\n| 배 | 3 |")]


def test_a_slide_that_is_broken_leaves_the_others() -> None:
    document = parse(pptx([slide(shape("title", "a")), "<p:sld", slide(shape("title", "c"))]))
    assert document.source_text == "# a\n\n# c\n"
    assert [block.place.page for block in document.blocks if isinstance(block.place, PagePlace)] == [1, 3]
    assert any("slide2.xml left out" in warning for warning in document.warnings)


def test_a_target_outside_is_not_followed_even_to_a_part_that_is_there() -> None:
    raw = pptx([slide(shape("title", "a")), slide(shape("title", "b"))])
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    name = "ppt/_rels/presentation.xml.rels"
    parts[name] = parts[name].replace(
        b'Target="slides/slide1.xml"', b'Target="slides/slide1.xml" TargetMode="External"'
    )
    assert parse(archive(parts)).source_text == "# b\n"


def test_a_text_box_on_a_page_of_notes_is_read() -> None:
    raw = pptx([slide(shape("title", "a"))], {1: "천천히"})
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    name = "ppt/notesSlides/n1.xml"
    parts[name] = parts[name].replace(
        b"</p:spTree>", shape("", "box").encode() + shape("hdr", "x").encode() + b"</p:spTree>"
    )
    assert parse(archive(parts)).source_text == "# a\n\nNotes: 천천히\nbox\n"


def test_every_diagram_of_a_slide_is_read_and_charts_by_their_titles() -> None:
    raw = pptx([slide(shape("title", "a"))])
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        parts: dict[str, str | bytes] = {name: file.read(name) for name in file.namelist()}
    linked = [("diagramData", "../d1.xml"), ("diagramData", "../d2.xml"), ("chart", "../c1.xml")]
    parts["ppt/slides/_rels/slide1.xml.rels"] = rels(*linked)
    for name, words in (("d1", "첫 그림"), ("d2", "둘째 그림"), ("c1", "매출 차트")):
        parts[f"ppt/{name}.xml"] = f"<x {P}><a:p><a:r><a:t>{words}</a:t></a:r></a:p></x>"
    assert parse(archive(parts)).source_text == "# a\n\n첫 그림\n\n둘째 그림\n\n매출 차트\n"
