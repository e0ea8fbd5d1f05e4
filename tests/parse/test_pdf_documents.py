"""PDFs to documents through the real reader: what a person sees on a page is what the document says of that page."""

import functools
from collections.abc import Callable, Iterator

import pytest

import pdf_samples
from kebab.core.asset import Asset
from kebab.core.document import BlockKind, Document
from kebab.core.errors import KebabError, LeftAside, MissingExtra
from kebab.core.ids import asset_id, content_hash
from kebab.core.phases import PagePhase, Phase, PhaseKind
from kebab.core.ports import ParseContext
from kebab.core.span import PagePlace
from kebab.core.text import LineMap
from kebab.parse.pdf import OcrMode, PdfParser
from kebab.parse.pdf.fetching import Caps, ranges

MOMENT = "2020-01-01T00:00:00Z"

Parse = Callable[..., Document]


def context(raw: bytes, path: str) -> ParseContext:
    checksum = content_hash(raw)
    asset = Asset(asset_id(checksum), checksum, len(raw), "pdf", path, f"file:///{path}", MOMENT)
    return ParseContext(asset, path, MOMENT, MOMENT, None, None)


@pytest.fixture(scope="module")
def parser() -> Iterator[PdfParser]:
    made = PdfParser()
    yield made
    made.close()


@pytest.fixture(scope="module")
def pdf(parser: PdfParser) -> Parse:
    def run(raw: bytes, path: str = "papers/a paper.pdf", by: PdfParser = parser) -> Document:
        return by.parse(raw, context(raw, path))

    return run


def on(document: Document, page: int) -> str:
    return "\n\n".join(block.text for block in document.blocks if block.place and block.place[0] == page)


def told(document: Document) -> dict[str, object]:
    facts = document.metadata.user["pdf"]
    assert isinstance(facts, dict)
    return dict(facts)


@functools.cache
def samples() -> list[pdf_samples.Sample]:
    return pdf_samples.corpus(2)


@pytest.mark.parametrize("index", range(24))
def test_every_page_says_its_phrase_and_no_other_page_does(pdf: Parse, index: int) -> None:
    sample = samples()[index]
    document = pdf(sample.raw)
    for number, phrase in enumerate(sample.phrases, 1):
        assert {n for n in range(1, len(sample.phrases) + 1) if phrase and phrase in on(document, n)} == (
            {number} if phrase else set()
        )


@pytest.mark.parametrize("index", range(0, 24, 3))
def test_a_place_is_where_the_text_stands_on_its_page(pdf: Parse, index: int) -> None:
    document = pdf(samples()[index].raw)
    lines = LineMap(document.source_text)
    tops: dict[int, int] = {}
    for block in document.blocks:
        assert isinstance(block.place, PagePlace)
        start = lines.start_of(block.span.start)
        top = tops.setdefault(block.place.page, start - block.place.char_start)
        assert document.source_text[top + block.place.char_start : top + block.place.char_end] == block.text
        assert top == 0 or document.source_text[top - 1] == "\n"
    assert list(tops) == sorted(tops)


def test_paragraphs_are_parted_by_an_empty_line(pdf: Parse) -> None:
    text = "The first line of it\nand the second line\nand its end.\n\nAnother paragraph here\nof two lines."
    assert pdf(pdf_samples.pages(text)).source_text == text


def test_korean_is_read(pdf: Parse) -> None:
    document = pdf(pdf_samples.pages("한국어 문서를 읽는다.\n둘째 줄이다.", font=pdf_samples.KOREAN))
    assert (document.source_text, document.lang) == ("한국어 문서를 읽는다.\n둘째 줄이다.", "ko")


def test_a_word_broken_at_a_line_end_is_whole(pdf: Parse) -> None:
    document = pdf(pdf_samples.pages("A sentence about infor-\nmation that goes on\nfor a well-\nknown while."))
    assert document.source_text == "A sentence about information\nthat goes on\nfor a well-known\nwhile."


def test_a_table_is_rows(pdf: Parse) -> None:
    document = pdf(pdf_samples.table("t").raw)
    assert "r2c0  r2c1  r2c2  r2c3\nr3c0" in document.source_text
    assert document.blocks[-1].kind is BlockKind.TABLE


