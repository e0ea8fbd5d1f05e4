from collections.abc import Callable

import pytest

from kebab.chunk.headings import HeadingChunker
from kebab.core.chunk import ChunkPolicy
from kebab.core.document import Document
from kebab.parse.office import DocxParser
from office_samples import XML, W, check, docx, para, read, rels


@pytest.fixture
def parse() -> Callable[..., Document]:
    def run(body: str, parts: dict[str, str | bytes] | None = None, title: str = "") -> Document:
        document = read(DocxParser(), docx(body, parts, title), "reports/분기 보고.docx")
        check(document)
        return document

    return run


Parse = Callable[..., Document]


def shapes(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in document.blocks]


def test_headings_come_from_styles_whatever_their_ids_and_parents(parse: Parse) -> None:
    document = parse(para("1장", "1") + para("가") + para("1.1절", "my2") + para("나") + para("2장", "1") + para("다"))
    assert document.source_text == "# 1장\n\n가\n\n## 1.1절\n\n나\n\n# 2장\n\n다\n"
    assert [block.heading_path for block in document.blocks] == [
        ("1장",),
        ("1장",),
        ("1장", "1.1절"),
        ("1장", "1.1절"),
        ("2장",),
        ("2장",),
    ]
    assert dict(document.blocks[2].payload) == {"level": 2, "text": "1.1절"}


def test_an_outline_level_of_the_paragraph_itself_counts(parse: Parse) -> None:
    body = '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>deep</w:t></w:r></w:p>'
    assert parse(body).source_text == "### deep\n"


def test_each_section_is_a_chunk_of_its_own(parse: Parse) -> None:
    chunks = HeadingChunker().chunk(parse(para("A", "1") + para("one") + para("B", "1") + para("two")), ChunkPolicy())
    assert [(chunk.text, chunk.heading_path) for chunk in chunks] == [("# A\n\none", ("A",)), ("# B\n\ntwo", ("B",))]


def test_items_of_a_list_are_one_block_and_keep_their_depth(parse: Parse) -> None:
    deep = '<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p>'
    assert shapes(parse(para("a", "a") + deep + para("c", "a"))) == [("list", "- a\n  - b\n- c")]


def test_a_table_is_rows_and_a_bar_in_a_cell_is_escaped(parse: Parse) -> None:
    cell = "<w:tc><w:tcPr>{}</w:tcPr>{}</w:tc>"
    rows = "<w:tr>" + cell.format("", para("a")) + cell.format("", para("b|c") + para("d")) + "</w:tr>"
    rows += "<w:tr>" + cell.format('<w:gridSpan w:val="2"/>', para("wide")) + "</w:tr>"
    document = parse(f"<w:tbl>{rows}</w:tbl>")
    assert shapes(document) == [("table", "| a | b\\|c d |\n| wide |  |")]
    assert dict(document.blocks[0].payload) == {"headers": ["a", "b\\|c d"], "rows": 1}


def test_a_table_in_a_table_is_told_in_its_cell(parse: Parse) -> None:
    def table(*cells: str) -> str:
        return "<w:tbl><w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr></w:tbl>"

    assert shapes(parse(table(para("x"), table(para("1"), para("2"))))) == [("table", "| x | 1, 2 |")]
    # One cell around a text is a frame.
    assert shapes(parse(table(para("제목", "1") + para("글")))) == [("heading", "# 제목"), ("paragraph", "글")]


def test_deleted_text_goes_and_inserted_text_stays(parse: Parse) -> None:
    body = para(
        "a",
        inside="<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>b</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>",
    )
    row = "<w:tr>{}<w:tc>" + para("{}") + "</w:tc><w:tc>" + para("2") + "</w:tc></w:tr>"
    body += f"<w:tbl>{row.format('', 'kept')}{row.format('<w:trPr><w:del/></w:trPr>', 'struck')}</w:tbl>"
    assert parse(body).source_text == "ab\n\n| kept | 2 |\n"


def test_a_text_box_follows_its_paragraph_and_counts_once(parse: Parse) -> None:
    box = "<wps:txbx><w:txbxContent>" + para("in the box") + "</w:txbxContent></wps:txbx>"
    twice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    drawing = f"<w:r><mc:AlternateContent>{twice}</mc:AlternateContent></w:r>"
    assert parse(para("제목", "1", drawing)).source_text == "# 제목\n\nin the box\n"


