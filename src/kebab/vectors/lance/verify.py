"""What is wrong with a Lance table: every row of it against the store's table."""

from typing import TYPE_CHECKING

from kebab.core.embedding import VectorRow
from kebab.core.ports import VectorTable
from kebab.vectors.lance.dataset import Broken, Dataset, Stored
from kebab.vectors.packed import unpack

if TYPE_CHECKING:
    from kebab.vectors.arrays import Keys

_BATCH_ROWS = 4096
_SAMPLE = 256
_SAME_NUMBER = 1e-4


def problem(dataset: Dataset, table: VectorTable) -> str | None:
    """None when the Lance table says what the table says, as far as it goes."""
    if not dataset.path.exists():
        return "the Lance table is missing" if table.count() else None
    try:
        return _differences(dataset, table)
    except Broken as error:
        return f"the Lance table cannot be read: {error}"


def _differences(dataset: Dataset, table: VectorTable) -> str | None:
    import numpy as np

    keys = dataset.keys()
    last = int(keys[-1]) if len(keys) else 0
    if last > table.last_key():
        return "the Lance table has rows that the table never had"
    if len(np.unique(keys)) < len(keys):
        return "the Lance table has rows twice"
    removed = np.array(table.removed(), np.int64)
    alive = 0
    for part in dataset.stored(_BATCH_ROWS):
        rows = table.at(part.numbers[:, 0].tolist())
        flaw = _difference(part, rows, removed, table.dimensions)
        if flaw is not None:
            return flaw
        alive += len(rows)
    if alive != table.count() - sum(1 for _ in table.rows(last)):
        return "the Lance table lacks rows of the table"
    return None


def plausible(dataset: Dataset, table: VectorTable, keys: "Keys") -> bool:
    """Whether the Lance table, which has these keys, seems to be the table's. Cheap enough for every ingest."""
    import numpy as np

    if not len(keys):
        return True
    if int(keys[-1]) > table.last_key() or len(np.unique(keys)) < len(keys):
        return False
    chosen = np.unique(keys[np.linspace(0, len(keys) - 1, _SAMPLE).astype(np.int64)]).tolist()
    removed = np.array(table.removed(), np.int64)
    return all(
        _difference(part, table.at(part.numbers[:, 0].tolist()), removed, table.dimensions) is None
        for part in dataset.stored(_BATCH_ROWS, chosen)
    )


def _difference(part: Stored, rows: list[VectorRow], removed: "Keys", dimensions: int) -> str | None:
    import numpy as np

    order = np.argsort(part.numbers[:, 0])
    part = Stored(part.numbers[order], part.vectors[order])
    rows = sorted(rows, key=lambda row: row.record_key)
    numbers = np.array([row[:4] for row in rows], np.int64).reshape(-1, 4)
    there = np.isin(part.numbers[:, 0], numbers[:, 0])
    if not np.isin(part.numbers[~there, 0], removed).all():
        return "the Lance table has rows that the table does not have and did not remove"
    vectors = unpack([row.packed for row in rows], dimensions)
    if not np.array_equal(part.numbers[there], numbers) or (
        rows and float(np.abs(part.vectors[there] - vectors).max()) > _SAME_NUMBER
    ):
        return "the Lance table has rows that differ from the table's"
    return None
