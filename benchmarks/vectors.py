"""CPU per vector search and recall@10: the scan engine against LanceDB's flat scan and numpy, asked in turns.

The scan engine asks a SQLite table of the store's form for the vectors it compares exactly, and that is counted.
LanceDB and numpy hold all vectors themselves and give keys only, which is less than an engine owes.

Usage: python benchmarks/vectors.py [--real VECTORS.npy] [--questions VECTORS.npy] [--small] [--limit N]
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import numpy as np  # noqa: TID253
from measure import machine, own_cpu, table

from kebab.core.embedding import Vector
from kebab.store.sql import Database
from kebab.store.vector_table import StoredVectors
from kebab.vectors.packed import pack
from kebab.vectors.scan import ScanEngine

RECALL_AT = 10
SCHEMA = """
CREATE TABLE chunks (chunk_key INTEGER PRIMARY KEY, doc_key INTEGER, text TEXT);
CREATE TABLE embeddings (embedding_key INTEGER PRIMARY KEY, vector BLOB);
CREATE TABLE embedding_records (record_key INTEGER PRIMARY KEY AUTOINCREMENT, model_key INTEGER, chunk_key INTEGER,
  role INTEGER, embedding_key INTEGER);
CREATE TABLE removed_records (record_key INTEGER PRIMARY KEY, model_key INTEGER);
"""
# What a search costs a process that has just started, and how much of its memory the file takes.
COLD = """
import sys, numpy, apsw
sys.path.insert(0, sys.argv[1])
from vectors import cold
cold(*sys.argv[2:])
"""

Matrix = np.ndarray[Any, np.dtype[np.float32]]
Search = Callable[[Vector], list[int]]


class Data(NamedTuple):
    name: str
    matrix: Matrix
    questions: Matrix


def clustered(rows: int, dimensions: int, questions: int, seed: int = 1) -> Data:
    """Groups of about a hundred with as much noise as direction; questions are rows with some more noise."""
    random = np.random.default_rng(seed)
    middle = random.normal(size=(rows // 100, dimensions)).astype(np.float32)
    matrix = middle[random.integers(0, len(middle), rows)]
    for start in range(0, rows, 100_000):
        part = matrix[start : start + 100_000]
        part += random.normal(size=part.shape).astype(np.float32)
    chosen = matrix[random.choice(rows, questions, replace=False)]
    noise = random.normal(size=chosen.shape).astype(np.float32)
    return Data(f"clustered {rows:,} x {dimensions}", units(matrix), units(chosen + 0.5 * noise))


def real(path: Path, questions: Path | None, count: int) -> Data:
    matrix = units(np.load(path).astype(np.float32))
    if questions is not None:
        asked = units(np.load(questions).astype(np.float32))[:count]
        return Data(f"real {len(matrix):,} x {matrix.shape[1]}", matrix, asked)
    chosen = np.random.default_rng(1).choice(len(matrix), count, replace=False)
    rest = np.delete(matrix, chosen, axis=0)
    return Data(f"real {len(rest):,} x {rest.shape[1]}", rest, matrix[chosen])


def units(matrix: Matrix) -> Matrix:
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix


def stored(matrix: Matrix, path: Path) -> StoredVectors:
    """A SQLite table of the store's form, with texts of a usual size between what is read."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = wal; PRAGMA cache_size = -16000").fetchall()
    connection.execute(SCHEMA)

    def rows() -> Iterator[tuple[int, bytes]]:
        for start in range(0, len(matrix), 10_000):
            part = [line.tobytes() for line in matrix[start : start + 10_000]]
            yield from enumerate(pack(part), start + 1)

    with connection:
        keys = [(key, key // 5 + 1, "x" * 600) for key in range(1, len(matrix) + 1)]
        connection.executemany("INSERT INTO chunks VALUES (?, ?, ?)", keys)
        connection.executemany("INSERT INTO embeddings VALUES (?, ?)", rows())
        records = ((key, 1, key, 0, key) for key in range(1, len(matrix) + 1))
        connection.executemany("INSERT INTO embedding_records VALUES (?, ?, ?, ?, ?)", records)
    return StoredVectors(Database(connection), 1, matrix.shape[1], "benchmark")


def lance(matrix: Matrix, folder: Path, limit: int) -> Search:
    import lancedb
    import pyarrow as pa

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), matrix.shape[1])
    rows = pa.table({"record_key": pa.array(np.arange(1, len(matrix) + 1)), "vector": vectors})
    flat = lancedb.connect(str(folder)).create_table("benchmark", data=rows)

    def search(question: Vector) -> list[int]:
        query = flat.search(np.frombuffer(question, "<f4"), vector_column_name="vector").distance_type("cosine")
        keys: list[int] = query.select(["record_key", "_distance"]).limit(limit).to_arrow()["record_key"].to_pylist()
        return keys

    return search


