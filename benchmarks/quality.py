"""Retrieval quality: each row of a set becomes a file, is ingested by kebab itself, and is searched for.

Usage: python benchmarks/quality.py DATA [SET ...] [--limit N] [--modes M,M] [--keep DIR] [--set KEY=VALUE]

A row in a programming language becomes a source file, any other a Markdown file. With --keep the indexes stay in DIR,
so that a second run embeds nothing again; one of other files is made anew.
"""

import argparse
import json
import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from measure import machine, own_cpu, table

from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import load
from kebab.core.query import Query, SearchMode

DEFAULT_SETS = ("tydiqa-ko", "k8s-ko-en-sections", "scifact-beir", "cosqa", "multihop-hotpotqa", "squad2-dev")
EXTENSIONS = {"python": ".py"}
DEPTH = 10
# A document may give several chunks, so more chunks than documents are asked for.
CHUNKS = 60


def rows(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def relevance(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text("utf-8").splitlines():
        query, document, grade = line.split("\t")
        if grade.isdigit() and int(grade) > 0:
            found.setdefault(query, {})[document] = int(grade)
    return found


def notes_of(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """One file per row: its name, the id of its document, its content."""
    for number, row in enumerate(rows(folder / "corpus.jsonl")):
        name = f"{number // 1000:03d}/{number:06d}{EXTENSIONS.get(str(row.get('lang')), '.md')}"
        title = str(row.get("title") or "").strip()
        text = f"# {title}\n\n{row['text']}\n" if title else f"{row['text']}\n"
        yield name, str(row["id"]), text.encode("utf-8")


def write_notes(folder: Path, home: Path) -> dict[str, str]:
    """Gives the document id of each file name. What an earlier run left of other files goes, and its index with it."""
    notes = home / "notes"
    names = {name: document for name, document, _ in notes_of(folder)}
    if not is_of(folder, notes, names):
        for stale in (notes, home / "data"):
            if stale.exists():
                shutil.rmtree(stale)
        for name, _, content in notes_of(folder):
            path = notes / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return names


def is_of(folder: Path, notes: Path, names: Mapping[str, str]) -> bool:
    """Whether the files are those of this set, all of them and no others."""
    kept = {path.relative_to(notes).as_posix() for path in notes.rglob("*") if path.is_file()}
    return kept == names.keys() and all((notes / name).read_bytes() == text for name, _, text in notes_of(folder))


def ranked_documents(app: App, query: Query, names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names[hit.doc_path] for hit in app.search(query).hits))[:DEPTH]


def scores(found: list[str], wanted: Mapping[str, int]) -> tuple[float, float, float, float]:
    """hit@1, recall@10, MRR@10, nDCG@10."""
    first = next((rank for rank, document in enumerate(found, start=1) if document in wanted), 0)
    gain = sum((2 ** wanted.get(document, 0) - 1) / math.log2(rank + 1) for rank, document in enumerate(found, start=1))
    ideal = sum(
        (2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(sorted(wanted.values())[::-1][:DEPTH], 1)
    )
    recall = sum(document in wanted for document in found) / len(wanted)
    return float(first == 1), recall, 1 / first if first else 0.0, gain / ideal


def measure_set(folder: Path, home: Path, options: argparse.Namespace) -> Iterator[list[str]]:
    """One line per mode, all over the same index."""
    names = write_notes(folder, home)
    given = dict(text.split("=", 1) for text in options.set)
    flags = {"workspace.root": home / "notes", "storage.data_dir": home / "data", **given}
    app = App(load(flags, env={"HOME": str(home)}))
    started = own_cpu()
    for _ in app.ingest(ScopeRequest()):
        pass
    ingested = own_cpu() - started
    wanted = relevance(folder / "qrels.tsv")
    asked = [row for row in rows(folder / "queries.jsonl") if str(row["id"]) in wanted][: options.limit]
    for mode in options.modes.split(","):
        before = own_cpu()
        results = [
            scores(
                ranked_documents(app, Query(str(row["text"]), SearchMode(mode), CHUNKS), names), wanted[str(row["id"])]
            )
            for row in asked
        ]
        per_query = (own_cpu() - before) / len(results) * 1000
        yield line(folder.name, mode, results, (ingested, per_query))
    app.close()


def line(name: str, mode: str, results: Sequence[tuple[float, ...]], costs: tuple[float, float]) -> list[str]:
    means = [sum(column) / len(results) for column in zip(*results, strict=True)]
    return [name, mode, str(len(results)), *(f"{mean:.4f}" for mean in means), f"{costs[0]:.1f}", f"{costs[1]:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*", default=[])
    parser.add_argument("--limit", type=int, help="only the first N queries of each set")
    parser.add_argument("--modes", default="lexical,vector,hybrid")
    parser.add_argument("--keep", type=Path, help="keep the indexes in this folder")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of kebab's")
    options = parser.parse_args()
    print(machine())
    chosen = options.sets or [name for name in DEFAULT_SETS if (options.data / name).is_dir()]
    header = ["set", "mode", "queries", "hit@1", "recall@10", "MRR@10", "nDCG@10", "ingest CPU s", "query CPU ms"]
    with tempfile.TemporaryDirectory() as scratch:
        home = options.keep or Path(scratch)
        found = [row for name in chosen for row in measure_set(options.data / name, home / name, options)]
    print(table(header, found))


if __name__ == "__main__":
    main()
