"""Which sub-questions to search for, as a language model says: first the parts of a question, then what is missing.

The model answers in JSON. Words or a code fence around the object are overlooked, anything else is no plan.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from kebab.core.answer import Delta, Finished, Prompt, Turn
from kebab.core.ports import LanguageModel
from kebab.core.text import nfc, token_estimate
from kebab.rag.pack import Found, SourceLines, budget, pack, recent
from kebab.rag.pipeline import Limits
from kebab.rag.prompt import STOP, render_decide, render_decompose

MOST_SUB_QUERIES = 5
LONGEST_SUB_QUERY = 300
_LONGEST_REPLY = 20_000
_MOST_OBJECTS = 50
_EDGES = " \t\n?？!.。,\"'“”"
_SPACES = re.compile(r"\s+")


class Plan(NamedTuple):
    """What to search for next: nothing to stop, None when no plan could be read from what the model wrote."""

    sub_queries: tuple[str, ...] | None
    aborted: bool = False
    llm_call_ms: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Planner(Protocol):
    def decompose(self, question: str, history: Sequence[Turn]) -> Plan:
        """The question in parts that can be searched for one by one."""
        ...

    def decide(self, question: str, searched: Sequence[str], found: Sequence[Found]) -> Plan:
        """What is still missing when these passages were found for these queries."""
        ...


class Writer(NamedTuple):
    """Whom a plan is asked of, and on what terms."""

    model: LanguageModel
    limits: Limits
    max_context_tokens: int
    source_lines: SourceLines
    canceled: Callable[[], bool]


class LlmPlanner:
    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def decompose(self, question: str, history: Sequence[Turn]) -> Plan:
        told = recent(history, self._room(render_decompose(question)))
        return self._plan(question, render_decompose(question, told), decomposed)

    def decide(self, question: str, searched: Sequence[str], found: Sequence[Found]) -> Plan:
        room = self._room(render_decide(question, searched, ()))
        evidence = pack(found, room, self._writer.source_lines)
        return self._plan(question, render_decide(question, searched, evidence), decided)

    def _room(self, prompt: tuple[str, str]) -> int:
        writer = self._writer
        most, context = writer.max_context_tokens, writer.model.context_tokens
        return budget("".join(prompt), most, context, writer.limits.max_tokens)

    def _plan(self, question: str, texts: tuple[str, str], read: "Callable[[str], tuple[str, ...] | None]") -> Plan:
        started = time.perf_counter()
        reply, finished = self._reply(question, texts)
        spent = round((time.perf_counter() - started) * 1000)
        if finished is None:
            return Plan(None, aborted=True, llm_call_ms=spent, completion_tokens=token_estimate(reply))
        return Plan(
            read(reply),
            llm_call_ms=spent,
            prompt_tokens=finished.prompt_tokens,
            completion_tokens=finished.completion_tokens,
        )

    def _reply(self, question: str, texts: tuple[str, str]) -> tuple[str, Finished | None]:
        """What the model wrote, and how it ended; None when it was stopped."""
        writer = self._writer
        system, user = texts
        prompt = Prompt(system, user, question, (), STOP, *writer.limits)
        parts: list[str] = []
        finished: Finished | None = None
        stream = writer.model.generate(prompt)
        try:
            for piece in stream:
                if isinstance(piece, Delta):
                    parts.append(piece.text)
                else:
                    finished = piece
                if finished is None and writer.canceled():
                    break
        finally:
            # Tells a server to stop working.
            getattr(stream, "close", lambda: None)()
        return "".join(parts), finished


def decomposed(reply: str) -> tuple[str, ...] | None:
    """The sub-questions of `{"sub_queries": [...]}`; None if there is not exactly one such object, or none in it."""
    plan = _only_object(reply, {"sub_queries"})
    return _queries(plan) or None if plan is not None else None


def decided(reply: str) -> tuple[str, ...] | None:
    """Those of `{"kind": "search", "sub_queries": [...]}`; none for `"kind": "stop"`."""
    plan = _only_object(reply, {"kind", "sub_queries"})
    if plan is None or plan["kind"] not in ("stop", "search"):
        return None
    return _queries(plan) if plan["kind"] == "search" else ()


def distinct(queries: Iterable[str], known: Iterable[str] = ()) -> tuple[str, ...]:
    """Each query once, in order, and none of the known ones; case and the mark at its end make no difference."""
    seen = {_key(each) for each in known} | {""}
    kept: list[str] = []
    for query in queries:
        if (key := _key(query)) not in seen:
            seen.add(key)
            kept.append(query)
    return tuple(kept)


def _key(query: str) -> str:
    return _SPACES.sub(" ", nfc(query)).strip(_EDGES).casefold()


def _queries(plan: dict[str, object]) -> tuple[str, ...] | None:
    given = plan["sub_queries"]
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return None
    return distinct(_SPACES.sub(" ", each).strip()[:LONGEST_SUB_QUERY] for each in given)[:MOST_SUB_QUERIES]


def _only_object(reply: str, names: set[str]) -> dict[str, object] | None:
    """The one JSON object with exactly these names; the same one repeated counts once."""
    found = [each for each in _objects(reply[:_LONGEST_REPLY]) if each.keys() == names]
    return found[0] if found and all(each == found[0] for each in found) else None


def _objects(text: str) -> list[dict[str, object]]:
    """JSON objects that stand in a text, outermost ones only."""
    decoder = json.JSONDecoder()
    found: list[dict[str, object]] = []
    at = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found
