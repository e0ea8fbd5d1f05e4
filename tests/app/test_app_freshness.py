import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.app import freshness as module
from kebab.app.freshness import freshness, is_stale
from kebab.core.clock import rfc3339
from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow

if TYPE_CHECKING:
    from app_bench import Desk

TEXT = "# Note\n\nalpha\n"
# A time that counts as just now however slow the machine is.
SOON = int(time.time()) + 3600


@pytest.fixture
def row(desk: "Desk") -> DocumentRow:
    desk.write("a.md", TEXT)
    desk.ingest()
    return desk.rows()["a.md"]


def refuse(*_args: object, **_options: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_file_with_its_stamp_is_fresh_without_being_read(row: DocumentRow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "read_plain", refuse)
    assert freshness(row) is Freshness.FRESH


def test_a_file_of_another_size_is_changed_without_being_read(
    desk: "Desk", row: DocumentRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", TEXT + "more", at=1_700_000_100)
    monkeypatch.setattr(module, "read_plain", refuse)
    assert freshness(row) is Freshness.CHANGED


def test_other_content_of_the_same_size_is_changed(desk: "Desk", row: DocumentRow) -> None:
    desk.write("a.md", TEXT.replace("alpha", "omega"), at=1_700_000_100)
    assert freshness(row) is Freshness.CHANGED


def test_a_touched_file_with_the_same_content_is_fresh(desk: "Desk", row: DocumentRow) -> None:
    os.utime(desk.root / "a.md", (1_700_000_100, 1_700_000_100))
    assert freshness(row) is Freshness.FRESH


def test_a_file_that_was_just_written_is_looked_into(desk: "Desk") -> None:
    desk.write("now.md", TEXT, at=SOON)
    desk.ingest()
    row = desk.rows()["now.md"]
    assert row.stamp.mtime_ns == 0
    assert freshness(row) is Freshness.FRESH
    stamp = (desk.root / "now.md").stat()
    (desk.root / "now.md").write_text(TEXT.replace("alpha", "omega"))
    os.utime(desk.root / "now.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert freshness(row) is Freshness.CHANGED


def test_a_file_that_is_gone_is_missing(desk: "Desk", row: DocumentRow) -> None:
    (desk.root / "a.md").unlink()
    assert freshness(row) is Freshness.MISSING


def test_a_file_whose_folder_became_a_file_is_missing(desk: "Desk") -> None:
    desk.write("folder/a.md", TEXT)
    desk.ingest()
    row = desk.rows()["folder/a.md"]
    (desk.root / "folder/a.md").unlink()
    (desk.root / "folder").rmdir()
    desk.write("folder", "a file now")
    assert freshness(row) is Freshness.MISSING


def test_a_file_that_may_not_be_looked_at_is_unknown(row: DocumentRow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "stat", refuse)
    assert freshness(row) is Freshness.UNKNOWN


def test_a_file_that_may_not_be_read_is_unknown(
    desk: "Desk", row: DocumentRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", TEXT.replace("alpha", "omega"), at=1_700_000_100)
    monkeypatch.setattr(module, "read_plain", refuse)
    assert freshness(row) is Freshness.UNKNOWN


def test_a_large_file_is_not_read_to_decorate_a_hit(
    desk: "Desk", row: DocumentRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(desk.root / "a.md", (1_700_000_100, 1_700_000_100))
    monkeypatch.setattr(module, "_READ_LIMIT", 3)
    assert freshness(row) is Freshness.UNKNOWN


def test_a_pipe_in_its_place_is_not_waited_for(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(*_given: object) -> bytes:
        raise AssertionError("reading a pipe never ends")

    desk.write("empty.md", "")
    desk.ingest()
    row = desk.rows()["empty.md"]
    (desk.root / "empty.md").unlink()
    os.mkfifo(desk.root / "empty.md")
    monkeypatch.setattr(module, "read_plain", wait)
    assert freshness(row) is Freshness.UNKNOWN


@pytest.mark.parametrize(
    ("age", "threshold", "stale"),
    [(366, 365, True), (364, 365, False), (10_000, 0, False), (10_000, -1, False), (2, 1, True)],
)
def test_stale_is_a_matter_of_days(age: int, threshold: int, stale: bool) -> None:
    assert is_stale(rfc3339(datetime.now(UTC) - timedelta(days=age)), threshold) is stale
