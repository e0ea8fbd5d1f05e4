"""What is told of OCR afterwards: how much was read by whom, and which files could not be read, until they can."""

from typing import TYPE_CHECKING

import pytest
from reading_bench import LINES, PNG, WHO, blind

import pdf_samples
from kebab.core.errors import TimedOut
from kebab.core.recognition import OcrFailure, OcrStats, RecognisedBy
from kebab.store.store import Store
from stand_ins.pictures import corner, file_of
from stand_ins.readers import ScriptedOcr

if TYPE_CHECKING:
    from app_bench import Desk

LATER = 1_700_000_100


def test_stats_add_up_what_was_read_by_whom(desk: "Desk", eyes: ScriptedOcr) -> None:
    assert desk.write("a.md", "---\nocr: {engine: mine, pages: 9, lines: 9}\n---\nwords\n")
    desk.flags["ingest.pdf.ocr.enabled"] = True
    for name in ("a.png", "b.png"):
        desk.write(name, file_of(corner((400, 300 + len(name) + ord(name[0])))))
    desk.write("book.pdf", pdf_samples.scanned("s", 2).raw)
    desk.ingest()
    found = desk.app().ocr_stats()
    assert [reader._replace(confidence=None) for reader in found.readers] == [
        RecognisedBy("image", WHO, 2, 2, 4, 4),
        RecognisedBy("pdf", WHO, 1, 2, 0, 4),
    ]
    assert [reader.confidence for reader in found.readers] == [pytest.approx(0.8), None]
    assert (found.documents, found.pages, found.lines) == (3, 4, 8)
    assert (found.unread_documents, found.unread_pages) == (0, 0)


def test_stats_of_an_index_without_pictures_are_empty(desk: "Desk") -> None:
    desk.write("a.md")
    desk.ingest()
    assert desk.app().ocr_stats() == OcrStats()
    assert desk.app().ocr_failures() == []


def test_failures_are_told_with_their_reason_until_they_are_mended(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("broken.png", b"\x89PNG\r\n\x1a\nnothing")
    desk.write("blank.png", PNG)
    desk.write("note.md", b"\xff\xfe\x00\x01")
    desk.write("book.pdf", pdf_samples.scanned("s", 3, texts={2: "the only page with words on it"}).raw)
    desk.write("scans.pdf", pdf_samples.scanned("t", 2).raw)
    eyes.lines = ()
    desk.ingest()
    found = {failure.doc_path: failure for failure in desk.app().ocr_failures()}
    assert {path: failure.reason for path, failure in found.items()} == {
        "blank.png": "no_text",
        "book.pdf": "unread_pages",
        "broken.png": "failed",
        "scans.pdf": "scanned",
    }
    assert found["broken.png"].message.startswith("the image cannot be decoded")
    assert (found["book.pdf"].pages, found["book.pdf"].message) == ((1, 3), "2 pages of it could not be read")
    assert "ingest.pdf.ocr.enabled" in str(found["book.pdf"].hint)
    assert (desk.app().ocr_stats().unread_documents, desk.app().ocr_stats().unread_pages) == (1, 2)
    eyes.lines = LINES
    desk.app().prune_cache(0)
    desk.flags["ingest.pdf.ocr.enabled"] = True
    desk.write("broken.png", PNG, at=LATER)
    (desk.root / "blank.png").unlink()
    desk.ingest()
    assert desk.app().ocr_failures() == []


def test_a_failure_is_the_last_that_was_found_of_a_file(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("scan.png", PNG)
    for message in ("too slow", "still too slow"):
        eyes.fails = TimedOut(message)
        desk.ingest()
    (found,) = desk.app().ocr_failures()
    assert found == OcrFailure("scan.png", "failed", "still too slow", None, found.seen_at)


def test_a_run_keeps_few_of_very_many_that_could_not_be_read(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    blind(monkeypatch)
    for number in range(130):
        desk.write(f"{number:03}.png", b"x")
    assert desk.ingest().skips["no_ocr"].count == 130
    assert len(desk.app().ocr_failures()) == 100
    with Store.reader(desk.index) as store:
        assert len(list(store.runs.notes())) == 100


def test_failures_of_a_named_source_are_told_by_its_paths(desk: "Desk", eyes: ScriptedOcr) -> None:
    other = desk.home / "other"
    desk.write("사진.png", b"nothing", root=other)
    desk.ingest(other)
    (found,) = desk.app().ocr_failures()
    assert found.doc_path.startswith("@")
    assert found.doc_path.endswith("/사진.png")
