"""One Lance table: rows in, nearest rows out. The only module that knows LanceDB; its faults come out as `Broken`."""

import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kebab.core.embedding import VectorRow
from kebab.core.errors import KebabError, MissingExtra
from kebab.vectors.naming import make_private
from kebab.vectors.packed import unpack

if TYPE_CHECKING:
    from kebab.vectors.arrays import Floats, Keys

# A version that a search of another process may still be reading is kept so long.
_KEEP_VERSIONS = timedelta(minutes=2)
_KEYS_PER_DELETE = 1000


class Broken(Exception):
    """The Lance table cannot be read or written."""


class Found(NamedTuple):
    """What Lance takes for the nearest rows, nearest first."""

    keys: "Keys"
    docs: "Keys"
    cosines: "Floats"


class Stored(NamedTuple):
    """Rows as Lance keeps them."""

    numbers: "Keys"
    vectors: "Floats"


def need_lancedb() -> None:
    """Raises MissingExtra where the optional packages are not installed."""
    try:
        import lancedb  # noqa: F401
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "the lance vector engine needs the packages lancedb and pyarrow",
            hint="pip install 'kebab[lance]'",
            extra="lance",
        ) from error


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except KebabError:
        raise
    # Damaged files show as RuntimeError, ValueError, OSError or a Rust panic with a class of its own.
    except Exception as error:
        raise Broken(str(error).partition("\n")[0][:200]) from error


class Dataset:
    """A Lance table in `folder`, which may not exist yet. A damaged one opens, and breaks when it is read."""

    def __init__(self, folder: Path, name: str, dimensions: int) -> None:
        self._folder = folder
        self._name = name
        self._dimensions = dimensions
        self._table: Any = None
        self._last: tuple[int, int] | None = None

    @property
    def path(self) -> Path:
        return self._folder / f"{self._name}.lance"

    def create(self) -> None:
        """An empty table in the place of whatever is there."""
        import lancedb
        import pyarrow as pa

        with _faults():
            make_private(self._folder)
            self.remove()
            kinds = {"record_key": pa.int64(), "chunk_key": pa.int64(), "doc_key": pa.int64(), "role": pa.uint8()}
            schema = pa.schema({**kinds, "vector": pa.list_(pa.float32(), self._dimensions)})
            self._table = lancedb.connect(str(self._folder), read_consistency_interval=timedelta(0)).create_table(
                self._name, schema=schema
            )

    def remove(self) -> None:
        self._table, self._last = None, None
        shutil.rmtree(self.path, ignore_errors=True)

    def _opened(self) -> Any:  # noqa: ANN401 - LanceDB's table, which has no useful types
        import lancedb

        if self._table is None:
            # Without an interval, what other processes write is not seen.
            connection = lancedb.connect(str(self._folder), read_consistency_interval=timedelta(0))
            self._table = connection.open_table(self._name)
        return self._table

    def keys(self) -> "Keys":
        """All record keys, sorted."""
        import numpy as np

        with _faults():
            column = self._opened().search().select(["record_key"]).to_arrow()["record_key"]
            return np.sort(column.to_numpy().astype(np.int64))

    def last_key(self) -> int:
        """The largest record key; it is the state of the table, so there is no other record of it."""
        with _faults():
            version = int(self._opened().version)
        if self._last is None or self._last[0] != version:
            keys = self.keys()
            self._last = (version, int(keys[-1]) if len(keys) else 0)
        return self._last[1]

    def add(self, rows: Sequence[VectorRow], *, fresh: bool) -> None:
        """One commit. Rows that are there already are replaced, unless the table is known to be new."""
        with _faults():
            batch = self._batch(rows)
            if fresh:
                self._opened().add(batch)
                return
            merge = self._opened().merge_insert("record_key")
            merge.when_matched_update_all().when_not_matched_insert_all().execute(batch)

    def _batch(self, rows: Sequence[VectorRow]) -> Any:  # noqa: ANN401 - an Arrow table
        import numpy as np
        import pyarrow as pa

        numbers = np.array([row[:4] for row in rows], np.int64).T
        flat = pa.array(unpack([row.packed for row in rows], self._dimensions).ravel())
        vectors = pa.FixedSizeListArray.from_arrays(flat, self._dimensions)
        columns = [pa.array(numbers[0]), pa.array(numbers[1]), pa.array(numbers[2])]
        names = ["record_key", "chunk_key", "doc_key", "role", "vector"]
        return pa.table([*columns, pa.array(numbers[3].astype(np.uint8)), vectors], names=names)

    def delete(self, keys: Sequence[int]) -> None:
        with _faults():
            for start in range(0, len(keys), _KEYS_PER_DELETE):
                part = ",".join(str(key) for key in keys[start : start + _KEYS_PER_DELETE])
                self._opened().delete(f"record_key IN ({part})")

    def tidy(self) -> None:
        """Small files become large ones, and versions nobody reads any more go."""
        with _faults():
            self._opened().optimize(cleanup_older_than=_KEEP_VERSIONS)

    def nearest(self, question: "Floats", count: int, documents: Collection[int] | None) -> Found:
        """By a flat scan of the rows that pass the filter. Vectors are of unit length, so their product is the cosine,
        and other than Lance's cosine it is a number for a vector of zeros too."""
        import numpy as np

        with _faults():
            search = self._opened().search(question, vector_column_name="vector").distance_type("dot")
            if documents is not None:
                listed = ",".join(str(int(document)) for document in documents)
                search = search.where(f"doc_key IN ({listed})", prefilter=True)
            columns = ["record_key", "doc_key", "_distance"]
            result = search.bypass_vector_index().select(columns).limit(count).to_arrow()
            distances = result["_distance"].to_numpy().astype(np.float32)
            return Found(result["record_key"].to_numpy(), result["doc_key"].to_numpy(), 1 - distances)

    def stored(self, batch_rows: int, keys: Sequence[int] | None = None) -> Iterator[Stored]:
        """Everything, or the rows with these few keys, in any order."""
        import numpy as np

        with _faults():
            query = self._opened().search()
            if keys is not None:
                query = query.where(f"record_key IN ({','.join(map(str, keys))})")
            for batch in query.to_batches(batch_rows):
                columns = [batch[name].to_numpy() for name in ("record_key", "chunk_key", "doc_key", "role")]
                vectors = batch["vector"].flatten().to_numpy().reshape(-1, self._dimensions)
                yield Stored(np.array(columns, np.int64).T, vectors)
