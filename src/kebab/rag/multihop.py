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
from kebab.rag.gate import judge
from kebab.rag.pipeline import Pipeline
from kebab.rag.planning import Plan, Planner, distinct
from kebab.rag.pool import Pool
from kebab.rag.prompt import MULTI_HOP

# Rounds in which more may be searched for after the parts of the question.
MAX_DEPTH = 3
# In units of what one search gives: places in the pool, and passages seen until looking for more ends.
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
        if draft.verdict.passed:
            self._pool.add(draft.searched.found)
        reason = self._gathered(draft, history)
        if self._pool:
            draft.searched = draft.searched._replace(found=self._pool.found())
        yield RetrievalDone(now(), tuple(each.hit for each in draft.searched.found))
        if reason is None:
            yield from self._synthesized(draft, history)
        else:
            yield AnswerReady(now(), self._complete(draft.refused(reason)))

    def _gathered(self, draft: Draft, history: Sequence[Turn]) -> RefusalReason | None:
        """Fills the pool, round by round; says why there can be no answer from it."""
        planner, text = self._ways.planner, self._question.text
        for iteration in range(1 + MAX_DEPTH):
            if self._ways.canceled():
                return RefusalReason.LLM_STREAM_ABORTED
            if iteration == 0:
                plan = planner.decompose(text, history)
            else:
                plan = planner.decide(text, self._asked, self._pool.found())
            hop = self._hop(iteration, plan, draft)
            if plan.aborted or self._ways.canceled():
                return RefusalReason.LLM_STREAM_ABORTED
            if iteration == 0 and not plan.sub_queries:
                return RefusalReason.MULTI_HOP_DECOMPOSE_FAILED
            if not self._pool:
                return RefusalReason.SCORE_GATE if draft.searched.found else RefusalReason.NO_CHUNKS
            if hop.forced_stop or (iteration > 0 and not hop.sub_queries):
                break
        return None

    def _hop(self, iteration: int, plan: Plan, draft: Draft) -> Hop:
        """Searches for what a plan names, and keeps on record what came of it."""
        named = plan.sub_queries or ()
        queries = named if iteration == 0 else distinct(named, self._asked)
        new = distinct(queries, self._asked)
        added = [self._search(query, draft) if query in new else () for query in queries]
        self._asked += new
        limited = self._pool.seen >= SEEN * self._question.k or iteration == MAX_DEPTH
        hop = Hop(
            iteration=iteration,
            kind="decide" if iteration else "decompose",
            sub_queries=queries,
            context_chunks_added=sum(map(len, added)),
            forced_stop=bool(new) and limited,
            llm_call_ms=plan.llm_call_ms,
            chunk_ids=tuple(added),
        )
        self._hops.append(hop)
        self._plans.append(plan)
        return hop

    def _search(self, query: str, draft: Draft) -> tuple[str, ...]:
        """The ids of the chunks it brings in: none from a search that found nothing on its own topic."""
        if self._ways.canceled():
            return ()
        searched = self._ways.search(query)
        verdict = judge(searched.features, draft.gate)
        nearer = not draft.searched.found or verdict.score > draft.verdict.score
        if searched.found and nearer and not draft.verdict.passed:
            # What is reported is what came nearest, until the question itself has found something.
            draft.verdict, draft.searched = verdict, searched
        return self._pool.add(searched.found) if verdict.passed else ()

    def _synthesized(self, draft: Draft, history: Sequence[Turn]) -> Iterator[AnswerEvent]:
        started = last = time.perf_counter()
        for event in self._pipeline.answer(draft, history):
            if isinstance(event, AnswerReady):
                spent = round((last - started) * 1000)
                self._hops.append(Hop(len(self._hops), "synthesize", llm_call_ms=spent))
                yield AnswerReady(event.ts, self._complete(event.answer))
            else:
                last = time.perf_counter()
                yield event

    def _complete(self, answer: Answer) -> Answer:
        """With its hops, and with what planning them took."""
        usage = answer.usage
        read = usage.prompt_tokens + sum(plan.prompt_tokens for plan in self._plans)
        written = usage.completion_tokens + sum(plan.completion_tokens for plan in self._plans)
        usage = usage._replace(prompt_tokens=read, completion_tokens=written)
        return replace(answer, hops=tuple(self._hops), usage=usage)
