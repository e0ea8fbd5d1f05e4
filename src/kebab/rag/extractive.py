"""The built-in model: answers with the sentences of the evidence that answer the question, or says that none does.

It writes nothing of its own, so what it says is always in the source. Deterministic, and no server.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kebab.core.answer import Delta, Evidence, Finished, FinishReason, ModelRef, Prompt
from kebab.core.answering import QUOTING
from kebab.core.markers import as_words
from kebab.core.text import token_estimate
from kebab.rag.blocks import Kind, front_matter_end
from kebab.rag.facts import is_korean
from kebab.rag.sentences import shortened, units

MODEL = "extractive-v1"
# Measured by benchmarks/answers.py.
COSINE_WEIGHT = 0.3
NUMBER_BONUS = 0.2
LENGTH_BONUS = 0.2
FULL_LENGTH = 40
# A row of a table says little without its head.
ROW_LOSS = 0.15
MOST_SENTENCES = 2
# A second sentence is worth reading when it is nearly as good as the first.
SECOND_SHARE = 0.6
# Below this a sentence says nothing about the question.
LEAST_RELEVANCE = 0.25
LONGEST = 400
_COMPARED = 24
_ASKS_NUMBER = re.compile(
    r"\b(how (many|much|long|old|far|often|tall|large|big)|when|what (year|date|time|percent\w*|number|age))\b"
    r"|몇|얼마|언제|어느 해|년도|연도|날짜|나이|횟수|비율|번째",
    re.IGNORECASE,
)
_TABLE_HEAD = re.compile(r"[ \t|]*\n[ \t]*\|?[ \t]*:?-{2,}")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_DIGIT = re.compile(r"\d")
_SPACES = re.compile(r"\s+")
NOTHING = {True: "근거가 부족하다.", False: "There is not enough evidence."}


class Reader(NamedTuple):
    """How words are read: a question's informative stems, a text's stems, what a stem weighs, and how near texts are.

    `cosines` compares one text with others; None when there is no embedding model.
    """

    informative: Callable[[str], list[str]]
    words: Callable[[str], list[str]]
    weight: Callable[[str], float]
    cosines: Callable[[str, Sequence[str]], list[float]] | None = None


class Candidate(NamedTuple):
    """A sentence of the evidence. `relevance` is what it shares with the question, `score` decides among sentences."""

    evidence: Evidence
    start: int
    text: str
    relevance: float
    score: float


class ExtractiveModel:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.model = ModelRef(MODEL, QUOTING)
        self.context_tokens = 1_000_000

    def generate(self, prompt: Prompt) -> Iterator[Delta | Finished]:
        chosen = self.choose(prompt.question, prompt.evidence)
        parts = [f"{as_words(each.text)} {each.evidence.marker}" for each in chosen]
        parts = parts or [NOTHING[is_korean(prompt.question)]]
        for number, part in enumerate(parts):
            yield Delta(part if number == 0 else f"\n{part}")
        asked = sum(token_estimate(each.text) for each in prompt.evidence) + token_estimate(prompt.question)
        yield Finished(FinishReason.STOP, asked, sum(map(token_estimate, parts)))

    def choose(self, question: str, evidence: Sequence[Evidence], most: int = MOST_SENTENCES) -> list[Candidate]:
        """The best sentences in the order of the evidence; none when none is about the question."""
        ranked = [each for each in self._ranked(question, evidence) if each.relevance >= LEAST_RELEVANCE]
        if not ranked:
            return []
        first = ranked[0]
        kept = [each for each in ranked if each.score >= SECOND_SHARE * first.score][:most]
        return sorted(kept, key=lambda each: (each.evidence.number, each.start))

    def _ranked(self, question: str, evidence: Sequence[Evidence]) -> list[Candidate]:
        stems = self._reader.informative(question)
        whole = sum(map(self._reader.weight, stems)) or 1.0
        number = _ASKS_NUMBER.search(question) is not None
        # Scores by words alone have no upper end, and would drown what a sentence itself says.
        top = max((1.0, *(each.hit.score for each in evidence)))
        found: dict[str, Candidate] = {}
        for each in evidence:
            for bare in self._sentences(each, set(stems), whole, number=number):
                candidate = bare._replace(score=bare.score + each.hit.score / top)
                best = found.get(candidate.text)
                if best is None or candidate.score > best.score:
                    found[candidate.text] = candidate
        best_first = sorted(found.values(), key=_order)[:_COMPARED]
        return sorted(self._compared(question, best_first), key=_order)

    def _sentences(self, evidence: Evidence, stems: set[str], whole: float, *, number: bool) -> Iterator[Candidate]:
        text = evidence.text
        matter = front_matter_end(text)
        title = stems & set(self._reader.words(evidence.hit.title))
        named = title | (stems & set(self._reader.words(" ".join(evidence.hit.heading_path))))
        for unit in shortened(text, units(text), LONGEST):
            if unit.kind is Kind.HEADING:
                # Passages that were joined have several headings, and a sentence stands under its own.
                named = title | (stems & set(self._reader.words(unit.of(text))))
            sentence = _SPACES.sub(" ", unit.of(text)).strip()
            if unit.kind in (Kind.HEADING, Kind.CODE) or unit.start < matter or _TABLE_HEAD.match(text, unit.end):
                continue
            if not _LETTERS.search(sentence):
                continue
            there = stems & set(self._reader.words(sentence))
            own = sum(map(self._reader.weight, there)) / whole
            covered = sum(map(self._reader.weight, there | named)) / whole
            score = covered + LENGTH_BONUS * min(1.0, len(sentence) / FULL_LENGTH)
            score -= ROW_LOSS if unit.kind is Kind.ROW else 0.0
            score += NUMBER_BONUS if number and _DIGIT.search(sentence) else 0.0
            yield Candidate(evidence, unit.start, sentence, max(own, covered / 2), score)

    def _compared(self, question: str, candidates: list[Candidate]) -> list[Candidate]:
        """With how near each sentence is to the question, where that can be told."""
        if self._reader.cosines is None or not candidates:
            return candidates
        cosines = self._reader.cosines(question, [each.text for each in candidates])
        return [
            each._replace(score=each.score + COSINE_WEIGHT * cosine, relevance=max(each.relevance, cosine))
            for each, cosine in zip(candidates, cosines, strict=True)
        ]


def _order(each: Candidate) -> tuple[float, int, int]:
    return -round(each.score, 6), each.evidence.number, each.start
