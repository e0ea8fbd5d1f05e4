"""The scan file lost, cut, changed and exchanged: results stay those of the exact engine, and a rebuild mends it."""

import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from kebab.vectors.scan import ScanEngine
from kebab.vectors.scan.layout import HEADER_BYTES, payload_bytes
from vectors.scan_bench import DIMENSIONS, MATRIX, PARTS, reader, right, survives
from vectors.vector_bench import MemoryTable

pytestmark = pytest.mark.usefixtures("signs_decide")


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
