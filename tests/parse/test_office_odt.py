import pytest

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.parse.office import HwpxParser, OdtParser
from office_samples import HP, ODF, XML, archive, check, hp, hwpx, odt, outcome, read


def text_of(body: str) -> str:
    return written(body).source_text


def written(body: str) -> Document:
    document = read(OdtParser(), odt(body), "a.odt")
    check(document)
    return document


def test_headings_paragraphs_and_spaces_are_read() -> None:
    body = '<text:h text:outline-level="2">소 제목</text:h>'
    body += '<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>'
    document = written(body + "<text:p>one\n   line</text:p>")
    assert document.source_text == "## 소 제목\n\na   b\tc\nd\n\none line\n"
    assert (document.title, document.metadata.created_at) == ("보고서", "2021-03-04T05:06:07.123Z")
    assert document.metadata.user == {"author": "김철수"}


def test_lists_nest() -> None:
    inner = "<text:list><text:list-item><text:p>속</text:p></text:list-item></text:list>"
    body = f"<text:list><text:list-item><text:p>하나</text:p>{inner}</text:list-item></text:list>"
    assert text_of(body) == "- 하나\n  - 속\n"


def test_tables_boxes_and_notes_are_read() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    table = f"<table:table><table:table-row>{cell.format(1)}{cell.format(2)}</table:table-row></table:table>"
    note = "<text:note><text:note-citation>1</text:note-citation>"
    note += "<text:note-body><text:p>각주</text:p></text:note-body></text:note>"
    box = "<draw:frame><draw:text-box><text:p>상자</text:p></draw:text-box></draw:frame>"
    assert text_of(f"<text:p>글{note}{box}</text:p>{table}") == "글[^1]\n\n상자\n\n| 1 | 2 |\n\n# Notes\n\n[^1] 각주\n"


def test_deleted_text_and_contents_lists_are_left_out() -> None:
    gone = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion>"
    gone += "</text:changed-region></text:tracked-changes>"
    contents = (
        "<text:table-of-content><text:index-body><text:p>1장 3</text:p></text:index-body></text:table-of-content>"
    )
    assert text_of(f"{gone}{contents}<text:p>kept</text:p>") == "kept\n"


@pytest.mark.parametrize("kind", ["odt", "hwpx"])
def test_an_encrypted_file_is_explained(kind: str) -> None:
    manifest = (
        f'{XML}<m:manifest xmlns:m="{ODF}manifest:1.0"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    )
    raw = archive({"META-INF/manifest.xml": manifest, "content.xml": b"\x01", "Contents/section0.xml": b"\x02"})
    with pytest.raises(InvalidInput, match=f"not a readable {kind}: it is encrypted") as refused:
        read(OdtParser() if kind == "odt" else HwpxParser(), raw)
    assert refused.value.hint == "save a copy without a password"


def hancom(*sections: str) -> Document:
    document = read(HwpxParser(), hwpx(*sections), "a.hwpx")
    check(document)
    return document


def test_sections_of_a_hancom_file_come_in_order_with_outline_headings() -> None:
    document = hancom(hp("개요 제목", 2) + hp("본문"), *[hp(f"구역 {n}") for n in range(1, 11)])
    assert document.source_text.startswith("# 개요 제목\n\n본문\n\n구역 1\n\n구역 2\n")
    assert document.source_text.endswith("구역 9\n\n구역 10\n")
    assert document.blocks[1].heading_path == ("개요 제목",)
    assert document.title == "업무 보고"
    assert document.metadata.created_at == "2023-01-02T03:04:05Z"
    assert document.metadata.user == {"author": "홍길동"}


def test_a_hancom_table_follows_the_paragraph_that_holds_it() -> None:
    def row(*cells: str) -> str:
        return "<hp:tr>" + "".join(f"<hp:tc><hp:subList>{hp(cell)}</hp:subList></hp:tc>" for cell in cells) + "</hp:tr>"

    table = f"<hp:tbl>{row('가', '나')}{row('1', '2')}</hp:tbl>"
    assert hancom(hp("표:", inside=table) + hp("끝")).source_text == "표:\n\n| 가 | 나 |\n| 1 | 2 |\n\n끝\n"


def test_marks_within_hancom_text_and_what_stands_beside_it() -> None:
    def beside(name: str, text: str) -> str:
        return f"<hp:ctrl><hp:{name}><hp:subList>{hp(text)}</hp:subList></hp:{name}></hp:ctrl>"

    body = hp("a<hp:tab/>b<hp:lineBreak/>c", inside=beside("header", "머리말") + beside("footNote", "각주"))
    box = hp("앞", inside=f"<hp:rect><hp:drawText><hp:subList>{hp('상자')}</hp:subList></hp:drawText></hp:rect>")
    assert hancom(body + box).source_text == "a\tb\nc[^1]\n\n앞\n\n상자\n\n# Notes\n\n[^1] 각주\n"


def test_text_deleted_under_review_is_left_out_of_a_hancom_file() -> None:
    assert hancom(hp("a<hp:deleteBegin/>gone<hp:deleteEnd/>b")).source_text == "ab\n"


def test_a_broken_part_beside_the_text_of_a_hancom_file_is_a_warning() -> None:
    raw = archive({"Contents/header.xml": "<x", "Contents/section0.xml": f"<hs:sec {HP}>{hp('글', 2)}</hs:sec>"})
    document = read(HwpxParser(), raw)
    assert document.source_text == "글\n"
    assert document.warnings == ("Contents/header.xml left out: Contents/header.xml is not well-formed XML (line 1)",)


def test_an_archive_without_sections_is_explained() -> None:
    assert outcome(HwpxParser(), archive({"mimetype": "x"})) == "not a readable hwpx: it holds no sections"
