"""A statement and a passage it cites to the exact words that bear it out best. The model never copies; we find.

The passage is cut into sentences; one of them or two neighbours are chosen by how much of the statement's weight they
hold, numbers and quotations counting extra. What words are and weigh, and how alike texts are, is given from outside.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from kebab.core.answer import Evidence, Quote
from kebab.core.chunk import breadcrumb
from kebab.core.citation import Citation, CodeCitation, LineCitation
from kebab.core.text import LineMap, nfc
from kebab.rag.blocks import Kind, Unit
from kebab.rag.facts import numbers, numbers_said, quotations
from kebab.rag.sentences import shortened, units

# The cosine of one text with each of several.
Similarity: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]

MAX_UNITS = 1000
MAX_COMPARED = 24
_LONGEST_UNIT = 600
_LONGEST_PAIR = 700
_NUMBER_SHARE = 0.15
_QUOTATION_SHARE = 0.3
# Among equals the sentence that says little else; a heading only names what the text below it says.
_TIGHT_SHARE = 0.1
_HEADING_LOSS = 0.1
# Two sentences must hold this much more than the better of them.
_PAIR_GAIN = 0.12
_SIMILAR_SHARE = 0.5
# From here on words alone have found the place.
_FOUND_BY_WORDS = 0.6
_EMPHASIS = re.compile(r"\*\*|__|~~|`|\*(?=\S)|(?<=\S)\*")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,600}\)")
_SPACE = re.compile(r"\s+")


class Lexicon(NamedTuple):
    """What a text's words are, as the index has them, and how much each says."""

    words: Callable[[str], list[str]]
    weight: Callable[[str], float]


class Sentence(NamedTuple):
    unit: Unit
    words: frozenset[str]
    numbers: frozenset[str]
    plain: str


class Passage(NamedTuple):
    """Evidence made ready for any number of statements. `given` are the words of its title and headings."""

    evidence: Evidence
    sentences: tuple[Sentence, ...]
    words: frozenset[str]
    given: frozenset[str]
    plain: str


class _Window(NamedTuple):
    first: int
    last: int
    score: float


def prepare(evidence: Evidence, lexicon: Lexicon) -> Passage:
    text = evidence.text
    cut = _lines(text) if isinstance(evidence.citation, CodeCitation) else units(text)
    found = tuple(
        Sentence(unit, frozenset(lexicon.words(part)), frozenset(numbers_said(part)), plain_text(part))
        for unit in shortened(text, cut[:MAX_UNITS], _LONGEST_UNIT)[:MAX_UNITS]
        for part in (unit.of(text),)
    )
    words = frozenset(word for sentence in found for word in sentence.words)
    given = frozenset(lexicon.words(breadcrumb(evidence.hit.title, evidence.hit.heading_path)))
    return Passage(evidence, found, words, given, plain_text(text))


def _lines(text: str) -> list[Unit]:
    """Source code is no Markdown: its lines are its units."""
    found, start = [], 0
    for line in text.split("\n"):
        if bare := line.strip():
            first = start + line.index(bare)
            found.append(Unit(first, first + len(bare), Kind.CODE))
        start += len(line) + 1
    return found


def align(statement: str, passage: Passage, lexicon: Lexicon, similarity: Similarity | None = None) -> Quote | None:
    """The quote, or None when nothing in the passage has to do with the statement."""
    if not passage.sentences:
        return None
    scores = _scores(statement, passage, lexicon)
    if similarity is not None and max(scores) < _FOUND_BY_WORDS:
        scores = _with_similarity(statement, passage, scores, similarity)
    best = max(range(len(scores)), key=lambda index: (scores[index], -index))
    if scores[best] <= 0:
        return None
    window = _widened(statement, passage, lexicon, _Window(best, best, scores[best]))
    start, end = passage.sentences[window.first].unit.start, passage.sentences[window.last].unit.end
    return quote(passage.evidence, start, end)


def quote(evidence: Evidence, start: int, end: int) -> Quote:
    """These characters of the evidence, with the lines they stand on."""
    return Quote(evidence.number, evidence.text[start:end], start, end, _cited(evidence, start, end))


