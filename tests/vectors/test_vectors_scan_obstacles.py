"""Interrupted and refused writes: a killed process, a full disk, a folder that is none. Searches stay right."""

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kebab.vectors.scan import ScanEngine, file
from kebab.vectors.scan.layout import HEADER_BYTES
from vectors.scan_bench import MATRIX, reader, right
from vectors.vector_bench import MemoryTable

pytestmark = pytest.mark.usefixtures("signs_decide")


def test_a_follow_that_is_killed_half_way_is_taken_up_by_the_next(
    path: Path, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.add(MATRIX[600:660])
    for allowed in (0, 1, HEADER_BYTES, 700, 3000):
        with monkeypatch.context() as patch:
            patch.setattr(file, "_write_all", dies_after(allowed))
            with pytest.raises(KeyboardInterrupt):
                ScanEngine(path.parent, writable=True).follow(table)
        assert right(reader(path), table)
        ScanEngine(path.parent, writable=True).follow(table)
        assert reader(path).problem(table) is None
        table.add(MATRIX[allowed % 700 :][:10])


def dies_after(allowed: int, error: BaseException | None = None) -> Callable[[Any, Iterable[bytes]], None]:
    def write(out: Any, pieces: Iterable[bytes]) -> None:
        out.write(b"".join(pieces)[:allowed])
        raise error or KeyboardInterrupt

    return write


def test_a_full_disk_costs_no_result_and_leaves_no_draft(
    path: Path, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = path.stat().st_size
    table.add(MATRIX[600:660])
    monkeypatch.setattr(file, "_write_all", dies_after(500, OSError(errno.ENOSPC, "no space left")))
    scan = ScanEngine(path.parent, writable=True)
    scan.follow(table)
    assert path.stat().st_size == size, "what could not be written whole was taken back"
    assert right(scan, table)
    path.write_bytes(b"damaged")
    assert right(scan, table)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_cannot_be_replaced_costs_no_result(
    path: Path, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "in use")

    path.write_bytes(b"damaged")
    monkeypatch.setattr(Path, "replace", refused)
    scan = ScanEngine(path.parent, writable=True)
    scan.follow(table)
    assert right(scan, table)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_folder_that_is_a_file_costs_no_result(tmp_path: Path, table: MemoryTable) -> None:
    table.add(MATRIX[:300])
    (tmp_path / "vectors").write_text("not a folder")
    scan = ScanEngine(tmp_path / "vectors", writable=True)
    scan.follow(table)
    assert right(scan, table)
    assert scan.problem(table) is not None
    scan.drop(table.table_id)
    assert scan.size() == 0


def test_a_folder_in_the_place_of_the_file_costs_no_result(path: Path, table: MemoryTable) -> None:
    path.unlink()
    path.mkdir()
    scan = ScanEngine(path.parent, writable=True)
    assert right(scan, table)
    assert scan.problem(table) is not None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_costs_no_result(path: Path, table: MemoryTable) -> None:
    path.unlink()
    path.parent.chmod(0o500)
    try:
        scan = ScanEngine(path.parent, writable=True)
        scan.follow(table)
        assert right(scan, table)
        assert scan.problem(table) is not None
    finally:
        path.parent.chmod(0o700)
