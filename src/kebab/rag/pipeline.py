"""A question to an answer or refusal: retrieve, gate, pack, render, generate, cite, align, check, verify. On one page.

Pure: everything that searches, reads or generates is given from outside. Recording is the caller's.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kebab.core.answer import (
    AnswerEvent,
    AnswerReady,
    Delta,
    Prompt,
    Question,
    RefusalReason,
    RetrievalDone,
    Statement,
    Support,
    TokenArrived,
    Turn,
)
from kebab.core.answering import RagSettings
from kebab.core.clock import now
from kebab.core.ports import LanguageModel
from kebab.rag import cite
from kebab.rag.align import prepare
from kebab.rag.draft import Draft, Searched
from kebab.rag.gate import judge
from kebab.rag.pack import SourceLines, budget, pack, recent, room_for_history
from kebab.rag.prompt import STOP, render
from kebab.rag.support import Judge, assess, is_harmless
from kebab.rag.verify import Verifier, verify

# How much of the answer before is searched for together with a follow-up question.
_EXPANSION_CHARS = 200


class Limits(NamedTuple):
    """Of a reply, from `[models.llm]`."""

    max_tokens: int
    temperature: float
    seed: int | None


class Tools(NamedTuple):
    """What the pipeline works with."""

    search: Callable[[str], Searched]
    model: LanguageModel
    source_lines: SourceLines
    judge: Judge
    trace_id: str
    canceled: Callable[[], bool]
    verifier: Verifier | None = None


class Pipeline:
    """One question. Iterate over `events()`; the last one carries the answer."""

    def __init__(self, question: Question, tools: Tools, settings: RagSettings, limits: Limits) -> None:
        self._question = question
        self._tools = tools
        self._settings = settings
        self._limits = limits

    def events(self, history: Sequence[Turn] = ()) -> Iterator[AnswerEvent]:
        draft = self.retrieve(history)
        yield RetrievalDone(now(), tuple(each.hit for each in draft.searched.found))
        if not draft.searched.found or not draft.verdict.passed:
            reason = RefusalReason.SCORE_GATE if draft.searched.found else RefusalReason.NO_CHUNKS
            yield AnswerReady(now(), draft.refused(reason))
            return
        yield from self.answer(draft, history)

    def retrieve(self, history: Sequence[Turn]) -> Draft:
        started = time.perf_counter()
        searched = self._tools.search(_expanded(self._question.text, history))
        return Draft(
            question=self._question,
            trace_id=self._tools.trace_id,
            model=self._tools.model.model,
            template=self._settings.prompt_template_version,
            gate=self._settings.score_gate,
            searched=searched,
            verdict=judge(searched.features, self._settings.score_gate),
            started=started,
        )

    def answer(self, draft: Draft, history: Sequence[Turn]) -> Iterator[AnswerEvent]:
        """From evidence that is there to the answer; also the last step of several hops."""
        prompt = self._prompt(draft, history)
        draft.evidence = prompt.evidence
        for piece in self._generate(prompt, draft):
            yield TokenArrived(now(), piece)
        draft.text = draft.reply.text
        reading = cite.read(draft.text, {each.number for each in prompt.evidence})
        draft.statements = self._checked(reading, draft)
        reason = RefusalReason.LLM_STREAM_ABORTED if draft.reply.aborted else reading.outcome.refusal
        reason = reason or self._strict(draft, reading)
        reason = reason or verify(draft, reading.claims, self._tools.verifier, self._settings.nli_threshold)
        yield AnswerReady(now(), draft.answered() if reason is None else draft.refused(reason))

    def _prompt(self, draft: Draft, history: Sequence[Turn]) -> Prompt:
        template, text = draft.template, self._question.text
        bare = "".join(render(template, text, ()))
        evidence = pack(draft.searched.found, self._room(bare), self._tools.source_lines)
        told = recent(history, self._room_beside("".join(render(template, text, evidence)))) if history else ()
        system, user = render(template, text, evidence, told)
        asked, limits = self._question, self._limits
        return Prompt(
            system=system,
            user=user,
            question=text,
            evidence=evidence,
            stop=STOP,
            max_tokens=limits.max_tokens,
            temperature=limits.temperature if asked.temperature is None else asked.temperature,
            seed=limits.seed if asked.seed is None else asked.seed,
        )

    def _room(self, prompt: str) -> int:
        most, context = self._settings.max_context_tokens, self._tools.model.context_tokens
        return budget(prompt, most, context, self._limits.max_tokens)

    def _room_beside(self, prompt: str) -> int:
        most, context = self._settings.max_context_tokens, self._tools.model.context_tokens
        return room_for_history(prompt, most, context, self._limits.max_tokens)

    def _generate(self, prompt: Prompt, draft: Draft) -> Iterator[str]:
        """The model's words as they come, until it ends or someone asks it to."""
        reply, stream = draft.reply, self._tools.model.generate(prompt)
        try:
            for piece in stream:
                if isinstance(piece, Delta):
                    reply.parts.append(piece.text)
                    yield piece.text
                else:
                    reply.finished = piece
                if reply.finished is None and self._tools.canceled():
                    break
            reply.aborted = reply.finished is None and self._tools.canceled()
        finally:
            # Tells a server to stop working.
            getattr(stream, "close", lambda: None)()

    def _checked(self, reading: cite.Reading, draft: Draft) -> tuple[Statement, ...]:
        # Whoever stopped an answer does not wait for a model to read it.
        fair = self._tools.judge._replace(entails=None) if draft.reply.aborted else self._tools.judge
        cited = set(reading.markers)
        passages = {each.number: prepare(each, fair.lexicon) for each in draft.evidence if each.number in cited}
        return tuple(assess(claim, passages, fair) for claim in reading.claims)

    def _strict(self, draft: Draft, reading: cite.Reading) -> RefusalReason | None:
        """What `rag.on_unsupported` makes of sentences that are not borne out."""
        bad = [
            index
            for index, (claim, statement) in enumerate(zip(reading.claims, draft.statements, strict=True))
            if statement.support is Support.UNSUPPORTED
            or (statement.support is Support.UNCITED and not is_harmless(claim))
        ]
        if not bad or self._settings.on_unsupported == "mark":
            return None
        if self._settings.on_unsupported == "refuse":
            return RefusalReason.LLM_SELF_JUDGE
        kept = [index for index in range(len(draft.statements)) if index not in set(bad)]
        draft.text = " ".join(draft.text[reading.claims[index].start : reading.claims[index].end] for index in kept)
        draft.statements = tuple(draft.statements[index] for index in kept)
        return None if any(statement.markers for statement in draft.statements) else RefusalReason.LLM_SELF_JUDGE


def _expanded(question: str, history: Sequence[Turn]) -> str:
    """A follow-up says little by itself; the beginning of the answer before says what it follows.

    An answer cites, so one without a marker was a refusal, whose words are about nothing that is searched for.
    """
    before = history[-1].answer if history else ""
    if not any(claim.markers for claim in cite.claims(before)):
        return question
    return f"{question} {cite.without_markers(before)[:_EXPANSION_CHARS]}"
