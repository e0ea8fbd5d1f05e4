"""Two channels' candidates into one order: by a blend of their scores, or by their ranks."""

from typing import NamedTuple

from kebab.core.query import Candidate, RetrievalDetail, SearchMode

# Pairs of syllables count beside the words the ceiling is made of. Over a handful of chunks, where every word is common
# and the ceiling next to nothing, they would be all that counts.
MOST_SHARE = 1.5


class Found(NamedTuple):
    """What each channel knows: its candidates in order, and its score of everything either of them found."""

    lexical: list[Candidate]
    vector: list[Candidate]
    bm25: dict[int, float]
    cosine: dict[int, float]


def blend(found: Found, ceiling: float, weight: float, lift: float = 1.0) -> dict[int, float]:
    """The share of the best possible BM25, plus the weighted cosine.

    A question in another language than the text reaches a small share of its ceiling, so meaning decides there. A lift
    makes the cosine count for more and the whole for as much as without one: other things are judged by these scores.
    """
    scale = ceiling or 1.0
    even = (1 + weight) / (1 + weight * lift)
    keys = {candidate.chunk_key for candidate in (*found.lexical, *found.vector)}
    return {
        key: even * (min(found.bm25.get(key, 0.0) / scale, MOST_SHARE) + weight * lift * found.cosine.get(key, 0.0))
        for key in keys
    }


def reciprocal(found: Found, k: int) -> dict[int, float]:
    """Reciprocal rank fusion, scaled so that the first of both channels has 1."""
    scores: dict[int, float] = {}
    for channel in (found.lexical, found.vector):
        for rank, candidate in enumerate(channel, start=1):
            scores[candidate.chunk_key] = scores.get(candidate.chunk_key, 0.0) + 1 / (k + rank)
    return {key: score * (k + 1) / 2 for key, score in scores.items()}


def details(found: Found, scores: dict[int, float], method: SearchMode) -> dict[int, RetrievalDetail]:
    lexical = {candidate.chunk_key: rank for rank, candidate in enumerate(found.lexical, start=1)}
    vector = {candidate.chunk_key: rank for rank, candidate in enumerate(found.vector, start=1)}
    return {
        key: RetrievalDetail(
            method, score, found.bm25.get(key), found.cosine.get(key), lexical.get(key), vector.get(key)
        )
        for key, score in scores.items()
    }
