"""kebab beside what one would write by hand: SQLite FTS5, LanceDB, and ripgrep as the floor, over the same folder.

Usage: python benchmarks/rivals.py FOLDER [--queries N]

Each one runs in a process of its own: CPU of the whole index, its size, peak memory, and the median CPU of a warm query
made of a heading of the folder. The scripts by hand know no change of files, no citations and no Korean morphemes.
"""

import argparse
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from measure import environment, machine, own_cpu, table

SNIPPET, PASSAGE, TOP = 220, 600, 10
HEADER = ["", "index CPU s", "index MB", "peak MB", "warm query CPU ms", "p95"]


class Rival(NamedTuple):
    """Answers a query; `made` are the files of its index."""

    ask: Callable[[str], object]
    made: Path | None


def files(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.md")):
        yield str(path.relative_to(folder)), path.read_text("utf-8", "replace")


def questions(folder: Path, count: int) -> list[str]:
    """Headings from all over the folder, without marks."""
    found = [
        " ".join(re.findall(r"\w+", line))
        for _, text in files(folder)
        for line in re.findall(r"^#{1,4} +(.{8,80})$", text, re.MULTILINE)
    ]
    found = list(dict.fromkeys(filter(None, found)))
    return found[:: max(1, len(found) // count)][:count]


def fts5(folder: Path, home: Path) -> Rival:
    import sqlite3

    index = sqlite3.connect(home / "hand.sqlite")
    index.execute("CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text, tokenize = 'porter unicode61')")
    index.executemany("INSERT INTO notes VALUES (?, ?)", files(folder))
    index.commit()
    sql = f"SELECT path, snippet(notes, 1, '', '', '...', 30) FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT {TOP}"

    def ask(query: str) -> object:
        return index.execute(sql, (" OR ".join(f'"{word}"' for word in query.split()),)).fetchall()

    return Rival(ask, home)


def lance(folder: Path, home: Path) -> Rival:
    import lancedb
    import numpy as np

    from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
    from kebab.embed.use import UseEmbedder

    embedder = UseEmbedder(EmbeddingSettings(threads=1), ModelFolders(home / "pulled", home / "cache"))
    passages = [(path, text[at : at + PASSAGE]) for path, text in files(folder) for at in range(0, len(text), PASSAGE)]

    def vectors(texts: Sequence[str], kind: EmbeddingKind) -> Any:
        raw = embedder.embed(list(texts), kind)
        return np.frombuffer(b"".join(raw), np.float32).reshape(len(texts), -1)

    rows = []
    for at in range(0, len(passages), 256):
        part = passages[at : at + 256]
        found = vectors([text for _, text in part], EmbeddingKind.DOCUMENT)
        rows += [{"path": path, "text": text, "vector": line} for (path, text), line in zip(part, found, strict=True)]
    notes = lancedb.connect(home / "lance").create_table("notes", rows)

    def ask(query: str) -> object:
        return notes.search(vectors([query], EmbeddingKind.QUERY)[0]).limit(TOP).select(["path", "text"]).to_list()

    return Rival(ask, home / "lance")


def kebab(folder: Path, home: Path, mode: str) -> Rival:
    from kebab.app.facade import App
    from kebab.app.scope import ScopeRequest
    from kebab.config import load
    from kebab.core.query import Query, SearchMode

    provider = "none" if mode == "lexical" else "builtin"
    flags = {"workspace.root": folder, "storage.data_dir": home / "data", "models.embedding.provider": provider}
    app = App(load(flags, env={"HOME": str(home)}))
    for _ in app.ingest(ScopeRequest()):
        pass
    return Rival(lambda query: app.search(Query(query, SearchMode(mode), TOP)), home / "data")


def ripgrep(folder: Path, home: Path) -> Rival:  # noqa: ARG001 - the others' signature
    def ask(query: str) -> object:
        longest = max(query.split(), key=len)
        command = ["rg", "--threads", "1", "-i", "-c", "--", longest, str(folder)]
        return subprocess.run(command, capture_output=True, check=False).stdout

    return Rival(ask, None)


RIVALS: dict[str, Callable[[Path, Path], Rival]] = {
    "kebab, by words": lambda folder, home: kebab(folder, home, "lexical"),
    "kebab, by words and meaning": lambda folder, home: kebab(folder, home, "hybrid"),
    "SQLite FTS5 by hand": fts5,
    "LanceDB by hand, the same model": lance,
    "ripgrep, one word, unranked": ripgrep,
}


def spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own_cpu() + children.ru_utime + children.ru_stime


def measure_one(name: str, folder: Path, count: int) -> None:
    asked = questions(folder, count + 5)
    with tempfile.TemporaryDirectory() as scratch:
        before = spent()
        rival = RIVALS[name](folder, Path(scratch))
        indexed = spent() - before
        taken = []
        for query in asked:
            start = spent()
            rival.ask(query)
            taken.append((spent() - start) * 1000)
        made = [path for path in rival.made.rglob("*") if path.is_file()] if rival.made else []
        size = sum(path.stat().st_size for path in made) / 1e6
    # The first ones load what the others find in memory.
    warm = sorted(taken[5:])
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    figures = [indexed, size, peak, statistics.median(warm), warm[int(len(warm) * 0.95) - 1]]
    print(json.dumps([f"{value:.{digits}f}" for value, digits in zip(figures, (1, 1, 0, 1, 1), strict=True)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--one", choices=RIVALS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure_one(options.one, options.folder.resolve(), options.queries)
        return
    print(machine())
    rows = []
    for name in RIVALS:
        if name.startswith("ripgrep") and shutil.which("rg") is None:
            print("ripgrep is left out: there is no rg here (Debian: apt install ripgrep)")
            continue
        command = [sys.executable, __file__, str(options.folder), "--queries", str(options.queries), "--one", name]
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(command, env=environment(home), capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name} is left out: {done.stderr.strip().splitlines()[-1]}")
            continue
        rows.append([name, *json.loads(done.stdout.splitlines()[-1])])
    print(table(HEADER, rows))


if __name__ == "__main__":
    main()
