"""Pictures, scans and recordings through a whole ingest: found, cited, read once, and announced while they are read."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_bench import results
from reading_bench import PNG, WHO, blind

import pdf_samples
from kebab.app import process
from kebab.app.scope import ScopeRequest
from kebab.core.citation import PageCitation, RegionCitation, TimeCitation
from kebab.core.errors import IndexLocked, NotIndexed, ReadonlyMode
from kebab.core.events import AssetPhase, AssetTimings, IngestEvent, PdfOcrFinished, PdfOcrStarted
from kebab.store.lock import WriterLock
from kebab.wire.ingest import encode_event
from stand_ins.readers import ScriptedOcr, ScriptedTranscriber

if TYPE_CHECKING:
    from app_bench import Desk


def slow(desk: "Desk") -> list[IngestEvent]:
    """What an ingest says about slow readings."""
    events = desk.app().ingest(ScopeRequest())
    return [event for event in events if isinstance(event, AssetPhase | PdfOcrStarted | PdfOcrFinished)]


# -- from the file to the citation


def test_text_in_an_image_is_found_and_cited_by_its_region(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("사진/밥 솥.png", PNG)
    assert results(desk.ingest()) == {"사진/밥 솥.png": "new"}
    (hit,) = desk.search("soak rice").hits
    assert hit.citation == RegionCitation("사진/밥 솥.png", 10, 10, 120, 208)
    assert hit.citation.to_uri() == "사진/밥%20솥.png#xywh=10,10,120,208"
    assert desk.found("현미밥") == ["사진/밥 솥.png"]


def test_words_of_a_recording_are_found_and_cited_by_their_time(desk: "Desk", ears: ScriptedTranscriber) -> None:
    desk.write("talk.mp3", b"not really sound")
    desk.ingest()
    (hit,) = desk.search("zebra").hits
    assert hit.citation == TimeCitation("talk.mp3", 0, 9_000, "S1")
    assert ears.given == [b"not really sound"]


def test_scanned_pages_are_read_when_asked_for_and_cited_by_page(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("book.pdf", pdf_samples.scanned("s", 3, texts={2: "the only page with words on it"}).raw)
    first = desk.ingest()
    assert desk.found("soak rice") == []
    assert "ingest.pdf.ocr.enabled" in first.notable()[0].warnings[0]
    assert not eyes.given
    desk.flags["ingest.pdf.ocr.enabled"] = True
    assert results(desk.ingest()) == {"book.pdf": "updated"}
    assert sorted(str(hit.citation) for hit in desk.search("soak rice").hits) == sorted(
        str(PageCitation("book.pdf", page)) for page in (1, 3)
    )
    assert desk.found("only page with words") == ["book.pdf"]


# -- read once


def test_another_chunk_size_cuts_anew_and_reads_nothing_anew(
    desk: "Desk", eyes: ScriptedOcr, ears: ScriptedTranscriber
) -> None:
    desk.flags["ingest.pdf.ocr.enabled"] = True
    desk.write("scan.png", PNG)
    desk.write("talk.wav", b"sound")
    desk.write("book.pdf", pdf_samples.scanned("s", 1).raw)
    said = slow(desk)
    assert [(event.path, event.kind) for event in said] == [  # type: ignore[union-attr]
        ("book.pdf", "asset_phase"),
        ("book.pdf", "pdf_ocr_started"),
        ("book.pdf", "pdf_ocr_finished"),
        ("scan.png", "asset_phase"),
        ("talk.wav", "asset_phase"),
    ]
    asked = (len(eyes.given), len(ears.given))
    assert asked == (2, 1)
    desk.flags["chunking.target_tokens"] = 120
    events = list(desk.app().ingest(ScopeRequest()))
    assert events[-1].report.counts.updated == 3  # type: ignore[union-attr]
    assert (len(eyes.given), len(ears.given)) == asked
    assert [event.path for event in events if isinstance(event, AssetPhase)] == ["book.pdf"], "it is drawn again"
    kinds = {kind.kind: kind.entries for kind in desk.app().cache_status().kinds}
    assert kinds == {"ocr": 1, "page-ocr": 1, "transcript": 1}


def test_a_pruned_cache_has_the_file_read_again_and_loses_no_document(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("scan.png", PNG)
    desk.ingest()
    before = desk.app().cache_status()
    assert (before.entries, before.most_bytes, before.dropped) == (1, 512 * 1024 * 1024, None)
    assert desk.app().prune_cache().dropped == 0, "within what the settings allow"
    assert desk.app().prune_cache(0)[:2] == (0, 0)
    assert desk.found("현미밥") == ["scan.png"]
    desk.ingest(force=True)
    assert len(eyes.given) == 2


def test_a_prune_is_a_write_of_one_writer_and_needs_an_index(desk: "Desk") -> None:
    with pytest.raises(NotIndexed):
        desk.app().prune_cache(0)
    assert not desk.index.exists()
    desk.ingest()
    with pytest.raises(ReadonlyMode):
        desk.app(readonly=True).prune_cache(0)
    with WriterLock(desk.config.storage.lock), pytest.raises(IndexLocked):
        desk.app().prune_cache(0)


def test_an_ingest_keeps_the_cache_within_its_bounds(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.flags["storage.cache_mb"] = 0
    desk.write("scan.png", PNG)
    desk.ingest()
    assert desk.app().cache_status().entries == 0
    assert desk.found("현미밥") == ["scan.png"]


# -- while it runs


def test_a_slow_phase_is_announced_before_it_begins_with_who_does_it(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("a.md")
    desk.write("scan.png", PNG)
    for event in desk.app().ingest(ScopeRequest()):
        if isinstance(event, AssetPhase):
            assert not eyes.given
            assert (event.idx, event.total, event.path, event.phase, event.model) == (2, 2, "scan.png", "ocr", WHO)
    assert len(eyes.given) == 1
    assert slow(desk) == [], "what is unchanged is not read"


def test_the_time_that_reading_an_image_took_is_sent_with_its_timings(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("a.md")
    desk.write("scan.png", PNG)
    events = [event for event in desk.app().ingest(ScopeRequest()) if isinstance(event, AssetTimings)]
    sent = {event.path: encode_event(event) for event in events}
    assert "ocr_ms" not in sent["a.md"]
    assert 0 <= sent["scan.png"]["ocr_ms"] <= sent["scan.png"]["parse_ms"]
    assert "caption_ms" not in sent["scan.png"]


def test_a_run_that_is_left_in_the_middle_of_a_file_lets_go_of_the_index(desk: "Desk", eyes: ScriptedOcr) -> None:
    desk.write("scan.png", PNG)
    events = desk.app().ingest(ScopeRequest())
    next(event for event in events if isinstance(event, AssetPhase))
    events.close()  # type: ignore[attr-defined]
    assert results(desk.ingest()) == {"scan.png": "new"}


# -- without an engine, and when it fails


def test_images_without_an_engine_are_counted_and_not_opened(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    blind(monkeypatch)
    opened: list[Path] = []
    read = process.read_stable
    monkeypatch.setattr(process, "read_stable", lambda path, *more: opened.append(path) or read(path, *more))
    for name in ("a.png", "b.png"):
        desk.write(name, PNG)
    note = desk.write("note.md")
    report = desk.ingest()
    assert opened == [note]
    assert report.skips["no_ocr"].count == 2
    assert report.skips["no_ocr"].examples == ("a.png", "b.png")
    assert (report.counts.errors, report.counts.new) == (0, 1)
    assert report.warnings == ("2 files, such as a.png: there is no engine; install one",)


def test_what_was_read_stays_when_the_engine_goes(
    desk: "Desk", eyes: ScriptedOcr, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.flags["ingest.pdf.ocr.enabled"] = True
    desk.write("scan.png", PNG)
    desk.write("book.pdf", pdf_samples.scanned("s", 1).raw)
    desk.ingest()
    blind(monkeypatch)
    assert results(desk.ingest()) == {"scan.png": "skipped", "book.pdf": "skipped"}
    assert sorted(desk.found("현미밥")) == ["book.pdf", "scan.png"]
    (scan,) = (item for item in desk.app().ocr_failures() if item.doc_path == "scan.png")
    assert scan.reason == "no_ocr", "it may be out of date"