def test_columns_drawn_across_are_read_one_after_the_other(pdf: Parse) -> None:
    plain = pdf(pdf_samples.columns("c", 1).raw)
    assert pdf(pdf_samples.columns("c", 1, interleaved=True).raw).source_text == plain.source_text


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_seen(pdf: Parse, angle: int) -> None:
    document = pdf(pdf_samples.turned("t", angle).raw)
    assert document.source_text == f"{pdf_samples.phrase('t', 1)}\nand below it a second line\nand a third line"


def test_what_is_filled_into_a_form_is_text(pdf: Parse) -> None:
    text = pdf(pdf_samples.form("f").raw).source_text
    assert text.endswith("\n\nCustomer: marker f sheet1 stands\nagreed: Yes")


def test_what_readers_wrote_on_a_page_is_text(pdf: Parse) -> None:
    buffer, sheet = pdf_samples.canvas()
    sheet.drawString(60, 790, "The page itself says this much.")
    sheet.textAnnotation("sticky words", Rect=[100, 100, 200, 200])
    sheet.freeTextAnnotation("typed words", Rect=[100, 300, 300, 330], DA="/Helv 12 Tf 0 g")
    sheet.highlightAnnotation(
        "why it matters", Rect=[60, 780, 200, 800], QuadPoints=[60, 800, 200, 800, 60, 780, 200, 780]
    )
    sheet.linkURL("http://example.org/", (60, 700, 200, 720))
    sheet.showPage()
    text = pdf(pdf_samples.finish(buffer, sheet)).source_text
    assert text == "The page itself says this much.\n\nNote: sticky words\ntyped words\nNote: why it matters"


def test_running_headers_are_told_apart(pdf: Parse) -> None:
    document = pdf(pdf_samples.prose("m", 5, margins=True).raw)
    assert "Annual report" not in document.source_text
    assert told(document) == {"pages": 5, "headers": ["Annual report of m"], "footers": ["- # -"]}


def test_headings_come_from_the_outline(pdf: Parse) -> None:
    document = pdf(pdf_samples.prose("o", 3, outline=True).raw)
    paths = {block.place[0]: block.heading_path for block in document.blocks if block.place}
    assert paths == {number: (f"Chapter {number}",) for number in (1, 2, 3)}
    assert document.title == "Chapter 1"


def nested() -> bytes:
    buffer, sheet = pdf_samples.canvas()
    for y, level, name in ((780, 0, "One"), (650, 1, "Deep"), (500, 0, "Two")):
        sheet.bookmarkHorizontal(name, 0, y + 12)
        sheet.addOutlineEntry(name, name, level=level)
        sheet.drawString(60, y, f"{name} is here")
        sheet.drawString(60, y - 40, f"below {name.lower()}")
    sheet.showPage()
    sheet.drawString(60, 700, "the next page")
    sheet.showPage()
    return pdf_samples.finish(buffer, sheet)


def test_a_heading_holds_until_the_next(pdf: Parse) -> None:
    found = [(block.text, block.heading_path) for block in pdf(nested()).blocks]
    assert found == [
        ("One is here\nbelow one", ("One",)),
        ("Deep is here\nbelow deep", ("One", "Deep")),
        ("Two is here\nbelow two", ("Two",)),
        ("the next page", ("Two",)),
    ]


def test_facts_of_the_file_are_kept(pdf: Parse) -> None:
    buffer, sheet = pdf_samples.canvas()
    sheet.setTitle("On brown rice")
    sheet.setAuthor("Kim")
    sheet.drawString(60, 700, "some words on a page")
    document = pdf(pdf_samples.finish(buffer, sheet))
    assert document.title == "On brown rice"
    assert told(document) == {"pages": 1, "author": "Kim"}
    assert document.metadata.created_at == "2000-01-01T00:00:00Z"


def test_a_page_without_words_is_an_empty_line(pdf: Parse) -> None:
    document = pdf(pdf_samples.pages("first", "", "third"))
    assert document.source_text == "first\n\nthird"
    assert [block.place for block in document.blocks] == [PagePlace(1, 0, 5), PagePlace(3, 0, 5)]


# -- what cannot be read


