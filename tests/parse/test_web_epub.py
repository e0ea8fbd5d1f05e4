import pytest

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.parse.web import EpubParser
from kebab.parse.web import epub as module
from office_samples import archive, check, outcome, read, survives

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://203.0.113.1/ncx-2005-1.dtd"><ncx><navMap><navPoint>'
    '<navLabel><text>머리말</text></navLabel><content src="text/1%20a.xhtml#top"/></navPoint></navMap></ncx>'
)
NAV = '<html><body><nav><ol><li><a href="text/1%20a.xhtml">머리말</a></li></ol></nav></body></html>'


def epub(chapters: dict[str, str], contents: str = "ncx", extra: dict[str, str | bytes] | None = None) -> bytes:
    """Chapters by path, in reading order; the manifest lists them the other way round."""
    items = [f'<item id="c{n}" href="{path.replace(" ", "%20")}"/>' for n, path in enumerate(chapters)]
    items.append('<item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
    if contents == "nav":
        items = [*items[:-1], '<item id="toc" href="nav.xhtml" properties="nav"/>']
    spine = "".join(f'<itemref idref="{each}"/>' for each in ["toc", *(f"c{n}" for n in range(len(chapters)))])
    said = "<dc:title>우리 책</dc:title><dc:creator>홍길동</dc:creator><dc:date>2019-05-06</dc:date>"
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        f"{said}</metadata><manifest>{''.join(reversed(items))}</manifest><spine>{spine}</spine></package>"
    )
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package,
        "OEBPS/toc.ncx" if contents == "ncx" else "OEBPS/nav.xhtml": NCX if contents == "ncx" else NAV,
        **{f"OEBPS/{path}": text for path, text in chapters.items()},
        **(extra or {}),
    }
    return archive(parts)


CHAPTERS = {
    "text/1 a.xhtml": '<?xml version="1.0"?><html><title/><script src="x"/><body><p>시작하는 글</p></body>',
    "text/2.xhtml": "<html><body><h2>1장</h2><p>글</p><h3>1절</h3><p>더</p></body></html>",
    "text/0.xhtml": "<html><body><h2>2장</h2><p>끝</p></body></html>",
}


def parse(raw: bytes) -> Document:
    document = read(EpubParser(), raw, "books/a.epub", "epub")
    check(document)
    return document


@pytest.mark.parametrize("contents", ["nav", "ncx"])
def test_chapters_come_in_reading_order_with_names_of_the_contents(contents: str) -> None:
    document = parse(epub(CHAPTERS, contents))
    assert document.source_text == "# 머리말\n\n시작하는 글\n\n## 1장\n\n글\n\n### 1절\n\n더\n\n## 2장\n\n끝\n"
    assert [block.heading_path for block in document.blocks[1::2]] == [("머리말",), ("1장",), ("1장", "1절"), ("2장",)]


def test_a_chapter_that_begins_with_its_name_has_it_once() -> None:
    chapter = "<html><body><p class='h'><span>머리말</span></p><p>시작하는 글</p><p>머리말</p></body></html>"
    assert parse(epub({"text/1 a.xhtml": chapter})).source_text == "# 머리말\n\n시작하는 글\n\n머리말\n"


def test_the_book_says_who_wrote_it_and_when() -> None:
    document = parse(epub(CHAPTERS))
    assert (document.title, document.metadata.created_at) == ("우리 책", "2019-05-06T00:00:00Z")
    assert document.metadata.user == {"author": "홍길동"}


def encryption(method: str) -> dict[str, str | bytes]:
    found = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
        f'<e:EncryptionMethod Algorithm="{method}"/><e:CipherData><e:CipherReference URI="OEBPS/text/2.xhtml"/>'
        "</e:CipherData></e:EncryptedData></encryption>"
    )
    return {"META-INF/encryption.xml": found}


def test_a_protected_book_is_explained_and_scrambled_fonts_are_none() -> None:
    with pytest.raises(InvalidInput, match="its chapters are encrypted"):
        parse(epub(CHAPTERS, extra=encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")))
    assert parse(epub(CHAPTERS, extra=encryption("http://www.idpf.org/2008/embedding"))).blocks


def test_of_a_chapter_without_end_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAGE", 1000)
    document = parse(epub({"a.xhtml": "<p>words that begin it</p>" + "<p>more</p>" * 100_000}))
    assert document.source_text.startswith("words that begin it\n")
    assert document.warnings == ("chapter OEBPS/a.xhtml is too long: only its first part is read",)


def test_a_missing_chapter_is_a_warning() -> None:
    raw = epub(CHAPTERS)
    document = parse(raw.replace(b"text/2.xhtml", b"text/9.xhtml"))
    assert document.warnings == ("chapter OEBPS/text/2.xhtml is missing",)
    assert "끝" in document.source_text


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"a": ""}, "it has no META-INF/container.xml"),
        ({"META-INF/container.xml": "<x/>"}, "it names no description of the book"),
        ({"META-INF/container.xml": CONTAINER}, "it has no OEBPS/book.opf"),
        ({"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": "<x/>"}, "it holds no chapters"),
        ({"META-INF/container.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x/>'}, "declares"),
    ],
)
def test_what_is_no_book_is_explained(parts: dict[str, str | bytes], why: str) -> None:
    assert why in outcome(EpubParser(), archive(parts))


def test_damage_of_any_kind_ends_well() -> None:
    survives(EpubParser(), epub(CHAPTERS))
