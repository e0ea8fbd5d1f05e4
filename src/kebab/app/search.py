"""`kebab search`: a query to hits that can prove where they come from."""

from collections import OrderedDict
from typing import NamedTuple

from kebab.app.freshness import freshness, is_stale
from kebab.app.vector_side import VectorSide, WordsOnly
from kebab.core.citation import Citation, LineCitation
from kebab.core.errors import InvalidInput, KebabError, NotIndexed
from kebab.core.query import Hit, Query, SearchMode, SearchResult, SearchSettings, Trace, TracedChunk
from kebab.core.text import token_estimate
from kebab.search.retrieve import Channels, Ranked, Retrieved, retrieve
from kebab.search.snippet import excerpt
from kebab.store.shelf import DocumentRow, Passage
from kebab.store.store import Store

MAX_K = 1000
# Results remembered by a process that lives on; a page of one costs its snippets and nothing else.
_REMEMBERED = 128


class Ranking(NamedTuple):
    """An order of chunks with what a reader should know about it."""

    found: Retrieved
    degraded: str | None
    hint: str | None
    embedding_model: str | None


class Searcher:
    """Answers queries over one open index, and remembers rankings for as long as nothing is written."""

    def __init__(self, store: Store, vectors: VectorSide, settings: SearchSettings) -> None:
        self._store = store
        self._vectors = vectors
        self._settings = settings
        self._rankings: OrderedDict[tuple[object, ...], Ranking] = OrderedDict()

    def search(self, query: Query) -> SearchResult:
        _check(query)
        with self._store.snapshot():
            revision = self._store.runs.corpus_revision()
            ranking = self._ranking(query, revision)
            return self._page(query, ranking, revision)

    # -- ranking

    def _ranking(self, query: Query, revision: int) -> Ranking:
        key = (revision, query.text, query.mode, query.filters, query.k > 100 and query.k)
        known = self._rankings.get(key)
        if known is None:
            known = self._rank(query)
            # What was degraded may run next time.
            if known.degraded is None:
                self._rankings[key] = known
                if len(self._rankings) > _REMEMBERED:
                    self._rankings.popitem(last=False)
        else:
            self._rankings.move_to_end(key)
        return known

    def _rank(self, query: Query) -> Ranking:
        hint = _analyser_hint(self._store)
        if query.mode is SearchMode.LEXICAL:
            found = retrieve(query, Channels(self._store.fulltext), self._settings)
            return self._reranked(query, Ranking(found, None, hint, None))
        try:
            side = self._vectors.open(self._store)
            documents = self._store.shelf.keys(query.filters) if query.filters else None
            channels = Channels(self._store.fulltext, side.meaning, documents)
            found = retrieve(query, channels, self._settings)
        except (WordsOnly, KebabError) as error:
            return self._reranked(query, self._words_only(query, error, hint))
        return self._reranked(query, Ranking(found, None, hint or side.hint, side.meaning.name))

    def _words_only(self, query: Query, error: WordsOnly | KebabError, hint: str | None) -> Ranking:
        """The answer by words when the vector side cannot run, unless it was asked for alone."""
        if isinstance(error, WordsOnly):
            reason, advice = error.reason, error.hint
            if query.mode is SearchMode.VECTOR:
                alone = reason.removesuffix("; searched by words only")
                raise (InvalidInput if not self._vectors.configured else NotIndexed)(alone, hint=advice) from error
        else:
            if query.mode is SearchMode.VECTOR:
                raise error
            reason, advice = f"{error.message}; searched by words only", error.hint or "run `kebab doctor`"
        found = retrieve(query, Channels(self._store.fulltext), self._settings)
        return Ranking(found, reason, hint or advice, None)

    def _reranked(self, query: Query, ranking: Ranking) -> Ranking:
        if not self._settings.reranker:
            return ranking
        from kebab.app.reranking import rerank

        try:
            reranker = self._vectors.reranker()
            assert reranker is not None
            return ranking._replace(found=rerank(query.text, ranking.found, reranker, self._store))
        except KebabError as error:
            reason = f"not reranked: {error.message}"
            return ranking._replace(degraded=ranking.degraded or reason, hint=ranking.hint or error.hint)

    # -- presenting

    def _page(self, query: Query, ranking: Ranking, revision: int) -> SearchResult:
        from kebab.app.paging import binding, cursor_at, offset_of

        bound = binding(query, revision)
        offset = offset_of(query, bound)
        ranked = self._capped(query, ranking.found)
        hits = self._hits(query, ranking.found, ranked[offset : offset + query.k], offset)
        truncated = False
        if query.max_tokens and hits:
            from kebab.app.budget import fit

            left = query.max_tokens - token_estimate(f"{ranking.degraded or ''}{ranking.hint or ''}")
            shorten = Shortener(self._store, ranking.found)
            hits, truncated = fit(hits, left, query.snippet_chars, shorten, ranking.embedding_model)
        end = offset + len(hits)
        return SearchResult(
            hits=hits,
            mode=ranking.found.mode,
            degraded=ranking.degraded,
            hint=ranking.hint,
            score_kind=ranking.found.score_kind,
            embedding_model=ranking.embedding_model,
            next_cursor=cursor_at(end, bound) if hits and end < len(ranked) else None,
            truncated=truncated,
            trace=self._trace(ranking.found) if query.trace else None,
        )

    def _capped(self, query: Query, found: Retrieved) -> list[Ranked]:
        if not query.max_per_doc:
            return list(found.ranked)
        from kebab.app.paging import capped

        documents = self._store.shelf.documents_of([each.chunk_key for each in found.ranked])
        return capped(found.ranked, documents, query.max_per_doc)

    def _hits(self, query: Query, found: Retrieved, best: list[Ranked], offset: int) -> tuple[Hit, ...]:
        chunks = self._store.shelf.passages([ranked.chunk_key for ranked in best]) if best else {}
        rows = self._store.shelf.row_at(sorted({stored.doc_key for stored in chunks.values()})) if chunks else {}
        placed = [(ranked, chunks[ranked.chunk_key]) for ranked in best if ranked.chunk_key in chunks]
        return tuple(
            self._hit(query, found, (rank, ranked, stored), rows[stored.doc_key])
            for rank, (ranked, stored) in enumerate(placed, start=offset + 1)
        )

    def _hit(self, query: Query, found: Retrieved, place: tuple[int, Ranked, Passage], row: DocumentRow) -> Hit:
        rank, ranked, chunk = place
        snippet = excerpt(chunk.text, lambda text: self._locate(text, found), query.snippet_chars)
        return Hit(
            rank=rank,
            score=ranked.score,
            score_kind=found.score_kind,
            chunk_id=chunk.chunk_id,
            doc_id=row.doc_id,
            doc_path=row.workspace_path,
            title=row.title,
            heading_path=chunk.heading_path,
            section_label=chunk.section_label,
            snippet=snippet.text,
            snippet_full_text=snippet.full,
            highlights=snippet.highlights,
            citation=cite(chunk, row.workspace_path),
            retrieval=ranked.detail,
            chunker_version=chunk.chunker_version,
            indexed_at=row.updated_at,
            stale=is_stale(row.updated_at, self._settings.stale_threshold_days),
            freshness=freshness(row),
            source_id=row.source_id,
            trust_level=row.trust_level,
            file=row.file_path,
        )

    def _locate(self, text: str, found: Retrieved) -> list[tuple[int, int]]:
        return self._store.fulltext.locate(text, found.analysed)

    def _trace(self, found: Retrieved) -> Trace:
        details = {each.chunk_key: each.detail for each in found.ranked}
        names = self._store.shelf.names(list(details))

        def traced(keys: tuple[int, ...]) -> tuple[TracedChunk, ...]:
            return tuple(TracedChunk(*names[key], details[key]) for key in keys if key in names and key in details)

        fused = traced(tuple(details))
        return Trace(traced(found.lexical_order), traced(found.vector_order), fused, found.timing, self._settings.rrf_k)


