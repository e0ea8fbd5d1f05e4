"""Warm searches of the scale benchmark: one process that lives on, asked in every mode with and without filters.

Usage: python benchmarks/scale_search.py CONFIG [--queries N] [--seed N] [--modes M,M] [--filters F,F]
"""

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from measure import table
from scale_corpus import questions

from kebab.app.facade import App
from kebab.app.settings import load
from kebab.core.query import Filters, Query, SearchMode

FILTERS = {
    "none": Filters(),
    "tag": Filters(tags=("topic00",)),
    "rare tag": Filters(tags=("topic30",)),
    "lang": Filters(langs=("ko",)),
    "path": Filters(path_globs=("area03/*",)),
    "media": Filters(media=("code",)),
    "lang and path": Filters(langs=("en",), path_globs=("area0*",)),
}


class Spent(NamedTuple):
    """Milliseconds."""

    cpu: list[float]
    wall: list[float]

    def row(self) -> dict[str, float]:
        return {
            f"{name}_{word}": round(value, 2)
            for name, values in zip(self._fields, self, strict=True)
            for word, value in (("median", statistics.median(values)), ("p95", percentile(values, 0.95)))
        }


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that no more than the rest exceed."""
    return sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]


def measured(app: App, texts: Sequence[str], mode: SearchMode, filters: Filters) -> Spent:
    spent = Spent([], [])
    for text in texts:
        cpu, wall = time.process_time(), time.perf_counter()
        app.search(Query(text, mode, 10, filters))
        spent.cpu.append((time.process_time() - cpu) * 1000)
        spent.wall.append((time.perf_counter() - wall) * 1000)
    return spent


def measure(app: App, root: Path, options: argparse.Namespace) -> list[dict[str, object]]:
    """Every row has questions of its own, so that none is known from another; its first ones warm caches only."""
    found: list[dict[str, object]] = []
    for mode in options.modes.split(","):
        for name in options.filters.split(","):
            seed = options.seed + crc32(f"{mode} {name}".encode())
            warming = options.queries // 4
            texts = questions(root, warming + options.queries, seed)
            measured(app, texts[:warming], SearchMode(mode), FILTERS[name])
            spent = measured(app, texts[warming:], SearchMode(mode), FILTERS[name])
            found.append({"mode": mode, "filter": name, "queries": options.queries, **spent.row()})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--modes", default="lexical,hybrid")
    parser.add_argument("--filters", default=",".join(FILTERS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    config = load({}, options.config)
    app = App(config, readonly=True)
    rows = measure(app, config.workspace.root, options)
    app.close()
    if options.json:
        print(json.dumps(rows))
    else:
        print(table(list(rows[0]), [list(map(str, row.values())) for row in rows]))


if __name__ == "__main__":
    main()
