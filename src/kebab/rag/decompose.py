"""Several hops without a model that plans: a question is cut at its conjunctions, and its best sentence leads further.

For the built-in model, which reads no prompt. The second hop searches for what that sentence says beyond the question,
together with what it leaves open of it. It is a way of searching, not of reasoning: it stops after that one hop.
"""

import re
from collections.abc import Sequence

from kebab.core.answer import Turn
from kebab.rag.extractive import ExtractiveModel, Reader
from kebab.rag.pack import Found, SourceLines, pack
from kebab.rag.planning import Plan, distinct

MOST_PARTS = 3
# A part with fewer informative words is no question of its own: "and who made it?"
LEAST_WORDS = 2
MOST_BRIDGE_WORDS = 32
_JOINT = re.compile(
    r"(?<=[?？!。])\s*(?=\S)"
    r"|\s*[,，、;；]\s*(?:and|or|but|then|also)\s+"
    r"|\s+(?:and|as well as)\s+"
    r"|\s*[,，、;；]\s+"
    r"|\s*[,，]?\s*(?<![가-힣])(?:그리고|또한|또|아울러|및)(?![가-힣])\s*"
    # `하고` joins two things when what follows has a topic of its own.
    r"|(?<=[가-힣])하고\s+(?=\S+(?:은|는)(?:\s|\?|$))"
    r"|(?<=[가-힣](?:이고|되고|하며|이며|는지|은지|인지))\s*[,，]?\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w[\w'’.-]*\w|\w")


class Splitter:
    """The planner of the built-in model."""

    def __init__(self, reader: Reader, max_context_tokens: int, source_lines: SourceLines) -> None:
        self._reader = reader
        self._tokens = max_context_tokens
        self._source_lines = source_lines
        self._bridged = False

    def decompose(self, question: str, history: Sequence[Turn]) -> Plan:  # noqa: ARG002 - a planner may look back
        return Plan(parts(question, self._reader))

    def decide(self, question: str, searched: Sequence[str], found: Sequence[Found]) -> Plan:
        if self._bridged:
            return Plan(())
        self._bridged = True
        evidence = pack(found, self._tokens, self._source_lines)
        best = ExtractiveModel(self._reader).choose(question, evidence, most=1)
        query = bridge(question, best[0].text, self._reader) if best else ""
        return Plan(distinct([query], searched))


def parts(question: str, reader: Reader) -> tuple[str, ...]:
    """At most three questions; the whole one if nothing in it stands for itself."""
    found: list[str] = []
    for piece in _pieces(question):
        if found and (len(reader.informative(piece)) < LEAST_WORDS or len(reader.informative(found[-1])) < LEAST_WORDS):
            return (question.strip(),)
        found.append(piece)
    return distinct(found) or (question.strip(),)


def _pieces(question: str) -> list[str]:
    return [piece for each in _JOINT.split(question, maxsplit=MOST_PARTS - 1) if (piece := each.strip(" ,，;；"))]


def bridge(question: str, sentence: str, reader: Reader) -> str:
    """What the sentence says beyond the question, then what it leaves open; empty if it says nothing more."""
    asked, said = set(reader.words(question)), set(reader.words(sentence))
    beyond = _words_of(sentence, reader, asked)
    if not beyond:
        return ""
    return " ".join([*beyond, *_words_of(question, reader, said)][:MOST_BRIDGE_WORDS])


def _words_of(text: str, reader: Reader, known: set[str]) -> list[str]:
    """The informative words of a text as they are written, without those whose stems are known."""
    informative = set(reader.informative(text))
    kept = []
    for word in _WORD.findall(text):
        stems = set(reader.words(word))
        if stems & informative and not stems & known:
            kept.append(word)
    return list(dict.fromkeys(kept))
