"""A question in several hops: probe, take it apart, search for the parts and for what is missing, then answer once.

Pure, like the pipeline whose retrieval and answer it uses, so that citations, quotes and checks are the same.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from kebab.core.answer import Answer, AnswerEvent, AnswerReady, Hop, Question, RefusalReason, RetrievalDone, Turn
from kebab.core.clock import now
from kebab.rag.draft import Draft, Searched
from kebab.rag.gate import Verdict, judge
from kebab.rag.pipeline import Pipeline
from kebab.rag.planning import Plan, Planner, distinct
from kebab.rag.pool import Pool
from kebab.rag.prompt import MULTI_HOP

# Rounds in which more may be searched for after the parts of the question.
MAX_DEPTH = 3
# In units of the passages one search gives: places in the pool, and passages seen before looking for more ends.
PLACES = 2
SEEN = 8


class Ways(NamedTuple):
    """How it looks for more: who names sub-questions, what searches for one, and whether someone asked to stop."""

    planner: Planner
    search: Callable[[str], Searched]
    canceled: Callable[[], bool]


class MultiHop:
    """One question. Iterate over `events()`; the last one carries the answer."""

    def __init__(self, question: Question, pipeline: Pipeline, ways: Ways) -> None:
        self._question = question
        self._pipeline = pipeline
        self._ways = ways
        self._pool = Pool(PLACES * question.k)
        self._asked = [question.text]
        self._hops: list[Hop] = []
        self._plans: list[Plan] = []

    def events(self, history: Sequence[Turn] = ()) -> Iterator[AnswerEvent]:
        draft = self._pipeline.retrieve(history)
        draft.template = MULTI_HOP
        best = _Best(draft.searched, draft.verdict)
        if draft.verdict.passed:
            self._pool.add(draft.searched.found)
        reason = self._gather(draft, best, history)
        if self._pool:
            draft.searched = draft.searched._replace(found=self._pool.found())
            draft.verdict = draft.verdict if draft.verdict.passed else best.verdict
        else:
            draft.searched, draft.verdict = best.searched, best.verdict
        yield RetrievalDone(now(), tuple(each.hit for each in draft.searched.found))
        if reason is None:
            yield from self._synthesized(draft, history)
        else:
            yield AnswerReady(now(), self._complete(draft.refused(reason)))
