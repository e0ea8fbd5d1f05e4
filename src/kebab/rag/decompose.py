"""Several hops without a model that plans: a question is cut at its conjunctions, and the best sentences lead further.

For the built-in model, which reads no prompt. The second hop searches for what the best sentence of each part says
beyond the question, with what it leaves open of it. It is a way of searching, not of reasoning; it ends after that hop.
"""

import re
from collections.abc import Sequence

from kebab.core.answer import Turn
from kebab.rag.extractive import ExtractiveModel, Reader
from kebab.rag.pack import Found, SourceLines, pack
from kebab.rag.planning import Plan, distinct

MOST_PARTS = 3
# With fewer informative words a part is no question of its own ("and who made it?"), unless it names something.
LEAST_WORDS = 2
MOST_BRIDGE_WORDS = 32
_JOINT = re.compile(
    r"(?<=[?？!。])\s*(?=\S)"
    r"|\s*[,，、;；]\s*(?:and|or|but|then|also)\s+"
    r"|\s+(?:and|or|as well as)\s+"
    r"|\s*[,，、;；]?\s*(?<![가-힣])(?:그리고|또한|또는|혹은|아니면|아울러|및)(?![가-힣])\s*"
    r"|\s*[,，、;；]\s+"
    # These endings join two questions when what follows has a topic of its own, and always after "whether".
    r"|(?:(?<=이고)|(?<=하고)|(?<=되고)|(?<=이며)|(?<=하며)|(?<=되며))\s+(?=\S+(?:은|는)(?:\s|[?？]|$))"
    r"|(?:(?<=는지)|(?<=은지)|(?<=인지)|(?<=한지))\s+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|'[^']*'(?!\w)|‘[^‘’]*’|「[^「」]*」|『[^『』]*』|`[^`]*`")
_NAME = re.compile(r"[A-Z0-9][\w'’.-]*(?:\s+[A-Z0-9][\w'’.-]*)*[?？.]?")
# What a Korean sentence is about, or one of two things it is about.
_TOPIC = re.compile(r"[가-힣](?:은|는|하고|이랑|랑)(?:\s|[?？]|$)")
_WORD = re.compile(r"\w[\w'’.-]*\w|\w")


class Splitter:
    """The planner of the built-in model, for one question."""

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
        model = ExtractiveModel(self._reader)
        best = [each.text for part in parts(question, self._reader) for each in model.choose(part, evidence, most=1)]
        return Plan(distinct((bridge(question, sentence, self._reader) for sentence in best), searched))


def parts(question: str, reader: Reader) -> tuple[str, ...]:
    """At most three questions or names that stand for themselves; the whole question if it has no such parts."""
    spans: list[tuple[int, int]] = []
    for start, end in _pieces(question):
        joined = bool(spans) and not (
            _stands(question[slice(*spans[-1])], reader) and _stands(question[start:end], reader)
        )
        if joined or len(spans) == MOST_PARTS:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return distinct(question[start:end].strip() for start, end in spans) or (question.strip(),)


def _pieces(question: str) -> list[tuple[int, int]]:
    """Where the pieces between conjunctions are; what is quoted is one thing."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), question)
    starts, ends = [0], []
    for joint in _JOINT.finditer(masked):
        ends.append(joint.start())
        starts.append(joint.end())
    spans = zip(starts, [*ends, len(question)], strict=True)
    return [(start, end) for start, end in spans if _WORD.search(question, start, end)]


def _stands(piece: str, reader: Reader) -> bool:
    words = len(reader.informative(piece))
    named = _NAME.fullmatch(piece.strip()) or _TOPIC.search(piece.strip())
    return words >= LEAST_WORDS or (words > 0 and named is not None)


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