def exact(matrix: Matrix, limit: int) -> Search:
    def search(question: Vector) -> list[int]:
        cosines = matrix @ np.frombuffer(question, "<f4")
        best = np.argpartition(-cosines, limit)[:limit]
        found: list[int] = (best[np.argsort(-cosines[best])] + 1).tolist()
        return found

    return search


def compare(data: Data, limit: int, folder: Path) -> list[list[str]]:
    source = stored(data.matrix, folder / "store.sqlite")
    engine = ScanEngine(folder / "scan", writable=True)
    before = own_cpu()
    engine.follow(source)
    built = own_cpu() - before
    searches: dict[str, Search] = {
        "scan": lambda question: [each.record_key for each in engine.nearest(source, question, limit, None)],
        "LanceDB flat": lance(data.matrix, folder / "lance", limit),
        "numpy exact": exact(data.matrix, limit),
    }
    spent, recalls = in_turns(searches, [line.tobytes() for line in data.questions])
    size = engine.size() / 1e6
    first, rest, memory = map(float, started(folder, data.matrix.shape[1], limit, data.questions).split())
    notes = {"scan": f"file {size:.0f} MB in {built:.1f} s; new process: first {first:.0f} ms, then {rest:.1f} ms, "
             f"memory +{memory:.0f} MB"}  # fmt: skip
    return [
        [data.name, name, f"{cost:.1f}", f"{cost / spent['scan']:.1f}", f"{recalls[name]:.3f}", notes.get(name, "")]
        for name, cost in spent.items()
    ]


def in_turns(searches: dict[str, Search], questions: list[Vector]) -> tuple[dict[str, float], dict[str, float]]:
    """Median CPU milliseconds per question, threads included, and recall@10 against numpy."""
    times: dict[str, list[float]] = {name: [] for name in searches}
    found = dict.fromkeys(searches, 0)
    for question in questions[:2]:
        for search in searches.values():
            search(question)
    for question in questions:
        results = {}
        for name, search in searches.items():
            # Until threads of the one before have come to rest; waiting costs nothing.
            time.sleep(0.1)
            before = own_cpu()
            results[name] = search(question)
            times[name].append((own_cpu() - before) * 1000)
        for name, keys in results.items():
            found[name] += len(set(keys[:RECALL_AT]) & set(results["numpy exact"][:RECALL_AT]))
    medians = {name: float(np.median(each)) for name, each in times.items()}
    return medians, {name: count / RECALL_AT / len(questions) for name, count in found.items()}


def started(folder: Path, dimensions: int, limit: int, questions: Matrix) -> str:
    np.save(folder / "questions.npy", questions)
    here = str(Path(__file__).resolve().parent)
    command = [sys.executable, "-c", COLD, here, str(folder), str(dimensions), str(limit)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def cold(folder: str, dimensions: str, limit: str) -> None:
    """In a process of its own: CPU of the first search and of later ones, and the growth of memory in MB."""
    connection = apsw.Connection(f"{folder}/store.sqlite")
    connection.execute("PRAGMA cache_size = -16000")
    source = StoredVectors(Database(connection), 1, int(dimensions), "benchmark")
    questions = [line.tobytes() for line in np.load(f"{folder}/questions.npy")]
    engine = ScanEngine(Path(folder) / "scan", writable=False)
    before = resident()
    times = []
    for question in questions:
        start = own_cpu()
        engine.nearest(source, question, int(limit), None)
        times.append((own_cpu() - start) * 1000)
    print(times[0], float(np.median(times[1:])), resident() - before)


def resident() -> float:
    """MB in memory: now where the system tells, else at most until now."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=Path, help="embeddings, one per line")
    parser.add_argument("--questions", type=Path, help="embeddings of questions; without it some of --real are asked")
    parser.add_argument("--small", action="store_true", help="leave out the million")
    parser.add_argument("--limit", type=int, default=10)
    options = parser.parse_args()
    print(machine())
    makers: list[Callable[[], Data]] = [lambda: clustered(100_000, 512, 40)]
    if not options.small:
        makers.append(lambda: clustered(1_000_000, 384, 10))
    if options.real is not None:
        makers.append(lambda: real(options.real, options.questions, 200))
    rows = []
    for make in makers:
        with tempfile.TemporaryDirectory() as name:
            rows += compare(make(), options.limit, Path(name))
    header = ["vectors", "search", "CPU ms", "x scan", f"recall@{RECALL_AT}", "notes"]
    print(table(header, rows))


if __name__ == "__main__":
    main()
