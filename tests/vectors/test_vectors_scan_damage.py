"""The scan file lost, cut, changed and exchanged: results stay those of the exact engine, and a rebuild mends it."""

import errno
import os
import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from contracts.vector_engine_contract import MemoryTable, clustered, keys_of, near
from kebab.core.embedding import Neighbour
from kebab.vectors.exact import ExactEngine
from kebab.vectors.scan import ScanEngine, file, search
from kebab.vectors.scan.engine import _owner
from kebab.vectors.scan.layout import HEADER_BYTES, payload_bytes

DIMENSIONS = 100
MATRIX = clustered(800, DIMENSIONS, centres=10)
QUESTIONS = near(MATRIX[:700:300])
FILTER = frozenset(range(1, 100, 3))
PARTS = (400, 30, 5, 120)


@pytest.fixture(autouse=True)
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


@cache
def exact(table: MemoryTable, _state: int, question: int, filtered: bool) -> list[Neighbour]:
    return ExactEngine().nearest(table, QUESTIONS[question], 10, FILTER if filtered else None)


def right(scan: ScanEngine, table: MemoryTable) -> bool:
    state = hash((table.last_key(), tuple(table.removed())))
    return all(
        scan.nearest(table, QUESTIONS[question], 10, FILTER if filtered else None)
        == exact(table, state, question, filtered)
        for question in range(len(QUESTIONS))
        for filtered in (False, True)
    )


def reader(path: Path) -> ScanEngine:
    return ScanEngine(path.parent, writable=False)


def survives(path: Path, table: MemoryTable) -> None:
    """Right without writing, reported, right again when a search may mend it, and whole then."""
    assert right(reader(path), table)
    assert reader(path).problem(table) is not None
    writer = ScanEngine(path.parent, writable=True)
    assert right(writer, table)
    assert writer.problem(table) is None
    assert right(reader(path), table)


def boundaries() -> list[int]:
    ends = [0]
    for rows in PARTS:
        ends.append(ends[-1] + HEADER_BYTES + payload_bytes(rows, DIMENSIONS))
    return ends


def test_the_file_is_as_long_as_its_segments(path: Path) -> None:
    assert path.stat().st_size == boundaries()[-1]


def test_a_file_cut_between_segments_merely_lags_behind(path: Path, table: MemoryTable) -> None:
    raw = path.read_bytes()
    for end in boundaries()[1:-1]:
        path.write_bytes(raw[:end])
        assert right(reader(path), table)
        assert reader(path).problem(table) is None


def cuts() -> Iterable[int]:
    chosen = random.Random(5)
    around = {end + step for end in boundaries() for step in (-1, 1, 7, HEADER_BYTES, HEADER_BYTES + 1)}
    anywhere = {chosen.randrange(boundaries()[-1]) for _ in range(20)}
    return sorted(cut for cut in around | anywhere if 0 < cut < boundaries()[-1] and cut not in boundaries())


def test_a_file_cut_anywhere_gives_no_wrong_result(path: Path, table: MemoryTable) -> None:
    raw = path.read_bytes()
    for cut in cuts():
        path.write_bytes(raw[:cut])
        survives(path, table)


def test_a_changed_byte_anywhere_gives_no_wrong_result(path: Path, table: MemoryTable) -> None:
    chosen = random.Random(6)
    raw = path.read_bytes()
    headers = [start + chosen.randrange(HEADER_BYTES) for start in boundaries()[:-1] for _ in range(5)]
    for place in headers + [chosen.randrange(len(raw)) for _ in range(40)]:
        changed = bytearray(raw)
        changed[place] ^= 1 << chosen.randrange(8)
        path.write_bytes(changed)
        survives(path, table)


def test_many_changed_bytes_give_no_wrong_result(path: Path, table: MemoryTable) -> None:
    chosen = random.Random(7)
    raw = path.read_bytes()
    for _ in range(15):
        changed = bytearray(raw)
        start = chosen.randrange(len(raw))
        length = chosen.randrange(1, 5000)
        changed[start : start + length] = chosen.randbytes(length)
        path.write_bytes(changed)
        survives(path, table)


