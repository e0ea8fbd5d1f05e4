import json
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.core.asset import Source
from kebab.core.events import Counts, IngestItem, IngestReport
from kebab.store import runs

if TYPE_CHECKING:
    import pytest
    from store_bench import Index


def report(*items: IngestItem) -> IngestReport:
    source = Source("default", Path("/kb"), ("**/*.md",), (".git/**",))
    counts = Counts(scanned=9, new=1, updated=2, skipped=3, unchanged=4, errors=5)
    return IngestReport(source, counts, 12, {}, {}, items, 6, aborted=True)


def test_a_run_is_recorded_with_what_needs_attention(index: "Index") -> None:
    failed = IngestItem("error", "a.md", error="no")
    index.store.runs.record("run_1", report(IngestItem("new", "b.md"), failed), "2024-01-01T00:00:00Z")
    (row,) = index.database.rows("SELECT * FROM ingest_runs")
    assert row[0] == "run_1"
    assert json.loads(row[1]) == {"root": "/kb", "include": ["**/*.md"], "exclude": [".git/**"]}
    assert row[2:11] == (9, 1, 2, 3, 4, 5, 6, 1, 12)
    assert row[11] == "2024-01-01T00:00:00Z"
    assert json.loads(row[13]) == [["error", "a.md", "no", []]]


def test_old_runs_leave(index: "Index", monkeypatch: "pytest.MonkeyPatch") -> None:
    monkeypatch.setattr(runs, "KEPT_RUNS", 3)
    times = iter(f"2024-01-0{day}T00:00:00Z" for day in range(1, 6))
    monkeypatch.setattr(runs, "now", lambda: next(times))
    for number in range(5):
        index.store.runs.record(f"run_{number}", report(), "2024-01-01T00:00:00Z")
    kept = index.database.rows("SELECT run_id FROM ingest_runs ORDER BY run_id")
    assert kept == [("run_2",), ("run_3",), ("run_4",)]


def test_facts_about_the_index_are_kept(index: "Index") -> None:
    assert index.store.runs.meta("analyser") is None
    index.store.runs.set_meta("analyser", "v1")
    index.store.runs.set_meta("analyser", "v2")
    assert index.store.runs.meta("analyser") == "v2"


def test_folders_are_remembered_with_the_place_they_were_last_indexed_from(index: "Index") -> None:
    runs = index.store.runs
    runs.put_source("default", "/notes", configured=True)
    runs.put_source("work", "/work", configured=False)
    runs.put_source("work", "/elsewhere", configured=False)
    assert runs.roots() == {"default": "/notes", "work": "/elsewhere"}
    assert runs.adhoc_sources() == {"/elsewhere": "work"}
    runs.drop_source("work")
    assert runs.roots() == {"default": "/notes"}


def test_counts_and_breakdowns_are_those_of_documents(index: "Index") -> None:
    assert index.store.runs.last_ingest_at() is None
    english = "---\nlang: en\n---\n# One\n\nsomething\n\n# Two\n\nmore\n"
    index.put("a.md", english)
    index.put("b.md", english)
    index.put("@work/c.md", "---\nlang: ko\n---\n한국어로 쓴 문장이다.\n", source_id="work")
    assert index.store.runs.counts() == {"documents": 3, "chunks": 5, "assets": 2}
    assert index.store.runs.breakdown("lang") == {"en": 2, "ko": 1}
    assert index.store.runs.breakdown("source_id") == {"default": 2, "work": 1}
    assert index.store.runs.breakdown("media_type") == {"markdown": 3}
    assert index.store.runs.last_ingest_at() == index.database.scalar("SELECT max(updated_at) FROM documents")
