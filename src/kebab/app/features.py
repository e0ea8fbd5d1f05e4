"""What a search says about the evidence for a question: how near, how much of it is covered, and in which script."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kebab.app.ranking import Ranking
from kebab.core.embedding import EmbeddingKind
from kebab.core.errors import KebabError
from kebab.rag.gate import Features, is_hopeless
from kebab.rag.pack import Found
from kebab.rag.sentences import units
from kebab.store.weights import WordWeights

if TYPE_CHECKING:
    from kebab.core.ports import Embedder

# Sentences are compared one by one, so only those of the first hits, and not all of a long one.
_FIRST = 3
_SENTENCES = 24
_HANGUL = re.compile("[가-힣]")
_LATIN = re.compile("[A-Za-z]")

Cosines = Callable[[str, Sequence[str]], list[float]]


def cosines_by(embedder: "Embedder") -> Cosines:
    """How near a text is to each of several; all are embedded alike, as neither is the answer to the other."""

    def cosines(text: str, others: Sequence[str]) -> list[float]:
        from kebab.vectors.compare import between

        if not others:
            return []
        try:
            first, *rest = embedder.embed([text, *others], EmbeddingKind.QUERY)
        except KebabError:
            # A search that could not use the model has said so already.
            return [0.0] * len(others)
        return between(first, rest)

    return cosines


def features_of(
    question: str,
    ranking: Ranking,
    found: Sequence[Found],
    weights: WordWeights,
    cosines: Cosines | None,
    gate: float = 0.0,
) -> Features:
    """`found` are the hits in order with their texts. Below `gate` whatever sentences say, none is compared."""
    first = found[:_FIRST]
    stems = weights.informative(question)
    coverage = max((weights.coverage(stems, _said(each)) for each in first), default=0.0)
    mismatch = bool(first) and _script(question) != _script(first[0].text)
    scores = [each.detail.vector_score for each in ranking.found.ranked if each.detail.vector_score is not None]
    if cosines is None or not scores:
        return Features(coverage, mismatch)
    best, fused = max(scores), ranking.found.ranked[0].score
    # A sentence is as near as the nearest passage, give or take a little.
    features = Features(coverage, mismatch, best, fused, best, weights.chunks())
    if is_hopeless(features, gate):
        return features
    sentences = [part for each in first for part in _sentences(each.text)][:_SENTENCES]
    return features._replace(sentence=max(cosines(question, sentences), default=0.0))


def _said(found: Found) -> str:
    """A hit's text with its title and headings, which it does not repeat."""
    return " ".join((found.hit.title, *found.hit.heading_path, found.text))


def _sentences(text: str) -> list[str]:
    return [part for unit in units(text) if (part := unit.of(text).strip())][: _SENTENCES // 2]


def _script(text: str) -> bool:
    """Whether it is written in Hangul."""
    return len(_HANGUL.findall(text)) * 2 > len(_LATIN.findall(text))