def grown_header(raw: bytes) -> bytes:
    """The header claims more rows than any file has."""
    return raw[:16] + (2**62).to_bytes(8, "little") + raw[24:]


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"\0" * 4096, b"kebabSGM", b"no such thing\n" * 500, grown_header],
    ids=["empty", "a byte", "zeros", "magic", "text", "huge"],
)
def test_a_file_of_something_else_gives_no_wrong_result(
    path: Path, table: MemoryTable, content: bytes | Callable[[bytes], bytes]
) -> None:
    path.write_bytes(content(path.read_bytes()) if callable(content) else content)
    survives(path, table)


def test_a_lost_file_gives_no_wrong_result(path: Path, table: MemoryTable) -> None:
    path.unlink()
    assert reader(path).problem(table) == "the scan file is missing"
    survives(path, table)


def test_the_file_of_another_table_is_not_used(path: Path, table: MemoryTable) -> None:
    other = MemoryTable(DIMENSIONS, "another")
    other.add(MATRIX[::-1])
    scan = ScanEngine(path.parent, writable=True)
    scan.follow(other)
    scan._path("another").replace(path)
    assert "another table" in (reader(path).problem(table) or "")
    survives(path, table)


def test_segments_of_the_same_table_in_another_order_are_not_used(path: Path, table: MemoryTable) -> None:
    raw, ends = path.read_bytes(), boundaries()
    path.write_bytes(raw[: ends[1]] + raw[ends[2] : ends[3]] + raw[ends[1] : ends[2]] + raw[ends[3] :])
    survives(path, table)


def test_a_segment_that_is_lost_from_the_middle_is_missed(path: Path, table: MemoryTable) -> None:
    raw, ends = path.read_bytes(), boundaries()
    path.write_bytes(raw[: ends[1]] + raw[ends[2] :])
    survives(path, table)
    path.write_bytes(raw[ends[1] :])
    survives(path, table)


def test_a_sound_file_that_lacks_rows_is_reported_and_mended(path: Path, table: MemoryTable) -> None:
    fewer = table.snapshot()
    fewer.remove([50, 51, 52])
    scan = ScanEngine(path.parent, writable=True)
    scan.rebuild(fewer)
    assert scan.problem(table) == "the scan file lacks rows of the table"
    scan.follow(table)
    assert scan.problem(table) is None
    assert right(reader(path), table)


def test_a_sound_file_of_another_state_of_the_table_gives_no_wrong_result(path: Path, table: MemoryTable) -> None:
    twin = MemoryTable(DIMENSIONS, table.table_id)
    twin.add(MATRIX[sum(PARTS) - 1 :: -1])
    assert reader(path).problem(twin) == "the scan file has rows that differ from the table's"
    survives(path, twin)


def test_removed_rows_that_nobody_knows_of_are_reported(path: Path, table: MemoryTable) -> None:
    table.forget()
    assert "does not have and did not remove" in (reader(path).problem(table) or "")
    assert right(reader(path), table)
    scan = ScanEngine(path.parent, writable=True)
    scan.follow(table)
    assert scan.problem(table) is None


def test_a_file_exchanged_while_it_is_mapped_gives_no_wrong_result(path: Path, table: MemoryTable) -> None:
    scan, raw = reader(path), path.read_bytes()
    assert right(scan, table)
    for content in (b"garbage" * 1000, raw[: boundaries()[2]], raw[:-3], raw):
        draft = path.with_suffix(".new")
        draft.write_bytes(content)
        draft.replace(path)
        assert right(scan, table)
    path.unlink()
    assert right(scan, table)


def test_bytes_changed_under_a_mapping_give_no_wrong_result(path: Path, table: MemoryTable) -> None:
    """The same file, the same size and the same time: only the comparison with the table can tell."""
    scan = reader(path)
    assert right(scan, table)
    before = path.stat()
    with path.open("r+b") as raw:
        raw.seek(HEADER_BYTES + 3 * 8 * PARTS[0] + 448)
        raw.write(bytes(8 * PARTS[0] * 2))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert right(scan, table)


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
