import socket
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from kebab.core.ports import Parser
from kebab.parse import flow
from kebab.parse.office import DocxParser, HwpxParser, OdtParser, PptxParser, XlsxParser
from office_samples import (
    DOCUMENT,
    W,
    X,
    archive,
    docx,
    hp,
    hwpx,
    odt,
    outcome,
    para,
    pptx,
    read,
    shape,
    slide,
    survives,
    xlsx,
)

SAMPLES: dict[str, tuple[Parser, bytes]] = {
    "docx": (
        DocxParser(),
        docx(para("제목", "1") + para("본문") + f"<w:tbl><w:tr><w:tc>{para('a')}</w:tc></w:tr></w:tbl>"),
    ),
    "pptx": (PptxParser(), pptx([slide(shape("title", "제목") + shape("body", "a", "b"))], {1: "말할 것"})),
    "xlsx": (
        XlsxParser(),
        xlsx({"s": '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>'}, ["이름"]),
    ),
    "odt": (OdtParser(), odt('<text:h text:outline-level="1">제목</text:h><text:p>본문</text:p>')),
    "hwpx": (HwpxParser(), hwpx(hp("제목", 2) + hp("본문"))),
}
ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
LAUGHS = f'<!DOCTYPE x [<!ENTITY l0 "ha">{ENTITIES}]>'
REMOTE = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
DTD = '<!DOCTYPE x SYSTEM "http://203.0.113.1/evil.dtd">'


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("a reader opened a connection")

    monkeypatch.setattr(socket, "socket", refuse)


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_samples_themselves_are_read(kind: str) -> None:
    parser, raw = SAMPLES[kind]
    assert "제목" in read(parser, raw).source_text or kind == "xlsx"
    assert outcome(parser, raw) == DOCUMENT


@pytest.mark.parametrize("kind", SAMPLES)
def test_damage_of_any_kind_ends_well(kind: str) -> None:
    survives(*SAMPLES[kind])


@pytest.mark.parametrize("kind", SAMPLES)
def test_random_bytes_are_refused_in_one_line(kind: str) -> None:
    parser = SAMPLES[kind][0]
    for raw in (
        b"",
        b"\x00" * 100,
        b"PK\x03\x04" + b"x" * 50,
        b"PK\x05\x06" + bytes(18),
        b"plain text",
        bytes(range(256)),
    ):
        assert outcome(parser, raw).startswith(f"not a readable {kind}: ")


@pytest.mark.parametrize("declared", [LAUGHS, REMOTE, DTD])
@pytest.mark.parametrize("use", ["&l9;", "&f;", ""])
def test_entities_and_document_types_are_refused(declared: str, use: str) -> None:
    body = f"<w:body>{para(use)}</w:body>"
    raw = docx("", {"word/document.xml": f"{declared}<w:document {W}>{body}</w:document>"})
    assert outcome(DocxParser(), raw) == (
        "not a readable docx: word/document.xml declares a document type, which no document needs"
    )


def test_entities_in_a_part_beside_the_text_cost_only_that_part() -> None:
    document = read(XlsxParser(), xlsx({"s": '<row><c t="inlineStr"><is><t>kept</t></is></c></row>'}, []))
    assert "kept" in document.source_text
    parts = {"docProps/core.xml": f"{REMOTE}<a>&f;</a>"}
    document = read(DocxParser(), docx(para("text"), parts))
    assert document.source_text == "text\n"
    assert "declares a document type" in document.warnings[0]


@pytest.mark.parametrize("element", ["w:p", "w:tbl", "w:tc", "w:txbxContent", "w:tr", "w:r"])
def test_nesting_beyond_any_document_is_refused(element: str) -> None:
    deep = f"<{element}>" * 100_000 + f"</{element}>" * 100_000
    assert "nested more than" in outcome(DocxParser(), docx(deep))


@pytest.mark.parametrize(
    "level",
    ["<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", "<w:p><w:txbxContent>{}</w:txbxContent></w:p>", "<w:p>{}</w:p>"],
)
def test_nesting_within_the_limit_loses_no_word(level: str) -> None:
    opened, _, closed = level.partition("{}")
    inner = "".join(para(f"w{n}") for n in range(200))
    text = read(DocxParser(), docx(opened * 300 + inner + closed * 300)).source_text
    assert all(f"w{n}" in text for n in range(200))


def test_elements_in_places_they_do_not_belong_make_a_document() -> None:
    names = ["w:p", "w:tbl", "w:tr", "w:tc", "w:txbxContent", "w:r", "w:t", "w:numId", "w:trPr", "w:del", "w:vanish"]
    for step in range(1, 30):
        chosen = [names[at * step * 7 % len(names)] for at in range(40)]
        body = "".join(f'<{name} w:val="1">x' for name in chosen) + "".join(f"</{name}>" for name in reversed(chosen))
        assert outcome(DocxParser(), docx(body)) == DOCUMENT


def test_markup_of_unreasonable_length_is_refused() -> None:
    raw = docx(f'<w:p w:x="{"".join(map(str, range(900_000)))}"/>')
    assert "unreasonable length" in outcome(DocxParser(), raw)


def test_text_beyond_the_limit_is_left_out_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "MAX_TEXT", 1000)
    made: dict[str, Callable[[str], bytes]] = {
        "docx": lambda words: docx(para(words) * 50),
        "odt": lambda words: odt(f"<text:p>{words}</text:p>" * 50),
        "hwpx": lambda words: hwpx(hp(words) * 50, hp(words)),
        "pptx": lambda words: pptx([slide(shape("title", words))] * 50),
    }
    for kind, make in made.items():
        document = read(SAMPLES[kind][0], make("가나다라 " * 20))
        assert 900 < len(document.source_text) < 1300
        assert document.warnings == ("the text is too long: what follows the first part of it is left out",)


def test_a_wrong_kind_of_office_file_is_refused() -> None:
    empty = f'<x:workbook xmlns:x="a" {X}/>'
    assert outcome(XlsxParser(), archive({"xl/workbook.xml": empty})) == (
        "not a readable xlsx: it holds no document of that kind"
    )