def refused(pdf: Parse, raw: bytes) -> tuple[str, str, bool]:
    with pytest.raises((LeftAside, KebabError)) as caught:
        pdf(raw)
    error = caught.value
    assert "\n" not in error.message
    return getattr(error, "reason", "error"), error.message, bool(error.hint)


def test_every_refusal_says_why(pdf: Parse) -> None:
    assert refused(pdf, b"") == ("empty", "the file is empty", False)
    assert refused(pdf, b"not a pdf at all") == ("error", "the PDF is damaged, or is no PDF", True)
    encrypted = pdf_samples.encrypted("e").raw
    assert refused(pdf, encrypted) == ("encrypted", "the PDF is encrypted and needs a password", True)
    assert refused(pdf, pdf_samples.scanned("s", 3).raw) == ("scanned", "all 3 pages are pictures without text", True)
    assert refused(pdf, pdf_samples.pages("", "")) == ("empty", "the PDF holds no text", False)


def test_pages_that_are_pictures_are_named(pdf: Parse) -> None:
    document = pdf(pdf_samples.scanned("s", 5, texts={2: "the only page with words on it"}).raw)
    assert document.warnings[0].startswith("pages 1, 3-5 hold no text (scanned?).")
    assert told(document)["unread_pages"] == [1, 3, 4, 5]


def test_pages_beyond_the_cap_are_told(parser: PdfParser) -> None:
    raw = pdf_samples.pages("first page", "second page", "third page")
    capped = PdfParser(worker=parser._worker, caps=Caps(pages=2))
    document = capped.parse(raw, context(raw, "a.pdf"))
    assert document.warnings == ("only the first 2 of 3 pages were read",)
    short = PdfParser(worker=parser._worker, caps=Caps(chars=5)).parse(raw, context(raw, "a.pdf"))
    assert short.warnings == ("only the first 1 pages were read: there is too much text",)


def test_ranges_of_pages_are_written_as_a_person_does() -> None:
    assert ranges([3]) == "page 3"
    assert ranges([1, 2, 3, 7, 9, 10]) == "pages 1-3, 7, 9-10"
    assert ranges(list(range(1, 100, 2))).endswith("39, ...")


# -- pictures of pages


class ScriptedOcr:
    version = "scripted"

    def __init__(self, *, fails: bool = False) -> None:
        self.seen: list[tuple[bytes, int]] = []
        self.tries = 0
        self._fails = fails

    def read(self, image: bytes) -> list[str]:
        self.tries += 1
        if self._fails:
            raise KebabError("no eyes")
        head = image.split(b"\n", 1)[0]
        self.seen.append((head, len(image) - len(head) - 1))
        return [f"picture {len(self.seen)}", "second  line", "", "next paragraph"]


def test_pages_that_are_pictures_are_read_by_ocr(pdf: Parse, parser: PdfParser) -> None:
    ocr = ScriptedOcr()
    seeing = PdfParser(worker=parser._worker, ocr=ocr)
    document = pdf(pdf_samples.scanned("s", 3, texts={2: "the only page with words on it"}).raw, by=seeing)
    assert on(document, 1) == "picture 1\nsecond line\n\nnext paragraph"
    assert on(document, 2) == "the only page with words on it"
    assert on(document, 3).startswith("picture 2\n")
    assert document.warnings == ()
    assert ocr.seen == [(b"P5 2480 3509 255", 2480 * 3509)] * 2
    assert (seeing.version, seeing.variant) == ("pdf-text-v1", "ocr=scanned:scripted")


@pytest.mark.parametrize(("line", "read"), [("é à è ù é ê 1", True), ("a line of plain words, é 1", False)])
def test_letters_that_nobody_knows_are_read_from_the_picture(
    pdf: Parse, parser: PdfParser, line: str, read: bool
) -> None:
    raw = pdf_samples.nameless(*[line] * 8)
    ocr = ScriptedOcr()
    assert on(pdf(raw, by=PdfParser(worker=parser._worker, ocr=ocr)), 1).startswith("picture 1") is read
    assert bool(pdf(raw).warnings) is read


def test_ocr_may_read_every_page(pdf: Parse, parser: PdfParser) -> None:
    seeing = PdfParser(worker=parser._worker, ocr=ScriptedOcr(), mode=OcrMode.ALWAYS)
    document = pdf(pdf_samples.pages("some words on a page"), by=seeing)
    assert on(document, 1).startswith("picture 1\n")


