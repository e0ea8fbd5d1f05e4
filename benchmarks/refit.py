"""Measures the row of an embedding model in `search/coefficients.py`: which weight and discount rank best.

Usage: python benchmarks/refit.py DATA INDEXES SET [SET ...] [--limit N] [--set KEY=VALUE]

INDEXES is the folder a `benchmarks/quality.py --keep` run filled. Each question is asked once; the channels' scores of
all candidates are then joined under every pair of coefficients. Choose on some sets, check on the others.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from measure import table
from quality import DEPTH, relevance, rows, scores

from kebab.app.facade import App
from kebab.config import load
from kebab.core.embedding import Role
from kebab.core.query import Filters
from kebab.store.store import Store

WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
DISCOUNTS = (0.0, 0.05, 0.1, 0.2, 1.0)
CANDIDATES = 100


class Seen(NamedTuple):
    """A candidate: its document, its share of the best BM25, and its best cosines."""

    document: str
    share: float
    passage: float
    heading: float


def candidates(app: App, store: Store, text: str, ids: Sequence[str]) -> list[Seen]:
    meaning = app.vectors.open(store).meaning
    analysed = store.fulltext.analyse(text)
    found = {each.chunk_key: each.score for each in store.fulltext.match(analysed, Filters(), CANDIDATES)}
    question = meaning.vector_of(text)
    near = meaning.engine.nearest(meaning.table, question, 5 * CANDIDATES, None)
    keys = list(dict.fromkeys([*found, *(row.chunk_key for row in near)]))
    found |= store.fulltext.score(analysed, [key for key in keys if key not in found])
    stored = meaning.table.of_chunks(keys)
    best: dict[tuple[int, int], float] = {}
    for row, cosine in zip(stored, meaning.cosines(question, stored), strict=True):
        place = (row.chunk_key, row.role)
        best[place] = max(cosine, best.get(place, -1.0))
    ceiling = store.fulltext.ceiling(analysed) or 1.0
    # `quality.py` names a file by the number of its row.
    names = {key: ids[int(Path(path).stem)] for key, (_, path) in store.shelf.names(keys).items()}
    return [
        Seen(
            names[key],
            found.get(key, 0.0) / ceiling,
            best.get((key, Role.PASSAGE), 0.0),
            best.get((key, Role.HEADING), -1.0),
        )
        for key in keys
    ]


def ranked(seen: list[Seen], weight: float, discount: float) -> list[str]:
    order = sorted(seen, key=lambda each: -(each.share + weight * max(each.passage, each.heading - discount)))
    return list(dict.fromkeys(each.document for each in order))[:DEPTH]


def measure_set(data: Path, home: Path, options: argparse.Namespace) -> Iterator[tuple[float, float, float, float]]:
    """Weight, discount, recall@10 and nDCG@10."""
    flags = {"workspace.root": home / "notes", "storage.data_dir": home / "data"}
    app = App(load(flags | dict(text.split("=", 1) for text in options.set), env={"HOME": str(home)}), readonly=True)
    ids = [str(row["id"]) for row in rows(data / "corpus.jsonl")]
    wanted = relevance(data / "qrels.tsv")
    asked = [row for row in rows(data / "queries.jsonl") if str(row["id"]) in wanted][: options.limit]
    with Store.reader(app.config.storage.sqlite) as store:
        judged = [(candidates(app, store, str(row["text"]), ids), wanted[str(row["id"])]) for row in asked]
    for weight in WEIGHTS:
        for discount in DISCOUNTS:
            found = [scores(ranked(seen, weight, discount), grades) for seen, grades in judged]
            yield weight, discount, *(sum(each[column] for each in found) / len(found) for column in (1, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("indexes", type=Path)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, help="only the first N queries of each set")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of kebab's")
    options = parser.parse_args()
    columns = [list(measure_set(options.data / name, options.indexes / name, options)) for name in options.sets]
    lines = [
        [
            f"{row[0][0]:.1f}",
            f"{row[0][1]:.2f}",
            *(f"{recall:.3f} {gain:.3f}" for _, _, recall, gain in row),
            f"{sum(gain for _, _, _, gain in row) / len(row):.4f}",
        ]
        for row in zip(*columns, strict=True)
    ]
    print(table(["weight", "discount", *(f"{name} R@10 nDCG" for name in options.sets), "mean nDCG"], lines))


if __name__ == "__main__":
    main()
