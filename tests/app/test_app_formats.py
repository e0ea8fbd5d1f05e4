"""Files that are no plain text: found by a phrase, cited where a person would look, quoted and checked again later."""

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_bench import results

from kebab.core.answer import Answer, AnswerReady, Question
from kebab.core.archive import CitationStatus
from kebab.core.citation import Citation, LineCitation, PageCitation
from kebab.core.query import Filters, Freshness, SearchMode
from kebab.store.store import Store
from office_samples import archive, docx, hp, hwpx, para, pptx, shape, slide, xlsx
from pdf_samples import KOREAN, encrypted, pages, scanned

if TYPE_CHECKING:
    from app_bench import Desk

INTACT, MOVED, CHANGED, MISSING = CitationStatus
LATER = 1_700_000_100
FACT = "The marmalade press holds forty litres of orange juice."
QUESTION = "How many litres of orange juice does the marmalade press hold?"
OTHERS = ("The tram stops at the old harbour every morning.", "A piano needs a tuner twice a year at least.")


def book(*chapters: str) -> bytes:
    files = {
        f"OEBPS/{n}.xhtml": f"<html><body><h1>Part {n}</h1><p>{text}</p></body></html>" for n, text in _each(chapters)
    }
    items = "".join(f'<item id="c{n}" href="{n}.xhtml"/>' for n, _ in _each(chapters))
    spine = "".join(f'<itemref idref="c{n}"/>' for n, _ in _each(chapters))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    head = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "OEBPS/book.opf": package}
    return archive({**head, **files})


def _each(texts: tuple[str, ...]) -> list[tuple[int, str]]:
    return list(enumerate(texts, 1))


def sheet(*texts: str) -> bytes:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{text}</t></is></c></row>' for n, text in _each(texts)
    )
    return xlsx({"Stock": rows}, [])


def mail(*texts: str) -> bytes:
    head = "From: Kim <kim@example.org>\r\nTo: lee@example.org\r\nSubject: Plan\r\nDate: Mon, 1 Mar 2021 09:00:00 +0900"
    return (head + "\r\n\r\n" + "\r\n\r\n".join(texts) + "\r\n").encode()


def notebook(*texts: str) -> bytes:
    cells = [{"cell_type": "markdown", "source": [f"# Cell {n}\n", "\n", text]} for n, text in _each(texts)]
    return json.dumps({"nbformat": 4, "cells": cells}).encode()


# Each makes a file of its format that says these sentences, one after the other.
MAKERS = {
    "a.docx": lambda *texts: docx("".join(para(f"Part {n}", "1") + para(text) for n, text in _each(texts))),
    "a.pptx": lambda *texts: pptx([slide(shape("title", f"Slide {n}") + shape("", text)) for n, text in _each(texts)]),
    "a.xlsx": sheet,
    "a.html": lambda *texts: "".join(f"<h2>Part {n}</h2><p>{text}</p>" for n, text in _each(texts)).encode(),
    "a.epub": book,
    "a.eml": mail,
    "a.ipynb": notebook,
    "a.hwpx": lambda *texts: hwpx("".join(hp(f"Part {n}", 2) + hp(text) for n, text in _each(texts))),
    "a.pdf": pages,
}
PAGED = ("a.pdf", "a.pptx")
NAMES = list(MAKERS)


def made(name: str, *texts: str) -> bytes:
    raw: bytes = MAKERS[name](*texts)
    return raw


def asked(desk: "Desk", question: str = QUESTION) -> Answer:
    *_, last = desk.app().ask(Question(question, SearchMode.LEXICAL))
    assert isinstance(last, AnswerReady)
    return last.answer


def stored_text(desk: "Desk", path: str) -> str:
    with Store.reader(desk.index) as store:
        (row,) = store.shelf.find(path)
        return store.contents.source_text(row.doc_key)


def place_of(citation: Citation) -> tuple[str, int]:
    assert isinstance(citation, PageCitation | LineCitation)
    return ("page", citation.page) if isinstance(citation, PageCitation) else ("line", citation.start)


def others(desk: "Desk") -> None:
    """Enough notes for the words of the answer to be rare."""
    for word in ("library", "garden", "bicycle", "violin", "meadow", "lantern"):
        desk.write(f"{word}.md", f"# {word}\n\nThe {word} stands where everybody can see it.\n")


