"""The Lance engine: the contract, damage to its files, few files over time, and what happens without its packages."""

import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np  # noqa: TID253
import pytest

from contracts.vector_engine_contract import VectorEngineContract
from kebab.core.errors import IoFailure, MissingExtra, ReadonlyMode
from kebab.core.ports import VectorEngine
from kebab.vectors.exact import ExactEngine
from kebab.vectors.lance import LanceEngine, engine
from kebab.vectors.lance.dataset import Found
from vectors.vector_bench import MemoryTable, as_vectors, clustered, keys_of, near

if TYPE_CHECKING:
    from kebab.vectors.arrays import Floats

QUESTIONS = near(clustered(3, 64))


class TestLanceEngine(VectorEngineContract):
    def make(self, folder: Path) -> VectorEngine:
        return LanceEngine(folder, writable=True)


@pytest.fixture
def table() -> MemoryTable:
    table = MemoryTable(64)
    table.add(clustered(300, 64))
    return table


@pytest.fixture
def lance(tmp_path: Path, table: MemoryTable) -> LanceEngine:
    lance = LanceEngine(tmp_path / "vectors", writable=True)
    lance.follow(table)
    return lance


def right(lance: LanceEngine, table: MemoryTable) -> bool:
    return all(
        lance.nearest(table, question, 10, documents) == ExactEngine().nearest(table, question, 10, documents)
        for question in QUESTIONS
        for documents in (None, {1, 7, 30, 44})
    )


def survives(lance: LanceEngine, table: MemoryTable) -> None:
    for each in (lance, LanceEngine(lance._folder, writable=False)):
        assert right(each, table)
        assert each.problem(table) is not None
    assert lance.rebuild(table) == table.count()
    assert lance.problem(table) is None
    assert right(lance, table)


def test_a_deleted_folder_costs_no_result(lance: LanceEngine, table: MemoryTable) -> None:
    shutil.rmtree(lance._dataset(table).path)
    assert lance.problem(table) == "the Lance table is missing"
    survives(lance, table)


@pytest.mark.parametrize("part", ["data", "_versions"])
def test_a_deleted_file_costs_no_result(lance: LanceEngine, table: MemoryTable, part: str) -> None:
    for path in (lance._dataset(table).path / part).iterdir():
        path.unlink()
    survives(lance, table)


def test_a_file_of_garbage_costs_no_result(lance: LanceEngine, table: MemoryTable) -> None:
    for path in (lance._dataset(table).path / "data").iterdir():
        path.write_bytes(b"garbage" * 100)
    survives(LanceEngine(lance._folder, writable=True), table)


def test_a_damaged_table_is_mended_by_the_next_ingest(lance: LanceEngine, table: MemoryTable) -> None:
    for path in (lance._dataset(table).path / "data").iterdir():
        path.unlink()
    table.add(clustered(5, 64, seed=4))
    lance.follow(table)
    assert lance.problem(table) is None
    assert right(lance, table)


def test_rows_of_another_state_of_the_table_are_told_apart(lance: LanceEngine, table: MemoryTable) -> None:
    twin = MemoryTable(64, table.table_id)
    twin.add(clustered(300, 64)[::-1])
    assert lance.problem(twin) == "the Lance table has rows that differ from the table's"
    survives(lance, twin)


