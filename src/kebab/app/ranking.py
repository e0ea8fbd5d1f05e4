"""A query to an order of chunks: by words and meaning where both can run, with a word about why if they cannot."""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from kebab.app.vector_side import VectorSide, WordsOnly
from kebab.core.errors import InvalidInput, KebabError, NotIndexed
from kebab.core.query import Query, SearchMode, SearchSettings
from kebab.search.retrieve import Channels, Retrieved, copies_behind, depth_of, retrieve
from kebab.store.store import Store

if TYPE_CHECKING:
    from kebab.search.meaning import Meaning

# Rankings remembered by a process that lives on; a page of one costs its snippets and nothing else.
_REMEMBERED = 128


class Ranking(NamedTuple):
    """An order of chunks with what a reader should know about it; `meaning` is the vector channel, if it ran."""

    found: Retrieved
    degraded: str | None
    hint: str | None
    meaning: "Meaning | None" = None

    @property
    def embedding_model(self) -> str | None:
        return self.meaning.name if self.meaning is not None else None


class Remembered:
    """The rankings of late, for all who search with one vector side."""

    def __init__(self) -> None:
        self._rankings: OrderedDict[tuple[object, ...], Ranking] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: tuple[object, ...]) -> Ranking | None:
        with self._guard:
            if key in self._rankings:
                self._rankings.move_to_end(key)
            return self._rankings.get(key)

    def put(self, key: tuple[object, ...], ranking: Ranking) -> None:
        with self._guard:
            self._rankings[key] = ranking
            if len(self._rankings) > _REMEMBERED:
                self._rankings.popitem(last=False)


class Ranker:
    """Ranks over one open index, and remembers rankings for as long as nothing is written."""

    def __init__(self, store: Store, vectors: VectorSide, settings: SearchSettings) -> None:
        self._store = store
        self._vectors = vectors
        self._settings = settings
        # Another index that takes this one's place may have come as far.
        self._index = store.runs.meta("index_id")

    def ranking(self, query: Query, revision: int) -> Ranking:
        key = (self._index, revision, query.text, query.mode, query.filters, depth_of(query))
        known = self._vectors.remembered.get(key)
        if known is None:
            known = self._distinct(self._rank(query))
            # What was degraded may run next time.
            if known.degraded is None:
                self._vectors.remembered.put(key, known)
        elif known.meaning is not None:
            # With a table of this connection: it may have been another thread that searched.
            known = known._replace(meaning=self._vectors.open(self._store).meaning)
        return known

    def _distinct(self, ranking: Ranking) -> Ranking:
        """A file that lies in two folders must not take two places of the first page."""
        ranked = ranking.found.ranked
        origins = self._store.shelf.origins([each.chunk_key for each in ranked])
        return ranking._replace(found=ranking.found._replace(ranked=copies_behind(ranked, origins)))

    def _rank(self, query: Query) -> Ranking:
        hint = _analyser_hint(self._store)
        words = Channels(self._store.fulltext, definitions=_definitions(self._store, query))
        if query.mode is SearchMode.LEXICAL:
            return self._reranked(query, Ranking(retrieve(query, words, self._settings), None, hint))
        try:
            side = self._vectors.open(self._store)
            documents = self._store.shelf.keys(query.filters) if query.filters else None
            chunks = self._store.symbols.chunks(query.filters) if query.filters.symbols else None
            channels = words._replace(meaning=side.meaning, documents=documents, chunks=chunks)
            found = retrieve(query, channels, self._settings)
        except (WordsOnly, KebabError) as error:
            return self._reranked(query, self._words_only(query, words, error, hint))
        return self._reranked(query, Ranking(found, None, hint or side.hint, side.meaning))

    def _words_only(self, query: Query, words: Channels, error: WordsOnly | KebabError, hint: str | None) -> Ranking:
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
        return Ranking(retrieve(query, words, self._settings), reason, hint or advice)

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


def _definitions(store: Store, query: Query) -> list[int]:
    """Of what the query names, when it is one word."""
    return [] if len(query.text.split()) != 1 else store.symbols.definitions(query.text, query.filters)


def _analyser_hint(store: Store) -> str | None:
    built = store.runs.meta("analyser")
    if built and built != store.fulltext.analyser.version:
        return "the index was built with another Korean analyser; `kebab ingest` brings it up to date"
    return None
