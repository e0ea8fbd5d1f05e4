"""A watch: ingests what changed, looks at everything when it has to, waits for other writers, and ends when told."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from app_bench import Desk

from kebab.app import watch as watching
from kebab.app.watch import Ingested, Noted, WatchEvent, Working, watch
from kebab.app.writing import ingest_scope
from kebab.core.errors import InvalidInput, ReadonlyMode
from kebab.core.events import IngestFinished
from kebab.source.changes import CannotNotify, Paths
from kebab.store.lock import WriterLock

NONE: Paths = frozenset()


class Hand:
    """Stands for the system: tells of changes when the test says so."""

    def __init__(self) -> None:
        self.steps: list[Paths | Exception] = [NONE]
        self.polled = 0

    def notified(self, _roots: list[Path], stop: threading.Event) -> Iterator[Paths]:
        while self.steps:
            step = self.steps.pop(0)
            if isinstance(step, Exception):
                raise step
            yield step
        stop.set()

    def looked(self, roots: list[Path], stop: threading.Event) -> Iterator[Paths]:
        self.polled += 1
        yield from self.notified(roots, stop)


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    found = Hand()
    monkeypatch.setattr(watching, "notified", found.notified)
    monkeypatch.setattr(watching, "polled", found.looked)
    monkeypatch.setattr(watching, "_LOCK_SECONDS", 0.01)
    return found


def run(desk: Desk, **options: bool) -> list[WatchEvent]:
    return list(watch(desk.app(), threading.Event(), **options))


def counts(events: list[WatchEvent]) -> list[tuple[int, int, int, int]]:
    """Told, new, updated and removed of every run."""
    runs = [event for event in events if isinstance(event, Ingested)]
    return [
        (each.told, each.report.counts.new, each.report.counts.updated, each.report.purged_deleted_files)
        for each in runs
    ]


def test_it_begins_with_everything_and_then_takes_what_changed(desk: Desk, hand: Hand) -> None:
    desk.write("a/old.md")
    new = desk.root / "a/new.md"
    hand.steps.append(frozenset({str(new)}))

    def begun() -> Iterator[WatchEvent]:
        for event in watch(desk.app(), threading.Event()):
            if isinstance(event, Ingested) and not new.exists():
                desk.write("a/new.md")
                desk.write("b/untold.md")
            yield event

    assert counts(list(begun())) == [(0, 1, 0, 0), (1, 1, 0, 0)]
    assert desk.paths() == ["a/new.md", "a/old.md"], "only what was told of was looked at"


def test_a_run_over_parts_removes_what_is_gone_from_them_alone(desk: Desk) -> None:
    from kebab.app.watch_parts import ground_of, scope_of

    kept, gone, folder = desk.write("a/kept.md"), desk.write("a/gone.md"), desk.write("c/d/e.md")
    other = desk.write("b/other.md")
    desk.ingest()
    for file in (gone, folder, other):
        file.unlink()
    folder.parent.rmdir()
    app = desk.app()
    scope = scope_of([str(gone), str(folder.parent.parent), str(kept)], ground_of(app.config, app.config.sources()))
    assert scope is not None
    *_, last = ingest_scope(app, scope, threading.Event())
    assert isinstance(last, IngestFinished)
    assert last.report.purged_paths == ("a/gone.md", "c/d/e.md")
    assert desk.paths() == ["a/kept.md", "b/other.md"]


def test_a_flood_is_a_look_at_everything(desk: Desk, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "FLOOD", 2)
    hand.steps.append(frozenset({str(desk.root / f"{number}.md") for number in range(3)}))
    desk.write("a.md")
    assert counts(run(desk)) == [(0, 1, 0, 0), (3, 0, 0, 0)]


def test_once_it_is_quiet_everything_is_looked_at_again(
    desk: Desk, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SETTLED", -1.0)
    desk.write("a.md")
    hand.steps += [frozenset({str(desk.root / "a.md")}), NONE, NONE]
    assert [told for told, *_ in counts(run(desk))] == [0, 1, 0]


def test_how_far_a_run_is_is_told_now_and_then(desk: Desk, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md"):
        desk.write(name)
    monkeypatch.setattr(watching, "_WORD_EVERY", 0.0)
    working = [event for event in run(desk) if isinstance(event, Working)]
    assert working == [Working(1, 2, "a.md"), Working(2, 2, "b.md")]
    monkeypatch.setattr(watching, "_WORD_EVERY", 3600.0)
    assert not any(isinstance(event, Working) for event in run(desk))


def test_its_own_files_make_it_do_nothing(desk: Desk, hand: Hand) -> None:
    desk.flags["storage.data_dir"] = str(desk.root / "index")
    hand.steps.append(frozenset({str(desk.index), f"{desk.index}-wal"}))
    assert len(counts(run(desk))) == 1


def test_a_system_that_does_not_tell_is_asked_again_and_again(desk: Desk, hand: Hand) -> None:
    hand.steps = [CannotNotify("no more watches"), NONE]
    told = [event.text for event in run(desk) if isinstance(event, Noted)]
    assert any("no more watches" in text for text in told)
    assert hand.polled == 1


def test_polling_can_be_asked_for(desk: Desk, hand: Hand) -> None:
    run(desk, poll=True)
    assert hand.polled == 1


@contextmanager
def held(desk: Desk) -> Iterator[WriterLock]:
    desk.index.parent.mkdir(parents=True, exist_ok=True)
    with WriterLock(desk.config.storage.lock) as lock:
        yield lock


def test_another_writer_is_waited_for(desk: Desk, hand: Hand) -> None:
    desk.write("a.md")
    events = watch(desk.app(), threading.Event())
    seen: list[WatchEvent] = []
    with held(desk):
        while not seen or "waiting" not in getattr(seen[-1], "text", ""):
            seen.append(next(events))
    assert counts(list(events)) == [(0, 1, 0, 0)]


def test_a_run_that_fails_is_told_and_ends_nothing(desk: Desk, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    app = desk.app()

    def fail(*_: object, **__: object) -> None:
        raise InvalidInput("the disk says no")

    monkeypatch.setattr(app, "ingest", fail)
    events = list(watch(app, threading.Event()))
    assert "the disk says no; trying again later" in [getattr(event, "text", "") for event in events]


def test_a_folder_that_is_not_there_is_an_error_at_the_start(desk: Desk) -> None:
    desk.root.rmdir()
    with pytest.raises(Exception, match="does not exist"):
        run(desk)


def test_under_readonly_nothing_is_watched(desk: Desk) -> None:
    with pytest.raises(ReadonlyMode):
        desk.app(readonly=True).watch(threading.Event())