def test_a_follow_that_was_interrupted_adds_no_row_twice(
    lance: LanceEngine, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BATCH_ROWS", 40)
    table.add(clustered(100, 64, seed=8))
    add = engine.Dataset.add
    done: list[int] = []

    def dies(self: engine.Dataset, rows: list[object], *, fresh: bool) -> None:
        if done:
            raise KeyboardInterrupt
        done.append(len(rows))
        add(self, rows, fresh=fresh)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(engine.Dataset, "add", dies)
        with pytest.raises(KeyboardInterrupt):
            lance.follow(table)
    assert right(lance, table)
    lance.follow(table)
    assert lance.problem(table) is None
    assert lance._dataset(table).keys().tolist() == list(range(1, 401))


def test_removed_rows_leave_the_lance_table(lance: LanceEngine, table: MemoryTable) -> None:
    table.remove([4, 5])
    lance.follow(table)
    assert lance._dataset(table).keys().tolist() == [1, 2, 3, *range(6, 301)]


def test_rows_that_are_lost_or_doubled_are_reported_and_mended(lance: LanceEngine, table: MemoryTable) -> None:
    dataset = lance._dataset(table)
    dataset.delete([50, 51])
    assert lance.problem(table) == "the Lance table lacks rows of the table"
    lance.follow(table)
    assert lance.problem(table) is None
    dataset.add(table.at([7, 8]), fresh=False)
    assert lance.problem(table) is None
    dataset.add(table.at([7, 8]), fresh=True)
    assert lance.problem(table) == "the Lance table has rows twice"
    lance.follow(table)
    assert lance.problem(table) is None


def test_equals_that_lance_left_out_are_asked_for(
    lance: LanceEngine, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = table.add(clustered(1, 64, seed=30).repeat(400, axis=0))
    lance.follow(table)
    nearest = engine.Dataset.nearest

    def largest_keys_first(
        self: engine.Dataset, question: "Floats", count: int, documents: Collection[int] | None
    ) -> Found:
        found = nearest(self, question, 700, documents)
        order = np.lexsort((-found.keys, -found.cosines.round(5)))[:count]
        return Found(found.keys[order], found.docs[order], found.cosines[order])

    monkeypatch.setattr(engine.Dataset, "nearest", largest_keys_first)
    (question,) = as_vectors(clustered(1, 64, seed=30))
    assert keys_of(lance.nearest(table, question, 5, None)) == twins[:5]


def test_many_small_follows_leave_few_files(lance: LanceEngine, table: MemoryTable) -> None:
    for number in range(6):
        table.add(clustered(3, 64, seed=number))
        table.remove([number + 1])
        lance.follow(table)
    fresh = LanceEngine(lance._folder, writable=False)
    assert fresh.problem(table) is None
    assert right(fresh, table)
    assert fresh._dataset(table)._opened().stats()["fragment_stats"]["num_fragments"] == 1


def test_an_engine_sees_what_another_one_wrote(lance: LanceEngine, table: MemoryTable) -> None:
    reader = LanceEngine(lance._folder, writable=False)
    assert right(reader, table)
    (key,) = table.add(clustered(1, 64, seed=12))
    lance.follow(table)
    assert reader._dataset(table).last_key() == key
    assert keys_of(reader.nearest(table, as_vectors(clustered(1, 64, seed=12))[0], 1, None)) == [key]


def test_it_does_not_write_when_it_may_not(tmp_path: Path, table: MemoryTable) -> None:
    lance = LanceEngine(tmp_path / "vectors", writable=False)
    lance.follow(table)
    assert right(lance, table)
    assert not (tmp_path / "vectors").exists()
    with pytest.raises(ReadonlyMode):
        lance.rebuild(table)


def test_a_folder_that_is_a_file_costs_no_result(tmp_path: Path, table: MemoryTable) -> None:
    (tmp_path / "vectors").write_text("not a folder")
    lance = LanceEngine(tmp_path / "vectors", writable=True)
    lance.follow(table)
    assert right(lance, table)
    with pytest.raises(IoFailure):
        lance.rebuild(table)


def test_without_its_packages_it_names_the_extra(
    tmp_path: Path, table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lancedb", None)
    lance = LanceEngine(tmp_path, writable=True)
    with pytest.raises(MissingExtra) as failure:
        lance.nearest(table, QUESTIONS[0], 10, None)
    assert failure.value.hint == "pip install 'kebab[lance]'"
    for call in (lance.follow, lance.rebuild, lance.problem):
        with pytest.raises(MissingExtra):
            call(table)
