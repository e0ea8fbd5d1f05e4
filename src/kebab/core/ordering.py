"""The one order of candidates: best first, and equals by where they stand, so that no order tells how an index grew."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from kebab.core.query import Candidate

# Where chunks are: the path of each one's document, and its number in it.
Places = Callable[[Sequence[int]], Mapping[int, tuple[str, int]]]

# Sums of floats differ in the last digits with the order of rows; what cannot be told apart is equal.
DECIMALS = 6
_LAST = ("\U0010ffff", 0)


def ordered(
    scores: Mapping[int, float], places: Places, limit: int, decimals: int | None = DECIMALS
) -> list[Candidate]:
    """The best `limit`. Places are asked for once, and only those of equals: most scores stand alone."""
    if decimals is None:
        ranked = sorted([(-score, key) for key, score in scores.items()])
    else:
        ranked = sorted([(-round(score, decimals), key) for key, score in scores.items()])
    groups = [[key for _, key in group] for _, group in groupby(ranked, itemgetter(0))]
    tied = [key for group in groups if len(group) > 1 for key in group]
    place = places(tied) if tied else {}
    found: list[int] = []
    for group in groups:
        found += group if len(group) == 1 else sorted(group, key=lambda key: (place.get(key, _LAST), key))
        if len(found) >= limit:
            break
    return [Candidate(key, scores[key]) for key in found[:limit]]
