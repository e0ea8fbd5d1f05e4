"""An ingest as its caller sees it: events in order, a dry run, a cancellation, a lock."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_bench import report, results

from kebab.app.scope import ScopeRequest
from kebab.core.errors import IndexLocked, InvalidInput, ReadonlyMode
from kebab.core.events import AssetFinished, IngestEvent, IngestFinished, ScanCompleted
from kebab.store.lock import WriterLock

if TYPE_CHECKING:
    from app_bench import Desk


def everything(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


# -- events


def test_events_come_in_order_and_the_last_one_is_terminal(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    desk.write("b.md", "omega\n", at=1_700_000_100)
    events = list(desk.app().ingest(ScopeRequest()))
    assert [event.kind for event in events] == [
        "scan_started",
        "scan_completed",
        *("asset_started", "asset_finished"),
        *("asset_started", "asset_chunked", "asset_timings", "asset_finished"),
        "completed",
    ]
    scanned = events[1]
    assert isinstance(scanned, ScanCompleted)
    assert (scanned.total, scanned.total_bytes) == (2, 12)
    finished = [event for event in events if isinstance(event, AssetFinished)]
    assert [(event.idx, event.total, event.path, event.result, event.chunks) for event in finished] == [
        (1, 2, "a.md", "unchanged", 1),
        (2, 2, "b.md", "updated", 1),
    ]


def test_each_folder_is_announced(desk: "Desk") -> None:
    other = desk.home / "other"
    desk.write("o.md", root=other)
    desk.ingest(other)
    started = [event.root for event in desk.app().ingest(ScopeRequest()) if event.kind == "scan_started"]  # type: ignore[union-attr]
    assert started == [str(desk.root), str(other)]


# -- dry run


def test_a_dry_run_before_the_first_ingest_makes_nothing(desk: "Desk") -> None:
    desk.write("a.md")
    before = everything(desk.root)
    found = desk.ingest(dry_run=True)
    assert (results(found), found.dry_run) == ({"a.md": "new"}, True)
    assert not (desk.home / "data").exists()
    assert everything(desk.root) == before


def test_a_dry_run_says_what_would_happen_and_does_nothing(desk: "Desk") -> None:
    desk.flags["storage.copy_threshold_mb"] = 1
    for name in ("same", "changed", "touched", "deleted"):
        desk.write(f"{name}.md", f"{name}\n")
    desk.ingest()
    desk.write("changed.md", "different\n", at=1_700_000_100)
    desk.write("touched.md", "touched\n", at=1_700_000_100)
    desk.write("new.md", "new\n")
    (desk.root / "deleted.md").unlink()
    rows, revision, copies = desk.rows(), desk.revision(), everything(desk.home / "data" / "assets")
    found = desk.ingest(dry_run=True)
    assert results(found) == {
        "same.md": "unchanged",
        "changed.md": "updated",
        "touched.md": "unchanged",
        "new.md": "new",
    }
    assert found.purged_paths == ("deleted.md",)
    assert (desk.rows(), desk.revision(), everything(desk.home / "data" / "assets")) == (rows, revision, copies)
    again = desk.ingest()
    assert (results(again), again.purged_paths) == (results(found), found.purged_paths)


def test_a_dry_run_of_a_folder_elsewhere_is_not_remembered(desk: "Desk") -> None:
    desk.write("a.md")
    desk.ingest()
    other = desk.home / "other"
    desk.write("o.md", root=other)
    assert results(desk.ingest(other, dry_run=True)) == {"@other/o.md": "new"}
    assert results(desk.ingest()) == {"a.md": "unchanged"}


def test_a_dry_run_is_allowed_while_another_process_writes(desk: "Desk") -> None:
    desk.write("a.md")
    desk.ingest()
    with WriterLock(desk.config.storage.lock):
        assert results(desk.ingest(dry_run=True)) == {"a.md": "unchanged"}


def test_a_dry_run_is_allowed_where_nothing_may_be_written(desk: "Desk") -> None:
    desk.write("a.md")
    app = desk.app(readonly=True)
    assert results(report(app.ingest(ScopeRequest(), dry_run=True))) == {"a.md": "new"}


# -- cancel


def test_a_cancellation_stops_after_the_file_at_hand(desk: "Desk") -> None:
    desk.write("gone.md", "gone\n")
    desk.ingest()
    (desk.root / "gone.md").unlink()
    for name in "abcde":
        desk.write(f"{name}.md", f"{name} word\n")
    cancel = threading.Event()
    events: list[IngestEvent] = []
    for event in desk.app().ingest(ScopeRequest(), cancel=cancel):
        events.append(event)
        if isinstance(event, AssetFinished) and event.idx == 2:
            cancel.set()
    last = events[-1]
    assert isinstance(last, IngestFinished)
    assert (last.kind, last.aborted, last.report.aborted) == ("aborted", True, True)
    assert results(last.report) == {"a.md": "new", "b.md": "new"}
    assert last.counts.new == 2
    assert last.report.purged_paths == ()
    assert desk.paths() == ["a.md", "b.md", "gone.md"]
    again = desk.ingest()
    assert again.counts.new == 3
    assert again.counts.unchanged == 2
    assert again.purged_paths == ("gone.md",)


def test_a_cancellation_before_the_start_does_nothing(desk: "Desk") -> None:
    desk.write("gone.md", "gone\n")
    desk.ingest()
    (desk.root / "gone.md").unlink()
    desk.write("a.md")
    cancel = threading.Event()
    cancel.set()
    found = desk.ingest(cancel=cancel)
    assert (results(found), found.aborted, found.purged_paths) == ({}, True, ())
    assert desk.paths() == ["gone.md"]


def test_a_stream_that_is_dropped_lets_go_of_the_index(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    events = desk.app().ingest(ScopeRequest())
    for event in events:
        if isinstance(event, AssetFinished):
            break
    with pytest.raises(IndexLocked):
        desk.ingest()
    events.close()  # type: ignore[attr-defined]
    assert results(desk.ingest()) == {"a.md": "unchanged", "b.md": "new"}


# -- who may write


def test_a_second_writer_is_refused_and_readers_are_not(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    with WriterLock(desk.config.storage.lock):
        for write in (
            desk.ingest,
            lambda: desk.ingest_text("words"),
            lambda: desk.ingest_file(desk.root / "a.md"),
            lambda: desk.app().reset("data_only"),
            lambda: desk.app().reset("orphans_only"),
            lambda: desk.app().doctor(repair=True),
        ):
            with pytest.raises(IndexLocked):
                write()
        assert desk.found("alpha") == ["a.md"]
        assert desk.app().schema().stats.doc_count == 1
    assert desk.paths() == ["a.md"]


def test_a_readonly_app_refuses_to_write_before_it_touches_anything(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    app = desk.app(readonly=True)
    for write in (
        lambda: app.ingest(ScopeRequest()),
        lambda: app.ingest_file(desk.root / "a.md"),
        lambda: app.ingest_text("words", "T", None),
        lambda: app.reset("all"),
        lambda: app.doctor(repair=True),
    ):
        with pytest.raises(ReadonlyMode):
            write()
    assert sorted(path.name for path in desk.home.iterdir()) == ["kb"]


def test_a_mistaken_path_leaves_no_index_behind(desk: "Desk") -> None:
    with pytest.raises(InvalidInput):
        desk.ingest(desk.root / "nowhere")
    assert not (desk.home / "data").exists()
