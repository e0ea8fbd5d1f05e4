"""A small world for answers in several hops: a model that says what it is told to, and searches with known results."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rag_bench import LEXICON, Library

from kebab.core.answer import (
    Answer,
    AnswerEvent,
    AnswerReady,
    Delta,
    Finished,
    FinishReason,
    ModelRef,
    Prompt,
    Question,
    Turn,
)
from kebab.core.answering import RagSettings
from kebab.core.errors import KebabError
from kebab.rag.draft import Searched
from kebab.rag.gate import Features
from kebab.rag.multihop import MultiHop, Ways
from kebab.rag.pack import Found
from kebab.rag.pipeline import Limits, Pipeline, Tools
from kebab.rag.planning import LlmPlanner, Planner, Writer
from kebab.rag.support import Judge

QUESTION = "Where was the author of Killing Pablo born?"
TEXTS = {
    "pablo": "Killing Pablo is a book by Mark Bowden.",
    "bowden": "Mark Bowden was born in Boston.",
    "boston": "Boston is a city in Massachusetts.",
    "rice": "Brown rice cooks for forty minutes.",
}
ON_TOPIC, OFF_TOPIC = Features(1.0), Features(0.0)
LIMITS = Limits(100, 0.0, 7)


def parts(*queries: str) -> str:
    return json.dumps({"sub_queries": list(queries)})


def search_for(*queries: str) -> str:
    return json.dumps({"kind": "search", "sub_queries": list(queries)})


STOP = json.dumps({"kind": "stop", "sub_queries": []})
SAID = "Mark Bowden was born in Boston [#2]."


@dataclass
class Script:
    """Says one reply after the other, a few letters at a time, or raises it; remembers what it was asked."""

    replies: Sequence[str | KebabError]
    prompts: list[Prompt] = field(default_factory=list)
    closed: int = 0
    context_tokens: int = 8000
    model = ModelRef("script", "test")

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        self.prompts.append(prompt)
        reply = self.replies[len(self.prompts) - 1]
        if isinstance(reply, KebabError):
            raise reply
        try:
            for start in range(0, len(reply), 5):
                yield Delta(reply[start : start + 5])
            yield Finished(FinishReason.STOP, 10, 3)
        finally:
            self.closed += 1


@dataclass
class World:
    """What each query finds, by words in it; anything else finds nothing on its topic."""

    model: Script
    results: dict[str, Searched] = field(default_factory=dict)
    queries: list[str] = field(default_factory=list)
    canceled: Callable[[], bool] = lambda: False
    library: Library = field(default_factory=lambda: Library(**TEXTS))
    rag: RagSettings = field(default_factory=RagSettings)

    def knows(self, words: str, *docs: str, features: Features = ON_TOPIC) -> "World":
        self.results[words] = Searched(found(self.library, *docs), features)
        return self

    def search(self, text: str) -> Searched:
        self.queries.append(text)
        for words, result in self.results.items():
            if words in text:
                return result
        return Searched((), OFF_TOPIC)

    def tools(self) -> Tools:
        return Tools(self.search, self.model, self.library.source_lines, Judge(LEXICON), "ret_0", self.canceled)

    def events(
        self, question: Question | None = None, history: Sequence[Turn] = (), planner: Planner | None = None
    ) -> list[AnswerEvent]:
        asked = question or Question(QUESTION, k=4, multi_hop=True)
        tools = self.tools()
        pipeline = Pipeline(asked, tools, self.rag, LIMITS)
        writer = Writer(self.model, LIMITS, self.rag.max_context_tokens, self.library.source_lines, self.canceled)
        ways = Ways(planner or LlmPlanner(writer), self.search, self.canceled)
        return list(MultiHop(asked, pipeline, ways).events(history))

    def answer(self, question: Question | None = None, history: Sequence[Turn] = ()) -> Answer:
        last = self.events(question, history)[-1]
        assert isinstance(last, AnswerReady)
        return last.answer


def found(library: Library, *docs: str) -> tuple[Found, ...]:
    """The first line of each document; ids and scores say which search ranked it where."""
    hits = (library.found(rank, doc, 1, 1) for rank, doc in enumerate(docs, start=1))
    return tuple(each._replace(hit=replace(each.hit, chunk_id=f"{each.hit.doc_id}#1")) for each in hits)


def world(*replies: str | KebabError) -> World:
    """The question finds the book, a sub-question about Bowden its author, one about the city its state."""
    made = World(Script(replies))
    made.knows("Killing Pablo", "pablo", "rice").knows("Mark Bowden", "bowden").knows("Boston", "boston", "bowden")
    return made


def canceled_after(calls: int) -> Callable[[], bool]:
    """Someone asks to stop once this was looked at so often."""
    left = iter(range(calls))
    return lambda: next(left, None) is None
