"""`kebab search`: a query to hits that can prove where they come from."""

from kebab.app.present import Presenter
from kebab.app.ranking import Ranker, Ranking
from kebab.app.vector_side import VectorSide
from kebab.core.errors import InvalidInput
from kebab.core.query import Query, SearchResult, SearchSettings
from kebab.core.text import token_estimate
from kebab.search.retrieve import Ranked, Retrieved
from kebab.store.store import Store

MAX_K = 1000
EMPTY_INDEX = "the index is empty; `kebab ingest FOLDER` fills it"


class Searcher:
    """Answers queries over one open index."""

    def __init__(self, store: Store, vectors: VectorSide, settings: SearchSettings) -> None:
        self._store = store
        self._settings = settings
        self._ranker = Ranker(store, vectors, settings)

    def search(self, query: Query) -> SearchResult:
        _check(query)
        with self._store.snapshot():
            revision = self._store.runs.corpus_revision()
            return self._page(query, self._ranker.ranking(query, revision), revision)

    def _page(self, query: Query, ranking: Ranking, revision: int) -> SearchResult:
        from kebab.app.paging import binding, cursor_at, offset_of

        bound = binding(query, revision)
        offset = offset_of(query, bound)
        ranked = self._capped(query, ranking.found)
        presenter = Presenter(self._store, ranking, self._settings)
        hits = presenter.hits(query, ranked[offset : offset + query.k], offset)
        truncated = False
        if query.max_tokens and hits:
            from kebab.app.budget import fit

            left = query.max_tokens - token_estimate(f"{ranking.degraded or ''}{ranking.hint or ''}")
            hits, truncated = fit(hits, left, query.snippet_chars, presenter.shortened, ranking.embedding_model)
        end = offset + len(hits)
        return SearchResult(
            hits=hits,
            mode=ranking.found.mode,
            degraded=ranking.degraded,
            hint=ranking.hint if ranked or self._store.weights.chunks() else EMPTY_INDEX,
            score_kind=ranking.found.score_kind,
            embedding_model=ranking.embedding_model,
            next_cursor=cursor_at(end, bound) if hits and end < len(ranked) else None,
            truncated=truncated,
            trace=presenter.trace(ranking.found) if query.trace else None,
        )

    def _capped(self, query: Query, found: Retrieved) -> list[Ranked]:
        if not query.max_per_doc:
            return list(found.ranked)
        from kebab.app.paging import capped

        documents = self._store.shelf.documents_of([each.chunk_key for each in found.ranked])
        return capped(found.ranked, documents, query.max_per_doc)


def _check(query: Query) -> None:
    if not any(letter.isprintable() and not letter.isspace() for letter in query.text):
        raise InvalidInput("the query is empty", hint='try `kebab search "what you look for"`')
    if not 1 <= query.k <= MAX_K:
        raise InvalidInput(f"--k must be from 1 to {MAX_K}, not {query.k}", k=query.k)
    if query.max_per_doc < 0:
        raise InvalidInput(f"--max-per-doc must not be negative, not {query.max_per_doc}")
    if query.max_tokens < 0:
        raise InvalidInput(f"--max-tokens must not be negative, not {query.max_tokens}")