@pytest.fixture(params=NAMES)
def filed(request: pytest.FixtureRequest, desk: "Desk") -> tuple["Desk", str]:
    """A file of each format, whose second sentence answers the question, and an ingest of it."""
    name: str = request.param
    desk.write(name, made(name, OTHERS[0], FACT, OTHERS[1]))
    others(desk)
    assert results(desk.ingest())[name] == "new"
    return desk, name


def test_a_phrase_finds_its_file_and_cites_the_place_a_person_would_open(filed: tuple["Desk", str]) -> None:
    desk, name = filed
    hit = desk.search("marmalade press litres").hits[0]
    assert (hit.doc_path, hit.freshness) == (name, Freshness.FRESH)
    assert FACT.split(" ")[1] in hit.snippet
    assert isinstance(hit.citation, PageCitation if name in PAGED else LineCitation)
    if isinstance(hit.citation, PageCitation):
        assert hit.citation.page == 2
    else:
        lines = stored_text(desk, name).split("\n")[hit.citation.start - 1 : hit.citation.end]
        assert FACT in "\n".join(lines)


def test_an_answer_quotes_the_text_that_is_stored_letter_by_letter(filed: tuple["Desk", str]) -> None:
    desk, name = filed
    answer = asked(desk)
    assert answer.grounded, answer.refusal_reason
    quotes = [quote for statement in answer.statements for quote in statement.quotes]
    assert quotes
    assert any("forty litres" in quote.text for quote in quotes)
    for quote in quotes:
        assert quote.text in stored_text(desk, name)
        assert quote.citation.path == name
    cited = {place_of(quote.citation) for quote in quotes if "forty litres" in quote.text}
    if name in PAGED:
        assert cited == {("page", 2)}
    else:
        ((_, line),) = cited
        assert "marmalade" in stored_text(desk, name).split("\n")[line - 1]


def checks(desk: "Desk", answer: Answer) -> list[tuple[CitationStatus, str, Citation | None]]:
    report = desk.app().verify(answer.retrieval.trace_id)
    return [(check.status, check.detail, check.found) for check in report.checks]


def test_what_was_cited_is_found_again_as_the_file_changes(filed: tuple["Desk", str]) -> None:
    desk, name = filed
    answer = asked(desk)
    assert checks(desk, answer) == [(INTACT, "the file is unchanged", None)]

    desk.write(name, made(name, OTHERS[0], FACT, "Something else stands at the end."), at=LATER)
    ((status, detail, _),) = checks(desk, answer)
    assert (status, "changed elsewhere" in detail) == (INTACT, True)

    desk.write(name, made(name, "One more at the beginning.", OTHERS[0], FACT), at=LATER + 1)
    ((status, _, found),) = checks(desk, answer)
    assert status is MOVED
    assert found is not None
    desk.ingest()
    assert place_of(found)[1] in (3, _line_of(desk, name, "marmalade"))

    desk.write(name, made(name, *OTHERS), at=LATER + 2)
    assert [(status, detail[:35]) for status, detail, _ in checks(desk, answer)] == [
        (CHANGED, "the words are no longer in the file")
    ]


def _line_of(desk: "Desk", name: str, word: str) -> int:
    lines = stored_text(desk, name).split("\n")
    return next(number for number, line in enumerate(lines, 1) if word in line)


def test_a_file_that_became_garbage_or_went_is_missing_with_the_reason(filed: tuple["Desk", str]) -> None:
    desk, name = filed
    answer = asked(desk)
    desk.write(name, b"\x00\x01garbage\xff" * 50, at=LATER)
    ((status, detail, _),) = checks(desk, answer)
    if name == "a.html":
        # Any bytes are a page; these do not say what was cited.
        assert status in (CHANGED, MISSING)
    else:
        assert (status, detail.startswith("the file cannot be read: ")) == (MISSING, True)
    (desk.root / name).unlink()
    assert checks(desk, answer) == [(MISSING, "the file is gone", None)]


def test_a_file_the_index_forgot_is_still_read_as_what_it_is(filed: tuple["Desk", str]) -> None:
    desk, name = filed
    answer = asked(desk)
    raw = (desk.root / name).read_bytes()
    (desk.root / name).unlink()
    desk.ingest()
    assert name not in desk.paths()
    desk.write(name, raw, at=LATER)
    assert checks(desk, answer) == [(INTACT, "the file is unchanged", None)]
    desk.write(name, made(name, OTHERS[0], FACT), at=LATER)
    assert [status for status, _, _ in checks(desk, answer)] == [INTACT]


