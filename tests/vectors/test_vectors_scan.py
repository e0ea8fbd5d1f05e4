"""The scan engine: the contract, what its file looks like over time, and that searches see one state of the table."""

import stat
import threading
from pathlib import Path

import pytest

from contracts.vector_engine_contract import VectorEngineContract, recall
from kebab.core.embedding import VectorRow
from kebab.core.errors import IoFailure, ReadonlyMode, RetrievalError
from kebab.core.ports import VectorEngine, VectorTable
from kebab.vectors.exact import ExactEngine
from kebab.vectors.scan import ScanEngine, engine, search, segment
from kebab.vectors.scan.file import append, opened, promote
from vectors.vector_bench import MemoryTable, as_vectors, clustered, keys_of, near


class ReadonlyScan(ScanEngine):
    """Has no files, so there is nothing to rebuild and nothing that could be wrong."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, writable=False)

    def rebuild(self, table: VectorTable) -> int:
        return table.count()

    def problem(self, table: VectorTable) -> str | None:
        return None


class TestScanEngine(VectorEngineContract):
    def make(self, folder: Path) -> VectorEngine:
        return ScanEngine(folder, writable=True)


class TestScanEngineThatMayNotWrite(VectorEngineContract):
    def make(self, folder: Path) -> VectorEngine:
        return ReadonlyScan(folder)


@pytest.fixture
def table() -> MemoryTable:
    table = MemoryTable(100)
    table.add(clustered(800, 100))
    return table


@pytest.fixture
def scan(tmp_path: Path) -> ScanEngine:
    return ScanEngine(tmp_path / "data" / "vectors", writable=True)


def segments_of(scan: ScanEngine, table: MemoryTable) -> int:
    found = opened(file_of(scan, table), engine._owner(table))
    assert found.flaw is None
    return len(found.segments)


def file_of(scan: ScanEngine, table: MemoryTable) -> Path:
    return scan._path(table.table_id)


def agrees(scan: VectorEngine, table: MemoryTable, seed: int = 3) -> bool:
    (question,) = near(clustered(1, table.dimensions, seed=seed))
    return scan.nearest(table, question, 10, None) == ExactEngine().nearest(table, question, 10, None)


def test_more_rows_than_are_compared_exactly_still_give_the_exact_results(scan: ScanEngine) -> None:
    matrix = clustered(8000, 512, centres=60)
    table = MemoryTable(512)
    table.add(matrix)
    scan.follow(table)
    assert recall(scan, table, near(matrix[::800])) >= 0.99


def test_rows_in_many_blocks_and_segments_are_one_table(scan: ScanEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment, "SEGMENT_ROWS", 300)
    monkeypatch.setattr(segment, "BATCH_ROWS", 70)
    monkeypatch.setattr(search, "BLOCK_ROWS", 64)
    for name, value in {"COARSE": 60, "COARSE_PER_RESULT": 4, "FINE": 40, "FEW": 45}.items():
        monkeypatch.setattr(search, name, value)
    table = MemoryTable(512)
    matrix = clustered(1000, 512, centres=30)
    table.add(matrix)
    table.remove(list(range(10, 300, 7)))
    scan.rebuild(table)
    assert segments_of(scan, table) > 3
    for number in range(0, 1000, 50):
        question = as_vectors(matrix)[number]
        for documents in (None, set(range(1, 200, 2)), {2, 60, 10**14}):
            exact = ExactEngine().nearest(table, question, 5, documents)
            assert scan.nearest(table, question, 5, documents) == exact


def test_each_follow_adds_a_segment_until_there_are_too_many(scan: ScanEngine, table: MemoryTable) -> None:
    scan.follow(table)
    counts = [segments_of(scan, table)]
    for number in range(18):
        table.add(clustered(3, 100, seed=number))
        scan.follow(table)
        counts.append(segments_of(scan, table))
    assert counts[:16] == list(range(1, 17))
    assert min(counts[16:]) == 1
    assert scan.problem(table) is None
    assert agrees(scan, table)


def test_many_removed_rows_leave_the_file(scan: ScanEngine, table: MemoryTable) -> None:
    scan.follow(table)
    before = scan.size()
    table.remove(list(range(1, 100)))
    scan.follow(table)
    assert scan.size() == before, "few removed rows stay where they are"
    table.remove(list(range(100, 300)))
    scan.follow(table)
    assert scan.size() < before * 0.7
    assert scan.problem(table) is None
    assert agrees(scan, table)


def test_a_search_without_a_file_makes_one(scan: ScanEngine, table: MemoryTable) -> None:
    assert agrees(scan, table)
    assert scan.problem(table) is None
    assert segments_of(scan, table) == 1


def test_a_search_that_may_not_write_leaves_no_trace(tmp_path: Path, table: MemoryTable) -> None:
    reader = ScanEngine(tmp_path / "vectors", writable=False)
    assert agrees(reader, table)
    reader.follow(table)
    assert not (tmp_path / "vectors").exists()
    with pytest.raises(ReadonlyMode):
        reader.rebuild(table)
    assert reader.problem(table) == "the scan file is missing"


def test_rows_behind_the_file_are_read_once(
    tmp_path: Path, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ScanEngine(tmp_path, writable=True).follow(table)
    table.add(clustered(50, 100, seed=4))
    asked: list[int] = []
    rows = MemoryTable.rows
    monkeypatch.setattr(MemoryTable, "rows", lambda self, after: asked.append(after) or rows(self, after))
    reader = ScanEngine(tmp_path, writable=False)
    (question,) = near(clustered(1, 100))
    for _ in range(3):
        reader.nearest(table, question, 10, None)
    table.remove([table.last_key()])
    reader.nearest(table, question, 10, None)
    assert asked == [800]
    (new,) = table.add(clustered(1, 100, seed=5))
    assert keys_of(reader.nearest(table, as_vectors(clustered(1, 100, seed=5))[0], 1, None)) == [new]
    assert asked == [800, 850]


def test_a_search_writes_a_new_file_when_much_is_behind_it(
    scan: ScanEngine, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_LONGEST_TAIL", 30)
    scan.follow(table)
    size = scan.size()
    table.add(clustered(30, 100, seed=4))
    assert agrees(scan, table)
    assert scan.size() == size
    table.add(clustered(1, 100, seed=5))
    assert agrees(scan, table)
    assert scan.size() > size
    assert scan.problem(table) is None
    assert opened(file_of(scan, table), engine._owner(table)).segments[-1].last() == 831


def test_a_search_whose_new_file_is_replaced_by_an_older_one_loses_no_rows(
    scan: ScanEngine, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan.follow(table)
    path = file_of(scan, table)
    older = path.read_bytes()
    path.unlink()
    new = clustered(1, 100, seed=5)
    (key,) = table.add(new)

    def promote_and_lose(name: Path, path: Path) -> None:
        promote(name, path)
        path.write_bytes(older)

    monkeypatch.setattr(engine.file, "promote", promote_and_lose)
    for _ in range(2):
        assert keys_of(scan.nearest(table, as_vectors(new)[0], 1, None)) == [key]


def test_a_long_lived_search_sees_a_file_that_grew_and_one_that_was_replaced(
    tmp_path: Path, table: MemoryTable
) -> None:
    writer, reader = ScanEngine(tmp_path, writable=True), ScanEngine(tmp_path, writable=False)
    writer.follow(table)
    assert agrees(reader, table)
    table.add(clustered(40, 100, seed=6))
    writer.follow(table)
    assert agrees(reader, table)
    assert sum(len(part) for part in reader._held[table.table_id].opened.segments) == 840
    table.remove(list(range(1, 400)))
    writer.rebuild(table)
    assert agrees(reader, table)
    assert sum(len(part) for part in reader._held[table.table_id].opened.segments) == 441


def test_a_search_sees_its_own_state_of_the_table_while_another_writes(scan: ScanEngine, table: MemoryTable) -> None:
    earlier = table.snapshot()
    table.add(clustered(200, 100, seed=3))
    table.remove([1, 2])
    scan.follow(table)
    trusting = ScanEngine(file_of(scan, table).parent, writable=False)
    assert agrees(trusting, earlier)
    assert len(trusting._held[table.table_id].opened.segments) == 1, "a file that is ahead is not a wrong one"
    assert agrees(trusting, table)


def test_a_row_that_is_gone_and_not_known_as_removed_costs_a_second_look_only(
    scan: ScanEngine, table: MemoryTable
) -> None:
    scan.follow(table)
    (question,) = near(clustered(1, 100, seed=3))
    table.remove(keys_of(scan.nearest(table, question, 3, None)))
    table.forget()
    assert agrees(scan, table)
    assert len(scan._held[table.table_id].opened.segments) == 1


def test_files_and_folders_are_private(scan: ScanEngine, table: MemoryTable) -> None:
    scan.follow(table)
    path = file_of(scan, table)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert path.stat().st_size == scan.size()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_was_replaced_meanwhile_is_not_extended(scan: ScanEngine, table: MemoryTable) -> None:
    scan.follow(table)
    path, owner = file_of(scan, table), engine._owner(table)
    before = opened(path, owner)
    table.remove([1])
    scan.rebuild(table)
    size = scan.size()
    new = segment.from_rows([VectorRow(5000, 1, 1, 0, bytes(200))], 100)
    append(path, before, [new], owner)
    assert scan.size() == size


def test_drafts_of_a_killed_process_are_swept(scan: ScanEngine, table: MemoryTable) -> None:
    scan.follow(table)
    path = file_of(scan, table)
    leftover = path.with_name(path.name + ".123-abcd.draft")
    leftover.write_bytes(b"half of a file")
    scan.follow(table)
    assert not leftover.exists()


def test_a_vector_of_another_length_is_refused(scan: ScanEngine, table: MemoryTable) -> None:
    with pytest.raises(RetrievalError, match="64 numbers"):
        scan.nearest(table, near(clustered(1, 64))[0], 10, None)


def test_a_rebuild_that_cannot_write_says_so(tmp_path: Path, table: MemoryTable) -> None:
    (tmp_path / "vectors").write_bytes(b"a file where the folder should be")
    scan = ScanEngine(tmp_path / "vectors", writable=True)
    with pytest.raises(IoFailure) as failure:
        scan.rebuild(table)
    assert failure.value.hint


def test_threads_share_an_engine(scan: ScanEngine, table: MemoryTable) -> None:
    results: list[bool] = []

    def ask(seed: int) -> None:
        results.extend(agrees(scan, table, seed) for _ in range(10))

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 40
