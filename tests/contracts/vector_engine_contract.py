"""What every vector engine owes, as tests. A subclass in tests/vectors makes the engine."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from kebab.core.embedding import Vector
from kebab.core.ports import VectorEngine
from kebab.vectors.exact import ExactEngine
from vectors.vector_bench import MemoryTable, as_vectors, clustered, keys_of, near


def recall(engine: VectorEngine, table: MemoryTable, questions: Sequence[Vector], limit: int = 10) -> float:
    exact = ExactEngine()
    found = 0
    for question in questions:
        wanted = set(keys_of(exact.nearest(table, question, limit, None)))
        found += len(wanted & set(keys_of(engine.nearest(table, question, limit, None))))
    return found / (limit * len(questions))


class VectorEngineContract:
    def make(self, folder: Path) -> VectorEngine:
        raise NotImplementedError

    @pytest.fixture
    def engine(self, tmp_path: Path) -> VectorEngine:
        return self.make(tmp_path / "vectors")

    @pytest.fixture
    def table(self) -> MemoryTable:
        table = MemoryTable(64)
        table.add(clustered(600, 64))
        return table

    @pytest.mark.parametrize("dimensions", [100, 384, 512, 1024])
    def test_it_finds_what_an_exact_comparison_finds(self, engine: VectorEngine, dimensions: int) -> None:
        table = MemoryTable(dimensions)
        matrix = clustered(2500, dimensions)
        table.add(matrix)
        engine.follow(table)
        assert recall(engine, table, near(matrix[::250])) >= 0.99

    def test_cosines_keys_and_roles_are_those_of_the_table(self, engine: VectorEngine, table: MemoryTable) -> None:
        table.add(clustered(20, 64, seed=9), role=1)
        engine.follow(table)
        (question,) = near(clustered(20, 64, seed=9)[3:4])
        found = engine.nearest(table, question, 8, None)
        assert found == ExactEngine().nearest(table, question, 8, None)
        assert found[0].role == 1
        assert found[0].chunk_key == found[0].record_key + 7
        assert all(-1 <= neighbour.cosine <= 1 for neighbour in found)
        assert [neighbour.cosine for neighbour in found] == sorted((each.cosine for each in found), reverse=True)

    def test_a_table_without_rows_has_no_neighbours(self, engine: VectorEngine) -> None:
        table = MemoryTable(64)
        question = near(clustered(1, 64))[0]
        assert engine.nearest(table, question, 10, None) == []
        engine.follow(table)
        assert engine.nearest(table, question, 10, None) == []
        assert engine.rebuild(table) == 0
        assert engine.nearest(table, question, 10, {1}) == []
        assert engine.problem(table) is None

    def test_a_table_of_one_row(self, engine: VectorEngine) -> None:
        table = MemoryTable(64)
        (key,) = table.add(clustered(1, 64))
        engine.follow(table)
        (found,) = engine.nearest(table, as_vectors(clustered(1, 64))[0], 10, None)
        assert found.record_key == key
        assert found.cosine == pytest.approx(1.0, abs=1e-5)

    def test_a_limit_beyond_the_table_gives_all_of_it(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        found = engine.nearest(table, near(clustered(1, 64))[0], 5000, None)
        assert sorted(keys_of(found)) == list(range(1, 601))

    def test_a_limit_of_none_gives_nothing(self, engine: VectorEngine, table: MemoryTable) -> None:
        assert engine.nearest(table, near(clustered(1, 64))[0], 0, None) == []

    def test_only_the_given_documents_are_searched(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        question = near(clustered(1, 64))[0]
        found = engine.nearest(table, question, 12, [3, 77, 10**12])
        assert sorted(keys_of(found)) == [11, 12, 13, 14, 15, 381, 382, 383, 384, 385]
        assert engine.nearest(table, question, 12, {10**15}) == []
        assert engine.nearest(table, question, 12, []) == []

    def test_a_filter_that_keeps_one_row_in_a_thousand_still_fills_the_limit(self, engine: VectorEngine) -> None:
        table = MemoryTable(64)
        matrix = clustered(10_000, 64)
        table.add(matrix, per_document=2)
        engine.follow(table)
        question = near(matrix[:1])[0]
        # The documents that are furthest away, which no search without a filter would come across.
        last = ExactEngine().nearest(table, question, 10_000, None)[-5:]
        documents = {(neighbour.record_key - 1) // 2 + 1 for neighbour in last}
        found = engine.nearest(table, question, 5, documents)
        assert len(found) == 5
        assert found == ExactEngine().nearest(table, question, 5, documents)

    def test_a_filter_of_very_many_documents_works_too(self, engine: VectorEngine) -> None:
        table = MemoryTable(384)
        matrix = clustered(3000, 384)
        table.add(matrix, per_document=1)
        engine.follow(table)
        question = near(matrix[:1])[0]
        exact = keys_of(ExactEngine().nearest(table, question, 3000, None))
        distant = set(exact[1000:])
        found = keys_of(engine.nearest(table, question, 10, distant))
        assert len(found) == 10
        assert set(found) <= distant
        half = set(exact[1::2])
        assert keys_of(engine.nearest(table, question, 10, half)) == exact[1:20:2]

    def test_removed_rows_are_never_returned(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        question = near(clustered(600, 64)[5:6])[0]
        gone = keys_of(engine.nearest(table, question, 300, None))
        table.remove(gone)
        found = engine.nearest(table, question, 10, None)
        assert found == ExactEngine().nearest(table, question, 10, None)
        engine.follow(table)
        assert engine.nearest(table, question, 10, None) == found
        assert engine.problem(table) is None
        assert not set(gone) & set(keys_of(engine.nearest(table, question, 1000, None)))

    def test_rows_that_were_removed_and_forgotten_are_not_returned(
        self, engine: VectorEngine, table: MemoryTable
    ) -> None:
        engine.follow(table)
        question = near(clustered(600, 64)[5:6])[0]
        table.remove(keys_of(engine.nearest(table, question, 30, None)))
        table.forget()
        exact = ExactEngine().nearest(table, question, 10, None)
        assert engine.nearest(table, question, 10, None) == exact
        engine.follow(table)
        assert engine.nearest(table, question, 10, None) == exact
        assert engine.problem(table) is None

    def test_everything_removed_leaves_nothing(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        table.remove(list(range(1, 601)))
        question = near(clustered(1, 64))[0]
        assert engine.nearest(table, question, 10, None) == []
        engine.follow(table)
        assert engine.nearest(table, question, 10, None) == []
        assert engine.problem(table) is None

    def test_rows_added_after_it_followed_are_found(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        new = clustered(30, 64, seed=5)
        table.skip_keys(3)
        keys = table.add(new)
        assert engine.nearest(table, as_vectors(new)[7], 1, None)[0].record_key == keys[7]
        assert engine.problem(table) is None
        engine.follow(table)
        assert engine.nearest(table, as_vectors(new)[7], 1, None)[0].record_key == keys[7]
        assert engine.problem(table) is None

    def test_following_twice_adds_nothing(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        size = engine.size()
        question = near(clustered(1, 64))[0]
        found = engine.nearest(table, question, 700, None)
        engine.follow(table)
        assert engine.nearest(table, question, 700, None) == found
        assert engine.size() == size

    def test_it_can_be_rebuilt(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        table.remove([1, 2, 3])
        question = near(clustered(1, 64))[0]
        assert engine.rebuild(table) == 597
        assert engine.problem(table) is None
        assert engine.nearest(table, question, 10, None) == ExactEngine().nearest(table, question, 10, None)

    def test_equals_are_ordered_by_key(self, engine: VectorEngine) -> None:
        table = MemoryTable(100)
        table.add(clustered(1, 100).repeat(3000, axis=0))
        engine.follow(table)
        question = near(clustered(1, 100))[0]
        found = engine.nearest(table, question, 20, None)
        assert keys_of(found) == list(range(1, 21))
        table.remove([2, 5])
        assert keys_of(engine.nearest(table, question, 4, None)) == [1, 3, 4, 6]

    def test_two_tables_stay_apart(self, engine: VectorEngine, table: MemoryTable) -> None:
        other = MemoryTable(64, "Index/Model@1 (n)")
        other.add(clustered(50, 64, seed=7))
        wide = MemoryTable(100, table.table_id + "x")
        wide.add(clustered(50, 100, seed=8))
        for each in (table, other, wide):
            engine.follow(each)
        for each in (table, other, wide):
            question = near(clustered(1, each.dimensions))[0]
            assert engine.nearest(each, question, 10, None) == ExactEngine().nearest(each, question, 10, None)
            assert engine.problem(each) is None

    def test_another_index_does_not_see_what_was_derived_from_the_first(
        self, engine: VectorEngine, table: MemoryTable
    ) -> None:
        engine.follow(table)
        other = MemoryTable(64, "another")
        other.add(clustered(40, 64, seed=3))
        question = near(clustered(1, 64))[0]
        assert engine.nearest(other, question, 100, None) == ExactEngine().nearest(other, question, 100, None)

    def test_a_table_put_back_to_an_earlier_state_is_told_apart(self, engine: VectorEngine, table: MemoryTable) -> None:
        earlier = table.snapshot()
        table.add(clustered(100, 64, seed=21))
        engine.follow(table)
        question = near(clustered(1, 64))[0]
        assert engine.nearest(earlier, question, 20, None) == ExactEngine().nearest(earlier, question, 20, None)
        earlier.add(clustered(120, 64, seed=22))
        question = as_vectors(clustered(120, 64, seed=22))[5]
        engine.follow(earlier)
        assert engine.problem(earlier) is None
        assert engine.nearest(earlier, question, 20, None) == ExactEngine().nearest(earlier, question, 20, None)

    def test_a_search_that_began_before_rows_were_replaced_still_finds_them(
        self, engine: VectorEngine, table: MemoryTable
    ) -> None:
        engine.follow(table)
        earlier = table.snapshot()
        table.remove(list(range(1, 500)))
        table.add(clustered(499, 64))
        for derive in (engine.follow, engine.rebuild):
            derive(table)
            question = near(clustered(1, 64))[0]
            assert engine.nearest(earlier, question, 20, None) == ExactEngine().nearest(earlier, question, 20, None)
            assert engine.nearest(table, question, 20, None) == ExactEngine().nearest(table, question, 20, None)
            assert engine.problem(table) is None

    def test_dropping_leaves_nothing_and_harms_no_other_table(self, engine: VectorEngine, table: MemoryTable) -> None:
        engine.follow(table)
        alone = engine.size()
        other = MemoryTable(64, "another")
        other.add(clustered(40, 64, seed=3))
        engine.follow(other)
        engine.drop(other.table_id)
        engine.drop("never was")
        assert engine.size() == alone
        question = near(clustered(1, 64))[0]
        for each in (table, other):
            assert engine.nearest(each, question, 10, None) == ExactEngine().nearest(each, question, 10, None)

    def test_another_engine_on_the_same_folder_sees_what_was_derived(self, tmp_path: Path, table: MemoryTable) -> None:
        first, second = self.make(tmp_path / "v"), self.make(tmp_path / "v")
        question = near(clustered(1, 64))[0]
        for _ in range(3):
            first.follow(table)
            assert second.problem(table) is None
            assert second.nearest(table, question, 10, None) == ExactEngine().nearest(table, question, 10, None)
            table.add(clustered(40, 64, seed=table.last_key()))
            table.remove([table.last_key() - 1])
