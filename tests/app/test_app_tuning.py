"""A large index is prepared for fast searches at the end of an ingest, and a reset leaves nothing of that behind."""

import threading
from typing import TYPE_CHECKING

import pytest

from kebab.app.scope import ScopeRequest
from kebab.core.events import TuningStarted
from kebab.core.query import Query, SearchMode
from kebab.store import fulltext, fulltext_keeping

if TYPE_CHECKING:
    from app_bench import Desk


@pytest.fixture(autouse=True)
def every_index_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fulltext, "_LARGE", 2)
    monkeypatch.setattr(fulltext_keeping, "_LEAST", 1)


def planted(desk: "Desk") -> "Desk":
    for number in range(6):
        desk.write(f"{number}.md", f"# Note {number}\n\npelican bread and number {number}\n")
    return desk


def test_it_is_said_done_once_and_not_again_for_little(desk: "Desk") -> None:
    events = list(planted(desk).app().ingest(ScopeRequest()))
    assert [event.total for event in events if isinstance(event, TuningStarted)] == [6]
    assert events[-1].kind == "completed"
    kept = desk.index.with_name(f"{desk.index.name}.impacts")
    made = kept.stat().st_ino
    assert not [event for event in desk.app().ingest(ScopeRequest()) if isinstance(event, TuningStarted)]
    assert kept.stat().st_ino == made
    assert len(desk.app().search(Query("pelican", SearchMode.LEXICAL, 10)).hits) == 6


def test_a_run_that_is_canceled_meanwhile_ends_well_without_it(desk: "Desk") -> None:
    cancel = threading.Event()
    kinds = []
    for event in planted(desk).app().ingest(ScopeRequest(), cancel=cancel):
        kinds.append(event.kind)
        if isinstance(event, TuningStarted):
            cancel.set()
    assert kinds[-2:] == ["tuning_started", "completed"]
    assert [path.name for path in desk.index.parent.glob("*.impacts*")] == []
    assert len(desk.app().search(Query("pelican", SearchMode.LEXICAL, 10)).hits) == 6


def test_a_reset_takes_it_along(desk: "Desk") -> None:
    planted(desk).ingest()
    desk.index.with_name(f"{desk.index.name}.impacts.1.draft").write_bytes(b"left by a killed process")
    desk.app().reset("data_only")
    assert list(desk.index.parent.glob("*.impacts*")) == []