class Shortener:
    """Makes the snippet of a hit shorter, from the chunk it was made from."""

    def __init__(self, store: Store, found: Retrieved) -> None:
        self._store = store
        self._found = found
        self._texts: dict[str, str] = {}

    def __call__(self, hit: Hit, chars: int) -> Hit:
        from dataclasses import replace

        if hit.chunk_id not in self._texts:
            self._texts[hit.chunk_id] = self._store.shelf.text_of(hit.chunk_id)
        text = self._texts[hit.chunk_id]
        snippet = excerpt(text, lambda part: self._store.fulltext.locate(part, self._found.analysed), chars)
        return replace(hit, snippet=snippet.text, snippet_full_text=snippet.full, highlights=snippet.highlights)


def _check(query: Query) -> None:
    if not query.text.strip():
        raise InvalidInput("the query is empty", hint='try `kebab search "what you look for"`')
    if not 1 <= query.k <= MAX_K:
        raise InvalidInput(f"--k must be from 1 to {MAX_K}, not {query.k}", k=query.k)
    if query.max_per_doc < 0:
        raise InvalidInput(f"--max-per-doc must not be negative, not {query.max_per_doc}")
    if query.max_tokens < 0:
        raise InvalidInput(f"--max-tokens must not be negative, not {query.max_tokens}")


def _analyser_hint(store: Store) -> str | None:
    built = store.runs.meta("analyser")
    if built and built != store.fulltext.analyser.version:
        return "the index was built with another Korean analyser; `kebab ingest` brings it up to date"
    return None


def cite(chunk: Passage, path: str) -> Citation:
    """All of the chunk's lines."""
    return LineCitation(path, chunk.spans[0].start, chunk.spans[-1].end, chunk.section_label)
