"""Steps of a reading, and what is worth keeping of files that were left aside."""

from pathlib import Path

import pytest

from kebab.core.asset import Source
from kebab.core.events import Aside, Counts, IngestItem, IngestReport
from kebab.core.phases import PagePhase, Phase, PhaseKind, Steps, finish


def reading(*, fails: bool = False) -> Steps[str]:
    yield Phase(PhaseKind.OCR, "eyes")
    yield PagePhase(1, 2)
    if fails:
        raise ValueError("no eyes")
    return "text"


def test_whoever_does_not_care_for_steps_gets_the_result() -> None:
    assert finish(reading()) == "text"


def test_what_goes_wrong_on_the_way_is_not_lost() -> None:
    with pytest.raises(ValueError, match="no eyes"):
        finish(reading(fails=True))


def test_a_report_keeps_some_of_each_sort_that_could_not_be_read() -> None:
    reasons = [("no_ocr", "install it")] * 3 + [("no_text", None)] * 2 + [("generated", None), ("encrypted", "open it")]
    items = [
        IngestItem("skipped", f"{place}.x", aside=Aside(reason, "why", hint))
        for place, (reason, hint) in enumerate(reasons)
    ]
    source = Source("default", Path("/kb"))
    report = IngestReport(source, Counts(), 1, {}, {}, (IngestItem("new", "a.md"), *items), 0)
    assert [item.doc_path for item in report.unread(2)] == ["0.x", "1.x", "3.x", "4.x", "6.x"]
    assert IngestReport(source, Counts(), 1, {}, {}, None, 0).unread(2) == ()
