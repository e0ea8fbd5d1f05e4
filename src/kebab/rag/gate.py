"""Is there evidence at all? Decided from how near the question is to what was found, before any model is asked.

Two things are told apart. The topic says whether the question is about anything the index holds: below its threshold
there is no answer. The cover says how much of the question one passage takes up: below its own the evidence is called
weak, and no more, because that threshold does not carry over from one collection to another.
"""

import math
from typing import NamedTuple

# Fitted by benchmarks/gate.py, see docs/decisions/008-refusals.md.
SENTENCE_WEIGHT = 0.7
FUSED_WEIGHT = 1.0
FUSED_FROM = 0.42
COVERAGE_WEIGHT = 1.2
COVERAGE_FROM = 0.5
# Among more passages something is nearer by chance, so the threshold, that of 32,000 chunks, moves with their number.
TOPIC_THRESHOLD = 0.70
TOPIC_CHUNKS = 32_000
TOPIC_PER_TENFOLD = 0.07
TOPIC_BOUNDS = (0.50, 0.85)
TOPIC_WIDTH = 0.08
COVER_SENTENCE_WEIGHT = 0.5
COVER_THRESHOLD = 0.5
COVER_WIDTH = 0.08
MISMATCH_COVER = 0.8
LEXICAL_THRESHOLD = 0.38
LEXICAL_WIDTH = 0.08
# A sentence counts for at most so much more than the nearest passage. Few are nearer by more, and so the verdict
# on most foreign questions stands before any sentence is compared.
SENTENCE_MARGIN = 0.10
# Where the thresholds stand on the scale of `rag.score_gate`.
GATE = 0.30


class Features(NamedTuple):
    """What a search says about a question. `cosine` and `sentence` are None when meaning was not searched.

    `cosine` is the best of any candidate, `fused` the score of the first, `sentence` the best cosine of a sentence of
    the first hits, `coverage` the share of the question's weight that stands in one of them, `mismatch` whether the
    question is written in another script than they are, so that its words cannot be expected there, and `chunks` how
    many there are in the index.
    """

    coverage: float
    mismatch: bool = False
    cosine: float | None = None
    fused: float = 0.0
    sentence: float | None = None
    chunks: int = TOPIC_CHUNKS


class Verdict(NamedTuple):
    """`score` is on the scale of `rag.score_gate`; `evidence` is what is reported as the confidence in it."""

    score: float
    evidence: float
    passed: bool
    weak: bool


def judge(features: Features, gate: float = GATE) -> Verdict:
    sentence = features.sentence or 0.0
    cover = max(features.coverage, MISMATCH_COVER if features.mismatch else 0.0) + COVER_SENTENCE_WEIGHT * sentence
    covered = _sigmoid((cover - COVER_THRESHOLD) / COVER_WIDTH)
    if features.cosine is None:
        distance = (features.coverage - LEXICAL_THRESHOLD) / LEXICAL_WIDTH
    else:
        distance = (topic_of(features) - threshold_of(features.chunks)) / TOPIC_WIDTH
    score = _sigmoid(distance + _logit(GATE))
    return Verdict(score, _sigmoid(distance) * covered, score >= gate, cover < COVER_THRESHOLD)


def is_hopeless(features: Features, gate: float = GATE) -> bool:
    """Whether a question is refused whatever its sentences say, so that none has to be compared."""
    return features.cosine is not None and not judge(features._replace(sentence=1.0), gate).passed


def topic_of(features: Features) -> float:
    """Nearness, and what words add to it where they are more than the few that any question shares with any text."""
    cosine = features.cosine or 0.0
    near = cosine + SENTENCE_WEIGHT * min(features.sentence or 0.0, cosine + SENTENCE_MARGIN)
    words = FUSED_WEIGHT * max(0.0, features.fused - FUSED_FROM)
    return near + words + COVERAGE_WEIGHT * max(0.0, features.coverage - COVERAGE_FROM)


def threshold_of(chunks: int) -> float:
    low, high = TOPIC_BOUNDS
    moved = TOPIC_THRESHOLD + TOPIC_PER_TENFOLD * math.log10(max(chunks, 1) / TOPIC_CHUNKS)
    return min(high, max(low, moved))


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