def test_a_parser_that_falls_over_does_not_keep_the_rest_from_being_checked(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.docx", made("a.docx", FACT))
    others(desk)
    desk.ingest()
    answer = asked(desk)
    desk.write("a.docx", made("a.docx", FACT, "more"), at=LATER)

    def fall(*_given: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("kebab.parse.office.docx.DocxParser.parse", fall)
    ((status, detail, _),) = checks(desk, answer)
    assert (status, detail) == (MISSING, "the file cannot be read: ZeroDivisionError: oops")


# -- what cannot be read


def bombs(folder: Path) -> bytes:
    """A zip of zips under the name of a document."""
    inner = folder / "inner.zip"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.xml", "0" * 1_000_000)
    raw = inner.read_bytes()
    inner.unlink()
    return archive({f"{number}.zip": raw for number in range(20)})


def test_every_bad_file_is_one_item_with_a_line_that_says_why_and_stops_nothing(desk: "Desk") -> None:
    office = ("docx", "pptx", "xlsx", "odt", "hwpx", "epub")
    for suffix in (*office, "rtf", "hwp", "eml", "ipynb", "html", "pdf"):
        desk.write(f"empty/e.{suffix}", b"")
    for suffix in (*office, "rtf", "hwp", "ipynb", "pdf"):
        desk.write(f"text/t.{suffix}", b"plain words under a borrowed name\n" * 9)
    for name in ("a.docx", "a.pptx", "a.xlsx", "a.epub", "a.hwpx", "a.pdf"):
        desk.write(f"cut/{name}", made(name, *OTHERS, FACT)[:300])
    desk.write("other/zips.docx", bombs(desk.home))
    desk.write("other/locked.pdf", encrypted("locked").raw)
    desk.write("other/scan.pdf", scanned("scan", 2).raw)
    desk.write("good/last.docx", made("a.docx", FACT))
    report = desk.ingest()
    items = {item.doc_path: item for item in report.items or ()}
    assert {path for path in items if path.startswith("empty/")} == {
        path for path, item in items.items() if path.startswith("empty/") and item.kind == "skipped"
    }
    assert report.skips["empty"].count == 12
    for path, item in items.items():
        if path.startswith(("text/", "cut/")) or path == "other/zips.docx":
            assert (path, item.kind) == (path, "error")
            assert item.error
            assert "\n" not in item.error
            assert len(item.error) < 200
            assert "Error" not in item.error, "a reason, not the name of an exception"
    for path, word in (("other/locked.pdf", "password"), ("other/scan.pdf", "pictures")):
        aside = items[path].aside
        assert aside is not None
        assert word in f"{aside.message} {aside.hint}"
    assert items["good/last.docx"].kind == "new"
    assert desk.found("marmalade") == ["good/last.docx"]
    again = desk.ingest()
    assert (again.counts.new, again.counts.errors) == (0, report.counts.errors)


def test_a_broken_file_keeps_what_was_indexed_of_it_and_says_that_it_changed(desk: "Desk") -> None:
    desk.write("a.pdf", made("a.pdf", FACT))
    desk.ingest()
    desk.write("a.pdf", b"%PDF-1.4 broken", at=LATER)
    assert results(desk.ingest()) == {"a.pdf": "error"}
    hit = desk.search("marmalade").hits[0]
    assert (hit.doc_path, hit.freshness) == ("a.pdf", Freshness.CHANGED)


def test_every_page_of_a_korean_file_is_found_and_cited(desk: "Desk") -> None:
    phrases = [f"쪽{n}번에는 {word} 이야기가 있다" for n, word in _each(("등불", "나침반", "화강암"))]
    desk.write("책/보고서.pdf", pages(*phrases, font=KOREAN))
    desk.ingest()
    for number, word in _each(("등불", "나침반", "화강암")):
        hit = desk.search(word).hits[0]
        assert hit.citation.to_uri() == f"책/보고서.pdf#p={number}"
    assert desk.app().schema().stats.media_breakdown == {"pdf": 1}
    assert [hit.doc_path for hit in desk.search("등불", filters=Filters(media=("pdf",))).hits] == ["책/보고서.pdf"]
