"""A table whose scan file has several segments and some removed rows."""

from pathlib import Path

import pytest

from kebab.vectors.scan import ScanEngine, file, search
from kebab.vectors.scan.engine import _owner
from vectors.scan_bench import DIMENSIONS, MATRIX, PARTS, QUESTIONS
from vectors.vector_bench import MemoryTable, keys_of


@pytest.fixture
def signs_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a small table, so that damaged signs would lose results."""
    for name, value in {"COARSE": 200, "FINE": 100, "FEW": 90}.items():
        monkeypatch.setattr(search, name, value)


@pytest.fixture
def table() -> MemoryTable:
    return MemoryTable(DIMENSIONS)


@pytest.fixture
def path(tmp_path: Path, table: MemoryTable) -> Path:
    """The file of a table in four segments with some removed rows."""
    scan = ScanEngine(tmp_path / "vectors", writable=True)
    for rows in PARTS:
        table.add(MATRIX[table.count() :][:rows])
        scan.follow(table)
    table.remove(keys_of(scan.nearest(table, QUESTIONS[0], 20, None)))
    found = file.opened(scan._path(table.table_id), _owner(table))
    assert len(found.segments) == len(PARTS)
    assert found.flaw is None
    return scan._path(table.table_id)
