"""The watch beside the server as `kebab serve --watch` starts it: heard by whoever started it, over when told."""

import threading
from pathlib import Path

import pytest
from watch_hand import Hand
from web_bench import TIMEOUT

from kebab.app.watch import Ingested, Noted, WatchEvent, Working
from kebab.config import Config
from kebab.core.asset import Source
from kebab.core.errors import ReadonlyMode
from kebab.core.events import Counts, IngestReport
from kebab.ui.serving.state import ServerState
from kebab.ui.web.live import Live
from kebab.ui.web.watching import Watch


def test_a_server_that_watches_from_the_start_can_be_told_to_stop(own: Config, hand: Hand) -> None:
    events: list[WatchEvent] = []
    shown = threading.Event()

    def hear(event: WatchEvent) -> None:
        events.append(event)
        shown.set()

    watch = Watch(ServerState(own), Live(), hear)
    watch.begin()
    assert shown.wait(TIMEOUT)
    assert watch.state()["watching"] is True
    watch.close()
    assert watch.state()["watching"] is False
    assert events == [Noted("watching 1"), Noted("the file at hand")]
    assert hand.begun == 1


def test_whoever_started_the_server_hears_why_it_could_not_begin(own: Config) -> None:
    root = Path(own.workspace.root)
    root.rename(root.with_name("elsewhere"))
    events: list[WatchEvent] = []
    watch = Watch(ServerState(own), Live(watching=True), events.append)
    watch.begin().known.wait(TIMEOUT)
    watch.close()
    assert watch.state()["watching"] is False
    (event,) = events
    assert isinstance(event, Noted)
    assert event.text.startswith("no longer watching: ")
    assert str(root) in event.text


def test_nobody_to_print_for_ends_the_watch_and_nothing_else(own: Config, hand: Hand) -> None:
    def hear(_event: WatchEvent) -> None:
        raise BrokenPipeError

    watch = Watch(ServerState(own, allow_ingest=True), Live(), hear)
    with pytest.raises(BrokenPipeError):
        watch.switch(on=True)
    watch.close()
    assert watch.state()["watching"] is False
    assert hand.begun == 1


def test_an_index_that_is_only_read_is_not_watched(own: Config) -> None:
    watch = Watch(ServerState(own, readonly=True), Live())
    with pytest.raises(ReadonlyMode):
        watch.begin()
    watch.close()
    assert watch.state()["watching"] is False


def test_how_far_a_run_is_is_forgotten_when_it_is_over(own: Config, hand: Hand) -> None:
    source = Source("notes", Path(own.workspace.root))
    nothing = IngestReport(source, Counts(), 0, {}, {}, (), 0)
    said: list[object] = []
    hand.says = [Working(3, 9, "a.md"), Ingested(nothing, 0)]
    watch = Watch(ServerState(own), Live(), lambda _event: said.append(watch.state().get("text")))
    watch.begin()
    assert hand.waiting.wait(TIMEOUT)
    # Each is heard before it is said.
    assert said == [None, "watching 1", "3/9 a.md"]
    assert "text" not in watch.state()
    watch.close()