def plain_text(text: str) -> str:
    """Text as it is compared: without Markdown's emphasis, links as their words, any space as one."""
    return _SPACE.sub(" ", _EMPHASIS.sub("", _LINK.sub(r"\1", nfc(text)))).strip()


def coverage(weights: dict[str, float], words: frozenset[str]) -> float:
    """The share of the weight that stands among `words`."""
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in words) / whole if whole > 0 else 0.0


def weighed(statement: str, lexicon: Lexicon) -> dict[str, float]:
    return {word: max(lexicon.weight(word), 0.0) for word in dict.fromkeys(lexicon.words(statement))}


def _scores(statement: str, passage: Passage, lexicon: Lexicon) -> list[float]:
    weights = weighed(statement, lexicon)
    figures = numbers(statement)
    quoted = [plain_text(each) for each in quotations(statement)]
    return [_score(sentence, weights, figures, quoted) for sentence in passage.sentences]


def _score(sentence: Sentence, weights: dict[str, float], figures: list[frozenset[str]], quoted: list[str]) -> float:
    score = coverage(weights, sentence.words)
    shared = sum(word in sentence.words for word in weights)
    if figures:
        score += _NUMBER_SHARE * sum(not forms.isdisjoint(sentence.numbers) for forms in figures) / len(figures)
    score += _QUOTATION_SHARE * min(2, sum(each in sentence.plain for each in quoted))
    if score <= 0:
        return 0.0
    score += _TIGHT_SHARE * shared / len(sentence.words) if sentence.words else 0.0
    return score - _HEADING_LOSS if sentence.unit.kind is Kind.HEADING else score


def _with_similarity(statement: str, passage: Passage, scores: list[float], similarity: Similarity) -> list[float]:
    """The likeliest by words, and as many others as may be compared, by meaning too."""
    chosen = sorted(range(len(scores)), key=lambda index: (-scores[index], index))[:MAX_COMPARED]
    cosines = similarity(statement, [passage.sentences[index].plain for index in chosen])
    raised = list(scores)
    for index, cosine in zip(chosen, cosines, strict=True):
        raised[index] += _SIMILAR_SHARE * max(0.0, cosine)
    return raised


def _widened(statement: str, passage: Passage, lexicon: Lexicon, best: _Window) -> _Window:
    """The best sentence with a neighbour, if together they hold clearly more of the statement."""
    weights = weighed(statement, lexicon)
    alone = coverage(weights, passage.sentences[best.first].words)
    widest = best._replace(score=alone + _PAIR_GAIN)
    for first, last in _pairs(passage, best.first):
        words = passage.sentences[first].words | passage.sentences[last].words
        if (together := coverage(weights, words)) > widest.score:
            widest = _Window(first, last, together)
    return widest


def _pairs(passage: Passage, index: int) -> Iterator[tuple[int, int]]:
    sentences = passage.sentences
    for first, last in ((index - 1, index), (index, index + 1)):
        if first < 0 or last >= len(sentences):
            continue
        one, other = sentences[first].unit, sentences[last].unit
        if one.kind is other.kind is not Kind.HEADING and other.end - one.start <= _LONGEST_PAIR:
            yield first, last


def _cited(evidence: Evidence, start: int, end: int) -> Citation:
    citation = evidence.citation
    if not isinstance(citation, LineCitation | CodeCitation):
        return citation
    lines = LineMap(evidence.text)
    before = evidence.first_line - 1
    first, last = before + lines.line_at(start), before + lines.line_at(max(start, end - 1))
    if isinstance(citation, CodeCitation):
        return replace(citation, line_start=first, line_end=last)
    return replace(citation, start=first, end=last, section=_section(evidence, start) or citation.section)


def _section(evidence: Evidence, start: int) -> str | None:
    """The heading above a place; passages that were joined have several."""
    above = [unit for unit in units(evidence.text[:start]) if unit.kind is Kind.HEADING]
    if not above:
        return None
    return f"§ {above[-1].of(evidence.text).strip()}"
