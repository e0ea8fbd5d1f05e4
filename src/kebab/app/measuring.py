"""A suite's queries asked one by one over an open index, each judged and timed. A query that fails stops no other."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kebab.app.search import Searcher
from kebab.core.answer import Answer, AnswerReady, Question
from kebab.core.errors import KebabError
from kebab.core.evaluation import EvalStep, FoundChunk, GoldenQuery, JudgedHit, QueryResult, Replied
from kebab.core.query import Hit, Query, SearchMode
from kebab.eval.metrics import judge_answer, judge_hits

if TYPE_CHECKING:
    from kebab.app.facade import App

# Loads what the first search of a mode would wait for, so that no query pays for it.
_WARM_UP = "kebab"


class Manner(NamedTuple):
    """How a suite is measured. In `answer_mode`, if it is given, queries are answered as well."""

    k: int
    max_per_doc: int = 0
    modes: tuple[SearchMode, ...] = ()
    answer_mode: SearchMode | None = None


class Measurement:
    """Asks; what was measured is in `results`, also when it was stopped half-way."""

    def __init__(self, app: "App", cancel: threading.Event) -> None:
        self._asker, self._store = app.asker()
        # Not the app's own: these searches belong in no log, and no page of them is remembered.
        self._searcher = Searcher(self._store, app.vectors, app.config.search)
        self._answer_k = app.config.search.default_k
        self._manner = Manner(10)
        self._cancel = cancel
        self.results: list[QueryResult] = []
        self.files: dict[str, str] = {}

    def runnable(self, mode: SearchMode) -> str | None:
        """Why this mode cannot run as it is meant to; None if it can."""
        try:
            return self._searcher.search(Query(_WARM_UP, mode, 1)).degraded
        except KebabError as error:
            return error.message

    def steps(self, queries: tuple[GoldenQuery, ...], manner: Manner) -> Iterator[EvalStep]:
        self._manner = manner
        total = len(queries) * len(manner.modes)
        for mode in manner.modes:
            self.runnable(mode)
            for query in queries:
                if self._cancel.is_set():
                    return
                self.results.append(self._result(query, mode))
                yield EvalStep(len(self.results), total, f"{mode}: {query.text}")

    def _result(self, query: GoldenQuery, mode: SearchMode) -> QueryResult:
        empty = QueryResult(query.query_id, query.text, mode, query.answerable, query.lang, query.group)
        try:
            found = self._searched(query, empty)
            return self._answered(query, found) if mode is self._manner.answer_mode else found
        except KebabError as error:
            return empty._replace(error=error.message)

    def _searched(self, query: GoldenQuery, empty: QueryResult) -> QueryResult:
        k, per_document = self._manner.k, self._manner.max_per_doc
        cpu, wall = time.process_time(), time.perf_counter()
        result = self._searcher.search(Query(query.text, empty.mode, k, max_per_doc=per_document))
        cpu_ms, wall_ms = (
            (end - start) * 1000 for start, end in ((cpu, time.process_time()), (wall, time.perf_counter()))
        )
        judged = judge_hits(query, [self._found(hit, query) for hit in result.hits], k)
        pairs = zip(result.hits, judged.relevant, strict=True)
        return empty._replace(
            rank=judged.rank,
            metrics=judged.metrics,
            hits=tuple(_kept(hit, relevant=relevant) for hit, relevant in pairs),
            cpu_ms=round(cpu_ms, 3),
            wall_ms=round(wall_ms, 3),
            degraded=result.degraded,
        )

    def _found(self, hit: Hit, query: GoldenQuery) -> FoundChunk:
        if hit.doc_path not in self.files:
            self.files[hit.doc_path] = _address(hit.file)
        text = self._text(hit.chunk_id) if any(wanted.quote for wanted in query.expected) else ""
        place = (hit.rank, hit.chunk_id, hit.doc_id, hit.doc_path, hit.title, hit.heading_path)
        return FoundChunk(*place, text, hit.citation.to_uri(), hit.score)

    def _text(self, chunk_id: str) -> str:
        try:
            return self._store.shelf.text_of(chunk_id)[1]
        except IndexError:  # an ingest has replaced its document since
            return ""

    def _answered(self, query: GoldenQuery, found: QueryResult) -> QueryResult:
        answer = self._answer(Question(query.text, found.mode, self._answer_k))
        reply = Replied(
            text=answer.answer,
            grounded=answer.grounded,
            refusal_reason=None if answer.refusal_reason is None else str(answer.refusal_reason),
            evidence_score=answer.retrieval.evidence_score,
            citations=sum(each.marker is not None for each in answer.citations),
        )
        return found._replace(metrics={**found.metrics, **judge_answer(query, answer)}, reply=reply)

    def _answer(self, question: Question) -> Answer:
        """Not on the record: nobody asked this."""
        last = None
        for last in self._asker.ask(question, self._cancel):  # noqa: B007 - only the last one is wanted
            pass
        assert isinstance(last, AnswerReady), "the last event of a question carries the answer"
        return last.answer


def _kept(hit: Hit, *, relevant: bool) -> JudgedHit:
    heading = " > ".join(hit.heading_path)
    return JudgedHit(hit.rank, hit.chunk_id, hit.doc_path, hit.citation.to_uri(), heading, hit.score, relevant)


def _address(file: str) -> str:
    try:
        return Path(file).as_uri()
    except ValueError:
        return ""
