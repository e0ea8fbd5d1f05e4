"""Runs the channels a query asks for and ranks what they found."""

from typing import TYPE_CHECKING, NamedTuple

from kebab.core.query import AnalysedQuery, Query, RetrievalDetail, SearchMode

if TYPE_CHECKING:
    from kebab.core.ports import Matcher

# Deep enough that filters of presentation and later fusion have something to choose from.
CANDIDATES = 100


class Ranked(NamedTuple):
    chunk_key: int
    score: float
    detail: RetrievalDetail


class Retrieved(NamedTuple):
    ranked: tuple[Ranked, ...]
    analysed: AnalysedQuery
    mode: SearchMode
    score_kind: str
    degraded: str | None = None


def retrieve(query: Query, matcher: "Matcher") -> Retrieved:
    """Candidates, best first, more than `k` where there are.

    Without a vector channel a hybrid query is answered by words, and says so.
    """
    analysed = matcher.analyse(query.text)
    degraded = "no embedding model is configured; searched by words only" if query.mode is SearchMode.HYBRID else None
    candidates = matcher.match(analysed, query.filters, max(CANDIDATES, query.k)) if analysed else []
    ranked = tuple(
        Ranked(
            candidate.chunk_key,
            candidate.score,
            RetrievalDetail(SearchMode.LEXICAL, candidate.score, lexical_score=candidate.score, lexical_rank=rank),
        )
        for rank, candidate in enumerate(candidates, start=1)
    )
    return Retrieved(ranked, analysed, SearchMode.LEXICAL, "bm25", degraded)
