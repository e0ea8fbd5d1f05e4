"""Office files written by hand, part by part, as Word, LibreOffice and Hancom write them; the same each time."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping

from kebab.core.asset import Asset
from kebab.core.document import Document
from kebab.core.errors import KebabError, LeftAside
from kebab.core.ids import asset_id, content_hash
from kebab.core.ports import ParseContext, Parser
from kebab.core.text import split_lines

DOCUMENT = "a document"
MOMENT = "2020-01-01T00:00:00Z"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OOXML = "http://schemas.openxmlformats.org/"
RELS = f"{OOXML}officeDocument/2006/relationships/"
W = (
    f'xmlns:w="{OOXML}wordprocessingml/2006/main" xmlns:r="{RELS[:-1]}" xmlns:mc="{OOXML}markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
P = f'xmlns:a="{OOXML}drawingml/2006/main" xmlns:p="{OOXML}presentationml/2006/main" xmlns:r="{RELS[:-1]}"'
X = f'xmlns="{OOXML}spreadsheetml/2006/main" xmlns:r="{RELS[:-1]}"'
ODF = "urn:oasis:names:tc:opendocument:xmlns:"
ODT = (
    f'xmlns:office="{ODF}office:1.0" xmlns:text="{ODF}text:1.0" xmlns:table="{ODF}table:1.0" '
    f'xmlns:draw="{ODF}drawing:1.0" xmlns:meta="{ODF}meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
HANCOM = "http://www.hancom.co.kr/hwpml/2011/"
HP = f'xmlns:hp="{HANCOM}paragraph" xmlns:hs="{HANCOM}section" xmlns:hh="{HANCOM}head"'

STYLES = (
    f"{XML}<w:styles {W}>"
    '<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/>'
    '<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 2"/><w:basedOn w:val="1"/>'
    '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="my2"><w:name w:val="My own"/><w:basedOn w:val="2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="a"><w:name w:val="List Bullet"/>'
    '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>'
)


def read(parser: Parser, raw: bytes, path: str = "files/a file.bin", media: str = "office") -> Document:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), media, path, f"file:///{path}", MOMENT)
    return parser.parse(raw, ParseContext(asset, path, MOMENT, MOMENT, None, None))


def outcome(parser: Parser, raw: bytes) -> str:
    """What came of a file: a document, checked for what it promises, or the message of the refusal."""
    try:
        document = read(parser, raw)
    except (KebabError, LeftAside) as refused:
        return refused.message
    check(document)
    return DOCUMENT


def check(document: Document) -> None:
    """Blocks are whole lines, in order, and every line with a word is in one."""
    lines = split_lines(document.source_text)
    following = 1
    for block in document.blocks:
        assert block.text == "\n".join(lines[block.span.start - 1 : block.span.end])
        assert not any(line.strip() for line in lines[following - 1 : block.span.start - 1])
        following = block.span.end + 1
    assert not any(line.strip() for line in lines[following - 1 :])
    json.dumps([document.source_text, document.title], ensure_ascii=False).encode()


def survives(parser: Parser, raw: bytes) -> None:
    """Whatever is done to the file, it is a document or is refused in one line."""
    for bad in damaged(raw):
        found = outcome(parser, bad)
        assert "\n" not in found
        assert 0 < len(found) < 200


def damaged(raw: bytes, cuts: int = 40, flips: int = 100) -> Iterator[bytes]:
    """The file cut off at points all over it, and with single bits turned."""
    yield from (raw[: len(raw) * cut // cuts] for cut in range(cuts))
    for number in range(flips):
        at = (number * 7919 + 13) % len(raw)
        yield raw[:at] + bytes([raw[at] ^ (1 << number % 8)]) + raw[at + 1 :]


def archive(parts: Mapping[str, str | bytes], stored: tuple[str, ...] = ("mimetype",)) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            file.writestr(info, data)
    return made.getvalue()


def rels(*links: tuple[str, str], external: str = "") -> str:
    """Relationships of kind and target, with the ids rId1, rId2 and so on."""
    found = "".join(
        f'<Relationship Id="rId{n}" Type="{RELS}{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(links, 1)
    )
    if external:
        found += f'<Relationship Id="rIdX" Type="{RELS}hyperlink" Target="{external}" TargetMode="External"/>'
    return f'{XML}<Relationships xmlns="{OOXML}package/2006/relationships">{found}</Relationships>'


def core(title: str = "") -> str:
    return (
        f'{XML}<cp:coreProperties xmlns:cp="{OOXML}package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{title}</dc:title><dc:creator>김철수</dc:creator>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2021-03-04T05:06:07Z</dcterms:created>'
        f'<dcterms:modified xsi:type="dcterms:W3CDTF">2022-03-04T05:06:07Z</dcterms:modified></cp:coreProperties>'
    )


def package(main: str, parts: Mapping[str, str | bytes], title: str = "") -> bytes:
    root = rels(("officeDocument", main)).replace(
        "</Relationships>",
        f'<Relationship Id="rId9" Type="{OOXML}package/2006/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>',
    )
    types = f'{XML}<Types xmlns="{OOXML}package/2006/content-types"/>'
    return archive({"[Content_Types].xml": types, "_rels/.rels": root, "docProps/core.xml": core(title), **parts})


def para(text: str, style: str = "", inside: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{look}<w:r><w:t xml:space="preserve">{text}</w:t></w:r>{inside}</w:p>'


def docx(body: str, parts: Mapping[str, str | bytes] | None = None, title: str = "") -> bytes:
    links = rels(
        ("styles", "styles.xml"),
        ("footnotes", "footnotes.xml"),
        ("comments", "comments.xml"),
        external="http://203.0.113.1/remote.png",
    )
    found = {
        "word/document.xml": f"{XML}<w:document {W}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/_rels/document.xml.rels": links,
        "word/styles.xml": STYLES,
        "word/header1.xml": f"{XML}<w:hdr {W}>{para('in every header')}</w:hdr>",
    }
    return package("word/document.xml", {**found, **(parts or {})}, title)


def shape(holder: str, *paragraphs: str) -> str:
    place = f'<p:nvPr><p:ph type="{holder}"/></p:nvPr>' if holder else "<p:nvPr/>"
    words = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return f"<p:sp><p:nvSpPr>{place}</p:nvSpPr><p:txBody><a:bodyPr/>{words}</p:txBody></p:sp>"


def slide(shapes: str, attributes: str = "") -> str:
    return f"{XML}<p:sld {P}{attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"


def pptx(slides: list[str], notes: Mapping[int, str] | None = None, order: list[int] | None = None) -> bytes:
    """Slides in the order given, whatever their file names; notes by slide number."""
    order = order or list(range(1, len(slides) + 1))
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in order)
    parts: dict[str, str | bytes] = {
        "ppt/presentation.xml": f"{XML}<p:presentation {P}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": rels(
            *(("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1))
        ),
    }
    for number, text in enumerate(slides, 1):
        parts[f"ppt/slides/slide{number}.xml"] = text
        if notes and number in notes:
            parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = rels(("notesSlide", f"../notesSlides/n{number}.xml"))
            said = shape("sldNum", str(number)) + shape("body", notes[number])
            parts[f"ppt/notesSlides/n{number}.xml"] = (
                slide(said).replace("p:sld ", "p:notes ").replace("p:sld>", "p:notes>")
            )
    return package("ppt/presentation.xml", parts)


def xlsx(sheets: Mapping[str, str], strings: list[str], hidden: tuple[str, ...] = (), workbook: str = "") -> bytes:
    """Sheets by name, each as its rows; cell styles: 1 is a date, 2 a date with time, 3 a percentage.

    4 and 5 are lengths of time, 6 is a date with a time to parts of a second.
    """
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" state="{"hidden" if name in hidden else "visible"}" r:id="rId{n}"/>'
        for n, name in enumerate(sheets, 1)
    )
    count = len(sheets)
    links = [("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, count + 1)]
    shared = "".join(f"<si><t>{text}</t></si>" for text in strings)
    parts: dict[str, str | bytes] = {
        "xl/workbook.xml": f"{XML}<workbook {X}>{workbook}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": rels(*links, ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")),
        "xl/sharedStrings.xml": f"{XML}<sst {X}>{shared}</sst>",
        "xl/styles.xml": f"{XML}<styleSheet {X}>"
        '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/>'
        '<numFmt numFmtId="165" formatCode="[hh]:mm;@"/>'
        '<numFmt numFmtId="166" formatCode="yyyy/mm/dd hh:mm:ss.000"/></numFmts>'
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>'
        '<xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="46"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>'
        "</styleSheet>",
    }
    for number, rows in enumerate(sheets.values(), 1):
        parts[f"xl/worksheets/sheet{number}.xml"] = f"{XML}<worksheet {X}><sheetData>{rows}</sheetData></worksheet>"
    return package("xl/workbook.xml", parts)


def odt(body: str, title: str = "보고서") -> bytes:
    meta = (
        f"{XML}<office:document-meta {ODT}><office:meta><dc:title>{title}</dc:title>"
        "<meta:creation-date>2021-03-04T05:06:07.123456789</meta:creation-date>"
        "<meta:initial-creator>김철수</meta:initial-creator></office:meta></office:document-meta>"
    )
    text = f"<office:body><office:text>{body}</office:text></office:body>"
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{XML}<office:document-content {ODT}>{text}</office:document-content>",
            "meta.xml": meta,
            "META-INF/manifest.xml": f'{XML}<m:manifest xmlns:m="{ODF}manifest:1.0"/>',
        }
    )


def hp(text: str, style: int = 0, inside: str = "") -> str:
    return f'<hp:p id="0" styleIDRef="{style}"><hp:run charPrIDRef="0"><hp:t>{text}</hp:t>{inside}</hp:run></hp:p>'


def hwpx(*sections: str) -> bytes:
    parts = {
        f"Contents/section{n}.xml": f"{XML}<hs:sec {HP}>{body}</hs:sec>"
        for n, body in reversed(list(enumerate(sections)))
    }
    outline = (
        f'{XML}<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:metadata><opf:title>업무 보고</opf:title>'
        '<opf:meta name="creator" content="text">홍길동</opf:meta>'
        '<opf:meta name="CreatedDate" content="text">2023-01-02T03:04:05Z</opf:meta></opf:metadata></opf:package>'
    )
    styles = '<hh:style id="0" name="바탕글" engName="Normal"/><hh:style id="2" name="개요 1" engName="Outline 1"/>'
    return archive(
        {
            "mimetype": "application/hwp+zip",
            "Contents/content.hpf": outline,
            "Contents/header.xml": f"{XML}<hh:head {HP}><hh:styles>{styles}</hh:styles></hh:head>",
            "Preview/PrvText.txt": "the preview",
            **parts,
        }
    )
