"""Scale: synthetic notes of up to 1,000,000 chunks, ingested by kebab itself and searched by a process that lives on.

Usage: python benchmarks/scale.py [--sizes N,N] [--words FOLDER] [--work DIR] [--model] [--queries N]

States what an ingest costs a chunk (the first and the last tenth of it, so that one sees whether it is linear), memory,
sizes, and the CPU and wall time of searches without and with filters. Everything lies in DIR and is taken up where it
was left; figures of an ingest are those of the runs that made the index. Vectors are noise unless --model is given:
the built-in model needs 7 ms a passage, hours for a million chunks. Questions are embedded by it in any case.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measure import environment, machine, table, write_config
from scale_corpus import lexicons, write

HERE = Path(__file__).parent
REPOSITORY = HERE.parent
SIZES = "10000,100000"
INGEST = ["chunks", "files", "CPU ms/chunk", "first tenth", "last tenth", "wall ms/chunk", "peak MB", "own MB"]
SIZE = ["chunks", "text MB", "database MB", "kept scores MB", "vector file MB", "vectors"]
SEARCH = ["chunks", "mode", "filter", "queries", "CPU ms median", "p95", "wall ms median", "p95"]


def prepare(size: int, work: Path, words: Path, seed: int) -> Path:
    """Notes and a config for them."""
    notes, home = work / f"notes{size}", work / f"home{size}"
    if not (work / f"notes{size}.whole").exists():
        write(notes, size, lexicons(words, seed), seed)
        (work / f"notes{size}.whole").touch()
    home.mkdir(parents=True, exist_ok=True)
    return write_config(home, notes)


def ingest(config: Path, portion: int, *, model: bool) -> list[dict[str, float]]:
    """What every run cost that made this index, as it was told portion by portion."""
    log = config.parent / "ingest.jsonl"
    lines = told(log)
    if not lines or not lines[-1]["done"]:
        command = [sys.executable, str(HERE / "scale_ingest.py"), str(config), "--portion", str(portion)]
        with log.open("a", encoding="utf-8") as out:
            subprocess.run(
                command + ([] if model else ["--stand-in"]), env=environment(str(config.parent)), stdout=out, check=True
            )
    return told(log)


def told(log: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


def ingest_row(lines: Sequence[dict[str, float]]) -> list[str]:
    """Of a log; where a run was stopped and taken up, its portions follow those of the run before."""
    steps = []
    before = {"chunks": 0.0, "cpu_s": 0.0, "wall_s": 0.0}
    for line in lines:
        if line["chunks"] < before["chunks"] or line["cpu_s"] < before["cpu_s"]:
            before = {"chunks": 0.0, "cpu_s": 0.0, "wall_s": 0.0}
        steps.append([line[name] - before[name] for name in before])
        before = {name: line[name] for name in before}
    chunks, cpu, wall = (sum(column) for column in zip(*steps, strict=True))
    tenth = max(1, len(steps) // 10)
    # The end of a run also brings derived files up to date, which is no cost of its last few chunks.
    parts = [part for part in steps if part[0] > chunks / len(steps) / 2]
    first, last = (
        sum(row[1] for row in rows) / sum(row[0] for row in rows) for rows in (parts[:tenth], parts[-tenth:])
    )
    ms = [f"{1000 * value:.2f}" for value in (cpu / chunks, first, last, wall / chunks)]
    memory = [f"{max(line.get(name, 0) for line in lines):.0f}" for name in ("peak_mb", "own_mb")]
    memory = [text if text != "0" else "-" for text in memory]
    files = sum(line["files"] for line in lines if line["done"])
    return [f"{chunks:.0f}", f"{files:.0f}", *ms, *memory]


def size_row(config: Path) -> list[str]:
    from contextlib import closing

    import apsw

    data = config.parent / "data"
    with closing(apsw.Connection(str(data / "kebab.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)) as index:
        counts = [str(index.execute(f"SELECT count(*) FROM {name}").get) for name in ("chunks", "embedding_records")]
        text = int(str(index.execute("SELECT sum(file_size) FROM documents").get))
    files = (data / "kebab.sqlite", data / "kebab.sqlite.impacts", *(data / "vectors").glob("*.scan"))
    sizes = [path.stat().st_size if path.exists() else 0 for path in files]
    return [counts[0], *(f"{value / 1e6:.0f}" for value in (text, sizes[0], sizes[1], sum(sizes[2:]))), counts[1]]


def search_rows(config: Path, queries: int) -> list[list[str]]:
    command = [sys.executable, str(HERE / "scale_search.py"), str(config), "--queries", str(queries), "--json"]
    env = environment(str(config.parent))
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True)
    return [list(map(str, row.values())) for row in json.loads(done.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--words", type=Path, default=REPOSITORY, help="a folder of text whose words are used")
    parser.add_argument("--work", type=Path, help="keep notes and indexes here")
    parser.add_argument("--model", action="store_true", help="embed with the built-in model")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(machine())
    ingested, sizes, searched = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        for size in map(int, options.sizes.split(",")):
            config = prepare(size, work, options.words, options.seed)
            ingested.append(ingest_row(ingest(config, max(1000, size // 50), model=options.model)))
            sizes.append(size_row(config))
            searched += [[sizes[-1][0], *row] for row in search_rows(config, options.queries)]
    print(table(INGEST, ingested))
    print(table(SIZE, sizes))
    print(table(SEARCH, searched))


if __name__ == "__main__":
    main()
