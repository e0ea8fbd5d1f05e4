"""A scan file in several segments and the questions that show whether searches over it are right."""

from functools import cache
from pathlib import Path

from kebab.core.embedding import Neighbour
from kebab.vectors.exact import ExactEngine
from kebab.vectors.scan import ScanEngine
from vectors.vector_bench import MemoryTable, clustered, near

DIMENSIONS = 100
MATRIX = clustered(800, DIMENSIONS, centres=10)
QUESTIONS = near(MATRIX[:700:300])
FILTER = frozenset(range(1, 100, 3))
PARTS = (400, 30, 5, 120)


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