def test_hidden_text_headers_and_contents_lists_are_left_out(parse: Parse) -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:t>seen</w:t></w:r>"
    document = parse(para("1장 ..... 3", "TOC1") + para("", inside=hidden))
    assert document.source_text == "seen\n"


def test_notes_and_comments_stand_at_the_end(parse: Parse) -> None:
    note = f'<w:footnote w:id="-1">{para("")}</w:footnote><w:footnote w:id="2">{para("각주 글")}</w:footnote>'
    said = f'<w:comment w:id="0" w:author="이영희">{para("왜요?")}</w:comment>'
    document = parse(
        para("본문", inside='<w:r><w:footnoteReference w:id="2"/></w:r>'),
        {
            "word/footnotes.xml": f"{XML}<w:footnotes {W}>{note}</w:footnotes>",
            "word/comments.xml": f"{XML}<w:comments {W}>{said}</w:comments>",
        },
    )
    assert document.source_text == "본문[^2]\n\n# Notes\n\n[^2] 각주 글\n\nComment by 이영희: 왜요?\n"
    assert document.blocks[-1].heading_path == ("Notes",)


def test_tabs_breaks_and_spaces_are_kept(parse: Parse) -> None:
    body = "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>"
    assert parse(body).source_text == "a\tb\nc-d\n"


@pytest.mark.parametrize(
    ("given", "title"),
    [("분기 실적", "분기 실적"), ("Microsoft Word - a.doc", "1장"), ("제목 없음", "1장"), ("", "1장")],
)
def test_the_title_is_the_property_if_sane_else_the_first_heading(parse: Parse, given: str, title: str) -> None:
    assert parse(para("1장", "1"), title=given).title == title


def test_without_title_and_heading_the_file_name_serves(parse: Parse) -> None:
    assert parse(para("text")).title == "분기 보고.docx"


def test_dates_and_people_come_from_the_properties(parse: Parse) -> None:
    metadata = parse(para("text")).metadata
    assert (metadata.created_at, metadata.updated_at) == ("2021-03-04T05:06:07Z", "2022-03-04T05:06:07Z")
    assert metadata.user == {"author": "김철수"}


def test_a_broken_part_beside_the_text_is_a_warning(parse: Parse) -> None:
    document = parse(para("text", "1"), {"word/styles.xml": "<w:styles"})
    assert document.source_text == "text\n"
    assert any("word/styles.xml left out" in warning for warning in document.warnings)


def test_the_strict_form_and_other_part_names_are_read_too(parse: Parse) -> None:
    strict = f"{XML}<d:document xmlns:d='http://purl.oclc.org/ooxml/wordprocessingml/main'><d:body>{{}}</d:body></d:document>"
    parts = {
        "_rels/.rels": rels(("officeDocument", "/word/document2.xml")),
        "word/document2.xml": strict.format(para("strict").replace("w:", "d:")),
    }
    assert parse("", parts).source_text == "strict\n"


def test_a_file_without_words_is_an_empty_document_with_a_warning(parse: Parse) -> None:
    document = parse("")
    assert (document.source_text, document.blocks) == ("", ())
    assert document.warnings == ("no text was found in it",)


WEB = "<html><body><h2>제목</h2><p>붙여 넣은 글</p></body></html>"


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        (WEB.encode(), "## 제목\n\n붙여 넣은 글\n"),
        (
            b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
            b"Content-Type: text/html; charset=utf-8\r\n\r\n" + WEB.encode() + b"\r\n--b--",
            "## 제목\n\n붙여 넣은 글\n",
        ),
        (b"one\n\ntwo", "one\n\ntwo\n"),
    ],
)
def test_a_page_in_place_of_text_is_read_where_it_stands(parse: Parse, pasted: bytes, text: str) -> None:
    parts = {"word/_rels/document.xml.rels": rels(("aFChunk", "a.bin")), "word/a.bin": pasted}
    chunk = '<w:altChunk r:id="rId1"/>'
    document = parse(para("before") + chunk + chunk + para("after"), parts)
    assert document.source_text == f"before\n\n{text}\nafter\n"


def test_another_document_in_place_of_text_is_named(parse: Parse) -> None:
    parts = {"word/_rels/document.xml.rels": rels(("aFChunk", "a.docx")), "word/a.docx": docx(para("inside"))}
    document = parse('<w:altChunk r:id="rId1"/><w:altChunk r:id="rId9"/>' + para("after"), parts)
    assert document.source_text == "after\n"
    assert document.warnings == ("word/a.docx left out: a file of another format inside",)
