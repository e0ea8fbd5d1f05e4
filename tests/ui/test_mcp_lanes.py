"""Threads with an index each: what is cancelled never begins, failures reach their caller, a new index is noticed."""

import asyncio
import gc
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_bench import plant, state, stock
from ui_bench import Home

from kebab.core.errors import IoFailure, NotIndexed, RetrievalError
from kebab.core.query import Query, SearchMode
from kebab.ui.serving.calls import performed
from kebab.ui.serving.lanes import Lane, OpenIndex
from kebab.ui.serving.state import Pace


class Held:
    """Stands in for an App."""

    config = SimpleNamespace(storage=SimpleNamespace(sqlite=Path("nowhere")))

    def close(self) -> None:
        """There is nothing to close."""


@pytest.fixture
def library(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    return stock(home, monkeypatch)


def found(serving: Any, text: str) -> list[str]:
    """The documents of a search in the lane of quick calls."""

    def work(app: Any, *_: object) -> dict[str, object]:
        return {"paths": [hit.doc_path for hit in app.search(Query(text, SearchMode.LEXICAL, 5)).hits]}

    return asyncio.run(performed(serving.lane(Pace.QUICK), work))["paths"]  # type: ignore[return-value]


def test_a_call_that_is_cancelled_while_it_waits_never_begins() -> None:
    lane = Lane("test", Held)  # type: ignore[arg-type]
    go, begun = threading.Event(), []

    async def work() -> None:
        first = asyncio.create_task(performed(lane, lambda *_: begun.append("first") or {"done": go.wait(30)}))
        second = asyncio.create_task(performed(lane, lambda *_: begun.append("second") or {}))
        while not begun:
            assert not first.done()
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        go.set()
        assert await first == {"done": True}
        assert await performed(lane, lambda *_: {"begun": tuple(begun)}) == {"begun": ("first",)}

    asyncio.run(work())
    for thread in lane.stop():
        thread.join(30)


def test_an_index_that_cannot_be_opened_is_told_to_whoever_called_and_the_lane_goes_on() -> None:
    opened: list[int] = []

    def open_app() -> Any:
        opened.append(1)
        raise IoFailure("no such disk", op="open")

    lane = Lane("test", open_app)
    for _ in range(2):
        with pytest.raises(IoFailure):
            asyncio.run(performed(lane, lambda *_: {}))
    assert len(opened) == 2


def test_a_lane_has_no_more_threads_than_it_may_and_none_without_work() -> None:
    lane = Lane("test", Held, workers=2)  # type: ignore[arg-type]
    assert lane.stop() == []
    go, busy = threading.Event(), threading.Barrier(3)

    def wait(_index: object) -> None:
        busy.wait(30)
        go.wait(30)

    lane.submit(wait)
    lane.submit(wait)
    lane.submit(lambda _index: None)
    busy.wait(30)
    go.set()
    threads = lane.stop()
    assert len(threads) == 2
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_an_open_index_follows_what_others_write(library: Home) -> None:
    serving = state()
    try:
        assert found(serving, "zeppelin") == []
        plant(library.path / "KnowledgeBase", {"new.md": "# Zeppelin\n"})
        assert library.run("ingest", "--quiet").status == 0
        assert found(serving, "zeppelin") == ["new.md"]
    finally:
        serving.close()


def test_an_index_that_was_made_anew_takes_the_place_of_the_old_one(library: Home) -> None:
    serving = state()
    try:
        assert "rice.md" in found(serving, "rice")
        assert library.run("reset", "--data-only", "--yes").status == 0
        with pytest.raises(NotIndexed):
            found(serving, "rice")
        shutil.rmtree(library.path / "KnowledgeBase")
        plant(library.path / "KnowledgeBase", {"other.md": "# Rice\n"})
        assert library.run("ingest", "--quiet").status == 0
        assert found(serving, "rice") == ["other.md"]
    finally:
        serving.close()


@pytest.fixture
def collector() -> Iterator[None]:
    """Warming up changes how the process collects garbage; this one goes on afterwards."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_warming_up_leaves_no_record_survives_a_missing_index_and_keeps_tidy_from_then_on(
    home: Home, collector: None
) -> None:
    gc.set_threshold(500_000, 20, 20)
    serving = state()
    try:
        serving.warm_up()
        with pytest.raises(NotIndexed):
            found(serving, "rice")
    finally:
        serving.close()
    assert gc.get_threshold()[0] < 100_000
    assert not any("kebab" in path.read_text() for path in home.path.rglob("*.jsonl"))


def test_the_app_of_a_lane_is_closed_with_it(library: Home) -> None:
    serving = state()
    index = OpenIndex(serving._open)
    app = index.current()
    assert index.current() is app
    index.close()
    assert index.current() is not app
    index.close()
    serving.close()


def test_an_index_that_was_made_shorter_in_place_is_opened_anew_and_one_that_grew_is_not(library: Home) -> None:
    serving = state()
    index = OpenIndex(serving._open)
    app, file = index.current(), serving.config.storage.sqlite
    assert app.search(Query("rice", SearchMode.LEXICAL, 3)).hits
    size = file.stat().st_size
    os.truncate(file, size + 8192)
    assert index.current() is app
    # Shorter than it was known to be, though not than it was at first: more of it may be mapped by now.
    os.truncate(file, size)
    again = index.current()
    assert again is not app
    os.truncate(file, 8192)
    damaged = index.current()
    assert damaged is not again
    with pytest.raises(RetrievalError, match="damaged"):
        damaged.search(Query("rice", SearchMode.LEXICAL, 3))
    index.close()
    serving.close()


def test_lanes_that_read_share_one_model_and_the_one_that_writes_has_its_own(library: Home) -> None:
    serving = state()

    def model_of(pace: Pace) -> object:
        return asyncio.run(performed(serving.lane(pace), lambda app, *_: {"vectors": app.vectors}))["vectors"]  # type: ignore[dict-item]

    try:
        quick, long, write = (model_of(pace) for pace in (Pace.QUICK, Pace.LONG, Pace.WRITE))
        assert quick is long
        assert write is not quick
    finally:
        serving.close()
