"""The full-text channel: what a chunk contributes to the index, and which chunks match a question.

A question is natural language. Every word is quoted (raw `C++` or `what's` are syntax to FTS5), all of them are tried
first, then any of them, with very frequent words left out once rarer ones are there. A phrase in quotes stays a phrase.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from kebab.core.chunk import Chunk, breadcrumb
from kebab.core.errors import RetrievalError
from kebab.core.ordering import ordered
from kebab.core.query import AnalysedQuery, Candidate, Filters
from kebab.store.analyse import KoreanAnalyser, identifier_parts, is_other_cjk
from kebab.store.filters import narrowing
from kebab.store.fulltext_stems import Stemmer
from kebab.store.sql import Database, among
from kebab.store.stopwords import ENGLISH, KOREAN

if TYPE_CHECKING:
    from kebab.store.fulltext_sums import Asked, WholeIndex

HEADING_WEIGHT = 3.0
TEXT_WEIGHT = 1.0
PARTS_WEIGHT = 0.5
GRAMS_WEIGHT = 0.3
MAX_TERMS = 64
MAX_TIES = 5000
MAX_QUERY_CHARS = 4000
# A word in more than a fifth of a large index ranks nothing and costs the most to read.
_COMMON_SHARE = 0.2
_COMMON_FLOOR = 5000

_WORD = re.compile(r"\w+")
_PHRASE = re.compile(r'"([^"]+)"')

_WORDS = ("chunks_fts", f"bm25(chunks_fts, {HEADING_WEIGHT}, {TEXT_WEIGHT}, {PARTS_WEIGHT})")
_GRAMS = ("chunks_grams", "bm25(chunks_grams)")
# FTS5's own constant.
_K1 = 1.2
_MOST_GRAMS = 5
_LARGE = 100_000
_REMEMBERED = 20_000

# SQL that narrows a statement, and what is bound in it.
Condition: TypeAlias = tuple[str, Sequence[object]]


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(map(_quote, terms))


def _quote(term: str) -> str:
    quoted = '"' + term.replace('"', '""') + '"'
    # Other CJK text is indexed in pairs, so a single character is the beginning of one.
    return f"{quoted} *" if len(term) == 1 and is_other_cjk(term) else quoted


class FullText:
    """Reads and writes the two FTS5 tables of one connection."""

    def __init__(self, database: Database, analyser: KoreanAnalyser) -> None:
        self._db = database
        self.analyser = analyser
        self._stemmer = Stemmer(database.connection)
        self._total: tuple[int, int] | None = None
        self._frequencies: dict[str, int] = {}
        self._sums: tuple[int, WholeIndex | None] | None = None

    # -- writing

    def put(self, key: int, chunk: Chunk, title: str) -> None:
        self.put_text(key, chunk.text, chunk.heading_path, title)

    def put_text(self, key: int, text: str, heading_path: tuple[str, ...], title: str) -> None:
        crumb = breadcrumb(title, heading_path)
        heading, heading_grams = self.analyser.streams(crumb)
        words, grams = self.analyser.streams(text)
        self._db.run(
            "INSERT INTO chunks_fts(rowid, heading, text, parts) VALUES (?, ?, ?, ?)",
            (key, heading, words, identifier_parts(f"{crumb} {text}")),
        )
        if grams or heading_grams:
            self._db.run("INSERT INTO chunks_grams(rowid, grams) VALUES (?, ?)", (key, f"{heading_grams} {grams}"))

    def is_behind(self) -> bool:
        """Whether `follow` would be at work for long: some 0.25 s of CPU for a thousand chunks."""
        if self.count() < _LARGE:
            return False
        from kebab.store import fulltext_impacts, fulltext_keeping

        state = fulltext_impacts.state_of(self._db, self.analyser.version, self.count())
        return fulltext_keeping.is_worn(self._db, state)

    def follow(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Brings what makes searches of a large index fast up to date; for a writer at the end of a run."""
        from kebab.store import fulltext_impacts, fulltext_keeping, fulltext_sums

        if self.count() < _LARGE:
            fulltext_keeping.drop(self._db)
            return
        state = fulltext_impacts.state_of(self._db, self.analyser.version, self.count())
        channels = fulltext_sums.channels(_WORDS, _GRAMS)
        fulltext_keeping.follow(self._db, self._stemmer, channels, state, stopped)

    # -- asking

    def analyse(self, text: str) -> AnalysedQuery:
        text = text[:MAX_QUERY_CHARS]
        quoted = (" ".join(_WORD.findall(self.analyser.stream(phrase))) for phrase in _PHRASE.findall(text))
        phrases = [phrase for phrase in quoted if self.stems(phrase)]
        free = self.analyser.stream(_PHRASE.sub(" ", text))
        words = list(dict.fromkeys(word.lower() for word in _WORD.findall(free)))
        words = [word for word in words if self.stems(word)]
        informative = [word for word in words if word not in ENGLISH and word not in KOREAN]
        terms = informative or ([] if phrases else words)
        grams = dict.fromkeys(self.analyser.streams(text)[1].split())
        return AnalysedQuery(
            tuple(terms[:MAX_TERMS]),
            tuple(phrases[:MAX_TERMS]),
            tuple(grams)[:MAX_TERMS],
        )

    def match(self, query: AnalysedQuery, filters: Filters, limit: int) -> list[Candidate]:
        """The best `limit` chunks, best first; the score is BM25 as SQLite gives it, sign turned."""
        if (whole := self._whole(query)) is not None:
            scores = whole.best(self._asked(query), filters, limit, MAX_TIES)
        else:
            expressions = self._expressions(query, all_first=True)
            scores = self._scored(query, expressions, narrowing(self._db, filters), limit)
        # A word that is nearly everywhere scores next to nothing, and still tells chunks apart.
        return ordered(scores, self.places, limit, decimals=None)

    def score(self, query: AnalysedQuery, keys: Sequence[int]) -> dict[int, float]:
        """What `match` would say of these chunks, whatever their rank; those without a word of the query are left out.

        In a large index pairs are asked for only where there is no word: the best chunks by pairs are among the matches
        already, and to others they add next to nothing for a third of the time (measured: no result changed).
        The plus sign keeps SQLite from asking FTS5 for one row at a time, which costs a millisecond each.
        """
        if not keys:
            return {}
        if (whole := self._whole(query)) is not None:
            return whole.of(self._asked(query), keys)
        where = " AND +rowid IN carray(?)", (among(keys),)
        words = query._replace(grams=()) if query.terms and self.count() >= _COMMON_FLOOR else query
        return self._scored(words, self._expressions(query, all_first=False), where, len(keys))

    def ceiling(self, query: AnalysedQuery) -> float:
        """The BM25 no chunk can exceed: every informative word of the query as often as one likes.

        Words the index lacks count as the rarest, so a question in another language has a small share of its ceiling.
        """
        total = self.count()
        words = [self._frequency(term) for term in (*query.terms, *query.phrases)]
        return (_K1 + 1) * sum(max(math.log((total - n + 0.5) / (n + 0.5)), 1e-6) for n in words)

    def locate(self, text: str, query: AnalysedQuery) -> list[tuple[int, int]]:
        """Where the words of `query` stand in `text`, as character ranges in order."""
        return self._stemmer.locate(text, query)

    # -- inside

    def _whole(self, query: AnalysedQuery) -> "WholeIndex | None":
        """What sums the scores of all chunks. Phrases need the places of words, which only FTS5 knows."""
        return None if query.phrases else self._prepared()

    def _prepared(self) -> "WholeIndex | None":
        """None for an index that is not large, or that was not prepared for it."""
        if self.count() < _LARGE:
            return None
        assert self._total is not None
        revision, count = self._total
        if self._sums is None or self._sums[0] != revision:
            from kebab.store.fulltext_sums import whole_index

            self._sums = revision, whole_index(self._db, self.analyser.version, count)
        return self._sums[1]

    def _asked(self, query: AnalysedQuery) -> "list[Asked]":
        from kebab.store.fulltext_sums import Asked, channels

        words, grams = channels(_WORDS, _GRAMS)
        spelt = [(term, _quote(term)) for term in query.terms]
        stems = {text: found[0] for term, text in spelt if len(found := self.stems(term)) == 1 and text[-1] != "*"}
        pairs = {_quote(pair): pair for pair in self._rarest(query.grams)}
        asked = [
            Asked(words, tuple(text for _, text in spelt), stems, 1.0),
            Asked(grams, tuple(pairs), pairs, GRAMS_WEIGHT),
        ]
        return [each for each in asked if each.spelt]

    def _scored(
        self, query: AnalysedQuery, expressions: Sequence[str], where: Condition, limit: int
    ) -> dict[int, float]:
        """What the expressions find, one after the other until it is enough, and what the pairs add to it."""
        scores: dict[int, float] = {}
        for expression in expressions:
            if len(scores) >= limit:
                break
            for key, score in self._ranked(_WORDS, expression, where, limit).items():
                scores[key] = max(score, scores.get(key, 0.0))
        if query.grams and not query.phrases:
            for key, score in self._ranked(_GRAMS, _any(self._rarest(query.grams)), where, limit).items():
                scores[key] = scores.get(key, 0.0) + GRAMS_WEIGHT * score
        return scores

    def _expressions(self, query: AnalysedQuery, *, all_first: bool) -> list[str]:
        """Everything, then every phrase with any word, then the phrases alone.

        No expression names a phrase twice: FTS5 would count it twice. Any word gives a chunk that has them all the
        same score as asking for all of them, unless very frequent ones are left out.
        """
        phrases = " AND ".join(map(_quote, query.phrases))
        if not query.terms:
            return [phrases] if phrases else []
        everything = " AND ".join(map(_quote, (*query.phrases, *query.terms)))
        selective = self._selective(query.terms)
        some = _any(selective)
        asked = [f"{phrases} AND ({some})", phrases] if phrases else [some]
        # In a small index any word is found as fast as all of them.
        first = (all_first and self.count() >= _LARGE) or selective != query.terms
        return list(dict.fromkeys([everything, *asked] if first else asked))

    def _ranked(self, channel: tuple[str, str], expression: str, where: Condition, limit: int) -> dict[int, float]:
        (table, rank), (condition, bindings) = channel, where
        # `bm25() AS s ORDER BY s` costs 0.7 of `ORDER BY rank` here.
        sql = f"SELECT rowid, {rank} AS s FROM {table} WHERE {table} MATCH ?{condition} ORDER BY s LIMIT ?"
        try:
            rows = self._db.rows(sql, (expression, *bindings, limit))
            # Equals at the end are all fetched, so that which of them are kept is not an accident of insertion.
            while len(rows) == limit and limit < MAX_TIES and rows[-1][1] == rows[-2 if limit > 1 else -1][1]:
                limit *= 4
                rows = self._db.rows(sql, (expression, *bindings, limit))
        except RetrievalError as error:
            raise RetrievalError(error.message, hint="run `kebab doctor --repair`") from error
        return {key: -score for key, score in rows}

    def places(self, keys: Sequence[int]) -> dict[int, tuple[str, int]]:
        """The path of each chunk's document and the chunk's number in it."""
        sql = "SELECT chunk_key, workspace_path, ordinal FROM chunks JOIN documents USING (doc_key) WHERE chunk_key IN"
        return {key: (path, ordinal) for key, path, ordinal in self._db.rows(f"{sql} carray(?)", (among(keys),))}

    def _selective(self, terms: tuple[str, ...]) -> tuple[str, ...]:
        total = self.count()
        if total < _COMMON_FLOOR or len(terms) < 2:
            return terms
        rare = tuple(term for term in terms if self._frequency(term) <= total * _COMMON_SHARE)
        return rare if any(self._frequency(term) for term in rare) else terms

    def _rarest(self, grams: tuple[str, ...]) -> list[str]:
        """The pairs that tell most; the common ones cost most and tell next to nothing."""
        if len(grams) <= _MOST_GRAMS:
            return list(grams)
        self.count()
        return sorted(grams, key=lambda gram: (self._gram_frequency(gram), gram))[:_MOST_GRAMS]

    def _gram_frequency(self, gram: str) -> int:
        # The two indexes hold different words: a pair is told by the space before it.
        key = f" {gram}"
        if key not in self._frequencies:
            self._frequencies[key] = self._counted("chunks_grams", gram)
        return self._frequencies[key]

    def count(self) -> int:
        """Of all chunks; counted again when something was written since."""
        revision = int(self._db.scalar("SELECT value FROM schema_meta WHERE key = 'corpus_revision'"))
        if self._total is None or self._total[0] != revision:
            self._total = revision, int(self._db.scalar("SELECT count(*) FROM chunks"))
            self._frequencies.clear()
        return self._total[1]

    def _frequency(self, term: str) -> int:
        """How many chunks hold the word. One made of several parts is a phrase to FTS5, and rarer than any of them.

        Asked after `count`, which forgets what was known when something was written since.
        """
        stems = self.stems(term)
        if len(stems) == 1:
            return self.stem_frequency(stems[0])
        if term not in self._frequencies:
            sql = "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?"
            self._frequencies[term] = int(self._db.scalar(sql, (_quote(term),)))
        return self._frequencies[term]

    def stem_frequency(self, stem: str) -> int:
        if stem not in self._frequencies:
            if len(self._frequencies) > _REMEMBERED:
                self._frequencies.clear()
            self._frequencies[stem] = self._counted("chunks_fts", stem)
        return self._frequencies[stem]

    def _counted(self, table: str, word: str) -> int:
        """How many chunks hold the word. FTS5 counts them one by one, so for common ones what is kept will do."""
        whole = self._prepared()
        if whole is not None and (kept := whole.count(table, word)):
            return kept
        vocabulary = f"temp.words_of_{table}"
        self._db.run(f"CREATE VIRTUAL TABLE IF NOT EXISTS {vocabulary} USING fts5vocab(main, {table}, row)")
        return int(self._db.scalar(f"SELECT doc FROM {vocabulary} WHERE term = ?", (word,)) or 0)

    def stems(self, text: str) -> list[str]:
        return self._stemmer.stems(text)
