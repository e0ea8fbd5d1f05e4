"""The exact engine fulfils the contract, and is right by a comparison that shares no code with it."""

from pathlib import Path

import numpy as np  # noqa: TID253

from contracts.vector_engine_contract import VectorEngineContract
from kebab.core.ports import VectorEngine
from kebab.vectors.exact import ExactEngine
from vectors.vector_bench import MemoryTable, as_vectors, clustered, keys_of, near


class TestExactEngine(VectorEngineContract):
    def make(self, folder: Path) -> VectorEngine:
        return ExactEngine()


def test_its_order_is_that_of_the_cosines() -> None:
    matrix = clustered(500, 96)
    table = MemoryTable(96)
    table.add(matrix)
    for question in near(matrix[:20]):
        line = np.frombuffer(question, "<f4").astype(np.float64)
        cosines = matrix.astype(np.float64) @ (line / np.linalg.norm(line))
        found = ExactEngine().nearest(table, question, 10, None)
        wanted = set((np.argsort(-cosines)[:10] + 1).tolist())
        assert len(wanted & set(keys_of(found))) >= 9, "half the bits of a number are kept"
        assert all(abs(cosines[each.record_key - 1] - each.cosine) < 0.001 for each in found)


def test_a_vector_of_zeros_is_as_far_as_can_be_told() -> None:
    table = MemoryTable(64)
    table.add(np.zeros((1, 64), np.float32))
    (found,) = ExactEngine().nearest(table, as_vectors(clustered(1, 64))[0], 3, None)
    assert found.cosine == 0
