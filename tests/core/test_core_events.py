from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import get_args

import pytest

from kebab.core.asset import Source
from kebab.core.chunk import ChunkPolicy, breadcrumb
from kebab.core.events import Counts, IngestEvent, IngestFinished, IngestItem, IngestReport, SkipCount
from kebab.core.query import AnalysedQuery, Filters


def report(*items: IngestItem) -> IngestReport:
    return IngestReport(Source("default", Path("/kb")), Counts(), 1, {}, {}, items, 0)


def test_the_kinds_of_events_are_those_of_the_wire() -> None:
    kinds = [event.kind for event in get_args(IngestEvent) if event is not IngestFinished]
    assert kinds == [
        "scan_started",
        "scan_completed",
        "asset_started",
        "asset_phase",
        "pdf_ocr_started",
        "pdf_ocr_finished",
        "asset_chunked",
        "asset_timings",
        "asset_finished",
        "embed_batch_started",
        "embed_batch_finished",
        "tuning_started",
    ]


@pytest.mark.parametrize(("aborted", "kind"), [(False, "completed"), (True, "aborted")])
def test_the_last_event_says_how_the_run_ended(aborted: bool, kind: str) -> None:
    assert IngestFinished("2024-01-01T00:00:00Z", Counts(), report(), aborted).kind == kind


def test_notable_items_are_those_that_failed_or_warned() -> None:
    failed = IngestItem("error", "a.md", error="no")
    warned = IngestItem("new", "b.md", warnings=("malformed table at line 3",))
    assert report(IngestItem("new", "c.md"), failed, warned).notable() == (failed, warned)


def test_a_report_without_items_has_nothing_notable() -> None:
    silent = IngestReport(Source("default", Path("/kb")), Counts(), 1, {}, {}, None, 0)
    assert silent.notable() == ()


@pytest.mark.parametrize("value", [Counts(), SkipCount(), Filters(), ChunkPolicy()])
def test_values_are_frozen(value: object) -> None:
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        value.anything = 1  # type: ignore[attr-defined]


def test_filters_are_true_once_anything_is_set() -> None:
    assert not Filters()
    assert Filters(tags=("a",))
    assert Filters(ingested_after="2024-01-01T00:00:00Z")


def test_an_analysed_query_is_true_once_there_is_something_to_find() -> None:
    assert not AnalysedQuery((), (), ())
    assert AnalysedQuery((), (), ("한글",))


@pytest.mark.parametrize(
    ("title", "headings", "expected"),
    [
        ("Guide", ("Install", "Linux"), "Guide > Install > Linux"),
        ("Install", ("Install", "Linux"), "Install > Linux"),
        ("Linux", ("Install", "Linux"), "Linux > Install > Linux"),
        ("Guide", (), "Guide"),
        ("", ("Install",), "Install"),
        ("", (), ""),
    ],
)
def test_a_breadcrumb_names_the_title_once(title: str, headings: tuple[str, ...], expected: str) -> None:
    assert breadcrumb(title, headings) == expected


def test_the_policy_hash_changes_with_every_number_that_shapes_chunks() -> None:
    policies = [
        ChunkPolicy(),
        ChunkPolicy(target_tokens=400),
        ChunkPolicy(overlap_tokens=0),
        ChunkPolicy(max_chunk_tokens=5000),
        ChunkPolicy(respect_markdown_headings=False),
    ]
    assert len({policy.policy_hash() for policy in policies}) == len(policies)
    assert ChunkPolicy().policy_hash() == ChunkPolicy(500, 80, 4000, True).policy_hash()
