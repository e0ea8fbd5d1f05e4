"""What the scores of an embedding model are worth beside words: a row per model, each measured.

Cosines of one model say nothing about those of another, so a model without a row is joined by ranks.
"""

from typing import NamedTuple


class Coefficients(NamedTuple):
    """`weight` is what a cosine counts beside the share of the best possible BM25; `heading_discount` what a heading's
    cosine loses, as headings are short and therefore near to short questions."""

    weight: float
    heading_discount: float


# `benchmarks/refit.py` measures a row.
MEASURED: dict[str, Coefficients] = {
    "use-multilingual-v3": Coefficients(weight=0.3, heading_discount=0.05),
}
UNMEASURED = Coefficients(weight=0.0, heading_discount=0.0)


def coefficients_of(model: str, weight: float) -> Coefficients:
    """The row of a model; a weight of one's own (0 for none) wins."""
    row = MEASURED.get(model, UNMEASURED)
    return row._replace(weight=weight) if weight else row
