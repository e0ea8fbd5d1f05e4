"""Runs the channels a query asks for and ranks what they found."""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kebab.core.embedding import Vector
from kebab.core.query import (
    AnalysedQuery,
    Candidate,
    Query,
    RetrievalDetail,
    SearchMode,
    SearchSettings,
    Timing,
)

if TYPE_CHECKING:
    from kebab.core.ports import Matcher
    from kebab.search.fuse import Found
    from kebab.search.meaning import Meaning

# Deep enough that the best of both channels together are among them; measured flat beyond.
CANDIDATES = 100
# Chunks of named symbols that are compared one by one; where a pattern leaves more, it hardly narrows anything.
_MOST_NAMED = 20_000
_COPY_WEIGHT = 0.25


class Ranked(NamedTuple):
    chunk_key: int
    score: float
    detail: RetrievalDetail


class Retrieved(NamedTuple):
    """`vector_order` and `lexical_order` are the channels' own orders; `question` is the query's vector."""

    ranked: tuple[Ranked, ...]
    analysed: AnalysedQuery
    mode: SearchMode
    score_kind: str
    lexical_order: tuple[int, ...] = ()
    vector_order: tuple[int, ...] = ()
    timing: Timing = Timing()
    question: Vector | None = None


class Channels(NamedTuple):
    """Without `meaning` only words are searched. `documents` are what the filters leave, None when there are none.

    `chunks` are what a filter on symbols leaves; `definitions` the chunks that define what the query names.
    """

    matcher: "Matcher"
    meaning: "Meaning | None" = None
    documents: Collection[int] | None = None
    chunks: Sequence[int] | None = None
    definitions: Sequence[int] = ()


def depth_of(query: Query) -> int:
    """How many candidates each channel is asked for; the same for every page of one query."""
    return max(CANDIDATES, query.k)


def retrieve(query: Query, channels: Channels, settings: SearchSettings) -> Retrieved:
    """Candidates, best first, more than `k` where there are; definitions of what is named come before all else."""
    found = _retrieve(query, channels, settings)
    return found._replace(ranked=with_definitions(found.ranked, channels.definitions, found.mode))


def with_definitions(ranked: tuple[Ranked, ...], definitions: Sequence[int], mode: SearchMode) -> tuple[Ranked, ...]:
    """In the order they are given. Each scores what it has on top of the best score there is, so that scores fall."""
    if not definitions:
        return ranked
    best = max((each.score for each in ranked), default=0.0)
    known = {each.chunk_key: each for each in ranked}
    missing = RetrievalDetail(mode, 0.0)
    lifted: list[Ranked] = []
    for key in definitions:
        each = known.get(key, Ranked(key, 0.0, missing))
        score = best + max(each.score, 0.0)
        lifted.append(each._replace(score=min(score, lifted[-1].score) if lifted else score))
    wanted = set(definitions)
    return (*lifted, *(each for each in ranked if each.chunk_key not in wanted))


def copies_behind(ranked: tuple[Ranked, ...], origins: Mapping[int, object]) -> tuple[Ranked, ...]:
    """Of chunks with one origin the best counts in full and each further one a quarter of the one before.

    So they come behind whatever else answers, and before what hardly does.
    """
    seen: Counter[object] = Counter()
    weighed: list[Ranked] = []
    for each in ranked:
        origin = origins.get(each.chunk_key, each.chunk_key)
        # A negative score falls as well.
        lost = abs(each.score) * (1 - _COPY_WEIGHT ** seen[origin])
        weighed.append(each._replace(score=each.score - lost) if lost else each)
        seen[origin] += 1
    if len(seen) == len(ranked):
        return ranked
    return tuple(sorted(weighed, key=lambda each: -each.score))


def _retrieve(query: Query, channels: Channels, settings: SearchSettings) -> Retrieved:
    if query.mode is SearchMode.LEXICAL or channels.meaning is None:
        return _by_words(query, channels.matcher)
    started = time.perf_counter()
    analysed = channels.matcher.analyse(query.text)
    lexical: list[Candidate] = []
    if query.mode is SearchMode.HYBRID and analysed:
        lexical = channels.matcher.match(analysed, query.filters, depth_of(query))
    matched = time.perf_counter()
    question = channels.meaning.vector_of(query.text)
    found = _found(query, channels, question, analysed, lexical)
    placed = time.perf_counter()
    scores, kind = _fused(query, channels, found, analysed, settings)
    ranked = _ranked(query, channels.matcher, found, scores)
    done = time.perf_counter()
    timing = Timing(_ms(started, matched), _ms(matched, placed), _ms(placed, done), _ms(started, done))
    lexical_order, vector_order = _keys(found.lexical), _keys(found.vector)
    return Retrieved(ranked, analysed, query.mode, kind, lexical_order, vector_order, timing, question)


