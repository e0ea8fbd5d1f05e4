"""What the scores of an embedding model are worth beside words: a row per model, each measured.

Cosines of one model say nothing about those of another, so a model without a row is joined by ranks.
"""

import math
from typing import NamedTuple


class Coefficients(NamedTuple):
    """`weight` is what a cosine counts beside the share of the best possible BM25; `heading_discount` what a heading's
    cosine loses, as headings are short and therefore near to short questions. `chunks` is the size of index that the
    weight was measured on; without one it holds for every size."""

    weight: float
    heading_discount: float
    chunks: int = 0

    def lift(self, chunks: int) -> float:
        """How many times more a cosine counts in a smaller index.

        The rarest word weighs log 2n in an index of n chunks, a common one the same in any. So the fewer there are, the
        larger is the share of the best possible score that common words reach by chance, by just this ratio.
        """
        if not 1 <= chunks < self.chunks:
            return 1.0
        return math.log(2 * self.chunks) / math.log(2 * chunks)


# `benchmarks/refit.py` measures a row.
MEASURED: dict[str, Coefficients] = {
    "use-multilingual-v3": Coefficients(weight=0.3, heading_discount=0.05, chunks=5_000),
}
UNMEASURED = Coefficients(weight=0.0, heading_discount=0.0)


def coefficients_of(model: str, weight: float) -> Coefficients:
    """The row of a model; a weight of one's own (0 for none) wins."""
    row = MEASURED.get(model, UNMEASURED)
    return row._replace(weight=weight, chunks=0) if weight else row
