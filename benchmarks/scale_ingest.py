"""One ingest of the scale benchmark in a process of its own: prints what it cost, portion by portion, as JSON lines.

Usage: python benchmarks/scale_ingest.py CONFIG [--stand-in] [--portion N]

With --stand-in the vectors are made from noise around the document's title instead of by the built-in model, which
needs hours for a million chunks on two cores. Everything else is the ingest a user runs; one that was stopped goes on.
"""

import argparse
import json
import re
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np  # noqa: TID253
from measure import own_cpu

from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.app.settings import load
from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, Vector
from kebab.core.events import AssetFinished, IngestFinished


class StandIn:
    """Vectors near one another for texts of one title, and the same ones for the same text."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        random = np.random.default_rng(1)
        self.model: EmbeddingModel = settings.identity()
        self._size = settings.dimensions
        self._middles = random.normal(size=(4096, self._size)).astype(np.float32)
        self._noise = random.normal(size=1 << 20).astype(np.float32)

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:  # noqa: ARG002 - the port's
        matrix = np.empty((len(texts), self._size), np.float32)
        for row, text in enumerate(texts):
            middle = self._middles[crc32(text.partition("\n")[0].encode()) % len(self._middles)]
            start = crc32(text.encode()) % (len(self._noise) - self._size)
            np.add(middle, self._noise[start : start + self._size], out=matrix[row])
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        return [line.tobytes() for line in matrix]

    def release(self) -> None:
        pass


def peak_mb() -> float:
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def own_mb() -> float:
    """What the process has for itself just now, without the pages of files it has mapped."""
    status = Path("/proc/self/status")
    found = re.search(r"RssAnon:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0


def run(app: App, portion: int) -> None:
    """One line for every so many chunks, and one at the end."""
    wall, cpu = time.perf_counter(), own_cpu()
    chunks = files = told = 0

    def tell(*, done: bool) -> None:
        spent = {"cpu_s": round(own_cpu() - cpu, 3), "wall_s": round(time.perf_counter() - wall, 3)}
        memory = {"peak_mb": round(peak_mb()), "own_mb": round(own_mb())}
        print(json.dumps({"chunks": chunks, "files": files, **spent, **memory, "done": done}), flush=True)

    for event in app.ingest(ScopeRequest()):
        if isinstance(event, AssetFinished):
            files += 1
            chunks += event.chunks if event.result != "unchanged" else 0
            if chunks - told >= portion:
                told = chunks
                tell(done=False)
        elif isinstance(event, IngestFinished):
            tell(done=not event.aborted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--portion", type=int, default=10_000)
    options = parser.parse_args()
    app = App(load({}, options.config))
    if options.stand_in:
        app.vectors._embedders[app.config.embedding] = StandIn(app.config.embedding)
    run(app, options.portion)
    app.close()


if __name__ == "__main__":
    main()