def _by_words(query: Query, matcher: "Matcher") -> Retrieved:
    started = time.perf_counter()
    analysed = matcher.analyse(query.text)
    candidates = matcher.match(analysed, query.filters, depth_of(query)) if analysed else []
    ranked = tuple(
        Ranked(
            candidate.chunk_key,
            candidate.score,
            RetrievalDetail(SearchMode.LEXICAL, candidate.score, lexical_score=candidate.score, lexical_rank=rank),
        )
        for rank, candidate in enumerate(candidates, start=1)
    )
    spent = _ms(started, time.perf_counter())
    return Retrieved(ranked, analysed, SearchMode.LEXICAL, "bm25", _keys(candidates), (), Timing(spent, 0, 0, spent))


def _found(
    query: Query, channels: Channels, question: Vector, analysed: AnalysedQuery, lexical: list[Candidate]
) -> "Found":
    """Both channels' candidates, and each channel's score of what the other one found."""
    from kebab.core.ordering import ordered
    from kebab.search.fuse import Found

    meaning, matcher = channels.meaning, channels.matcher
    assert meaning is not None
    near = _near(meaning, question, channels, depth_of(query))
    bm25 = {candidate.chunk_key: candidate.score for candidate in lexical}
    vector = ordered(near, matcher.places, depth_of(query))
    cosine = {candidate.chunk_key: candidate.score for candidate in vector}
    if query.mode is SearchMode.HYBRID:
        cosine |= {key: near[key] for key in bm25 if key in near}
        cosine |= meaning.score(question, [key for key in bm25 if key not in cosine])
        if analysed and (unknown := [key for key in cosine if key not in bm25]):
            bm25 |= matcher.score(analysed, unknown)
        if analysed.phrases:
            # A phrase in quotes must stand in what is found, however near the rest is.
            vector = [each for each in vector if each.chunk_key in bm25]
            cosine = {key: score for key, score in cosine.items() if key in bm25}
    return Found(lexical, vector, bm25, cosine)


def _near(meaning: "Meaning", question: Vector, channels: Channels, depth: int) -> dict[int, float]:
    if channels.chunks is None:
        return meaning.nearest(question, channels.documents, depth)
    if len(channels.chunks) <= _MOST_NAMED:
        return meaning.score(question, channels.chunks)
    named = set(channels.chunks)
    found = meaning.nearest(question, channels.documents, _MOST_NAMED)
    return {key: score for key, score in found.items() if key in named}


def _fused(
    query: Query, channels: Channels, found: "Found", analysed: AnalysedQuery, settings: SearchSettings
) -> tuple[dict[int, float], str]:
    from kebab.search.fuse import blend, reciprocal

    assert channels.meaning is not None
    if query.mode is SearchMode.VECTOR:
        return found.cosine, "cosine"
    coefficients, matcher = channels.meaning.coefficients, channels.matcher
    if settings.hybrid_fusion == "rrf" or not coefficients.weight:
        return reciprocal(found, settings.rrf_k), "rrf"
    lift = coefficients.lift(matcher.count())
    return blend(found, matcher.ceiling(analysed), coefficients.weight, lift), "blend"


def _ranked(query: Query, matcher: "Matcher", found: "Found", scores: dict[int, float]) -> tuple[Ranked, ...]:
    from kebab.core.ordering import ordered
    from kebab.search.fuse import details

    told = details(found, scores, query.mode)
    return tuple(
        Ranked(candidate.chunk_key, candidate.score, told[candidate.chunk_key])
        for candidate in ordered(scores, matcher.places, len(scores))
    )


def _keys(candidates: list[Candidate]) -> tuple[int, ...]:
    return tuple(candidate.chunk_key for candidate in candidates)


def _ms(start: float, end: float) -> int:
    return round((end - start) * 1000)