def test_a_huge_page_is_drawn_small(pdf: Parse, parser: PdfParser) -> None:
    ocr = ScriptedOcr()
    pdf(pdf_samples.huge_page("h").raw, by=PdfParser(worker=parser._worker, ocr=ocr, mode=OcrMode.ALWAYS))
    assert ocr.seen[0][1] <= 25_100_000


def test_ocr_that_fails_leaves_the_rest(pdf: Parse, parser: PdfParser) -> None:
    seeing = PdfParser(worker=parser._worker, ocr=ScriptedOcr(fails=True))
    document = pdf(pdf_samples.scanned("s", 2, texts={2: "the only page with words on it"}).raw, by=seeing)
    assert document.warnings[0] == "not every page could be read from its picture: no eyes"
    assert document.warnings[1] == "page 1 holds no text that could be read"
    assert document.metadata.user["pdf"]["unread_pages"] == [1]  # type: ignore[index,call-overload]


def test_one_page_that_cannot_be_read_does_not_keep_the_others_from_it(pdf: Parse, parser: PdfParser) -> None:
    class Dazzled(ScriptedOcr):
        def read(self, image: bytes) -> list[str]:
            lines = super().read(image)
            if len(self.seen) == 1:
                raise KebabError("too bright")
            return lines

    document = pdf(pdf_samples.scanned("s", 3).raw, by=PdfParser(worker=parser._worker, ocr=Dazzled()))
    assert on(document, 3).startswith("picture 3\n")
    read = {"engine": "scripted", "pages": 2, "lines": 6}
    assert document.metadata.user["pdf"] == {"pages": 3, "ocr": read, "unread_pages": [1]}


def test_an_engine_that_keeps_failing_is_asked_no_more(pdf: Parse, parser: PdfParser) -> None:
    ocr = ScriptedOcr(fails=True)
    with pytest.raises(LeftAside) as left:
        pdf(pdf_samples.scanned("s", 5).raw, by=PdfParser(worker=parser._worker, ocr=ocr))
    assert (left.value.reason, ocr.tries) == ("scanned", 3)
    assert left.value.message == "all 5 pages are pictures, which could not be read: no eyes"
    assert left.value.hint, "what may be read another time stays in the index"


def test_pictures_that_say_nothing_are_no_document(pdf: Parse, parser: PdfParser) -> None:
    class Blind(ScriptedOcr):
        def read(self, image: bytes) -> list[str]:
            return []

    with pytest.raises(LeftAside) as left:
        pdf(pdf_samples.scanned("s", 1).raw, by=PdfParser(worker=parser._worker, ocr=Blind()))
    assert (left.value.reason, left.value.hint) == ("no_text", None)
    assert left.value.message == "the only page is a picture, and no text could be read"


def test_an_engine_that_is_not_installed_is_told_with_the_way_to_get_it(pdf: Parse, parser: PdfParser) -> None:
    class Missing:
        @property
        def version(self) -> str:
            raise MissingExtra("there is no engine", hint="install one", package="eyes")

        def read(self, image: bytes) -> list[str]:
            raise AssertionError("never asked")

    blind = PdfParser(worker=parser._worker, ocr=Missing())
    assert blind.variant == "ocr=missing"
    with pytest.raises(LeftAside) as left:
        pdf(pdf_samples.scanned("s", 1).raw, by=blind)
    assert (left.value.reason, left.value.hint) == ("no_ocr", "install one")
    assert pdf(pdf_samples.pages("words enough"), by=blind).warnings == ()


def test_every_picture_is_announced_before_it_is_read(parser: PdfParser) -> None:
    raw = pdf_samples.scanned("s", 3, texts={2: "the only page with words on it"}).raw
    ocr = ScriptedOcr()
    steps = PdfParser(worker=parser._worker, ocr=ocr).steps(raw, context(raw, "a.pdf"))
    assert next(steps) == Phase(PhaseKind.OCR, "scripted")
    assert (next(steps), len(ocr.seen)) == (PagePhase(1, 2), 0)
    assert (next(steps), len(ocr.seen)) == (PagePhase(1, 2, finished=True), 1)
    assert list(steps) == [PagePhase(3, 2), PagePhase(3, 2, finished=True)]
