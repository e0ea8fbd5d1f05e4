"""Does what a statement cites bear it out? Checked sentence by sentence against the statement's own evidence.

Words say most of it: the share of the statement's weight that stands in the quotes and in the passages. A number or
name that stands nowhere in them, or a denial on one side only, weighs heavily. Where the statement is in another
language than its evidence, words say nothing and meaning decides; a verifier that reads both decides most.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kebab.core.answer import Quote, Statement, Support
from kebab.rag.align import Lexicon, Passage, Similarity, align, coverage, plain_text, weighed
from kebab.rag.blocks import Kind
from kebab.rag.cite import Claim
from kebab.rag.facts import denials, hangul_share, names, numbers, numbers_said


class Thresholds(NamedTuple):
    """All numbers of the judgement. Cosines belong to an embedding model: these are those of the built-in one."""

    supported: float = 0.65
    weak: float = 0.35
    local_share: float = 0.7
    cosine_none: float = 0.1
    cosine_full: float = 0.6
    paraphrase: float = 0.45
    entailment_share: float = 0.7
    number_missing: float = 0.5
    name_missing: float = 0.8
    denial_differs: float = 0.8
    other_script: float = 0.5


DEFAULTS = Thresholds()
# Below `supported` by the least that shows.
_JUST_BELOW = 0.01
# So much of a quote is in the statement that what the one denies the other is about.
_MOST = 0.6
_SHORTEST_QUOTED = 8
_EDGES = " \t\n\"'“”‘’「」『』.!?。…"
_CONNECTIVE = re.compile(
    r".{0,80}(?:다음과|아래와|이와) 같(?:다|습니다|아요|음)[.:：]?|(?:정리|요약|종합)하(?:면|자면)[,.:：]?"
    r"|.{0,80}(?:as follows|the following)[.:]?|(?:in summary|to summari[sz]e|in short|in conclusion)[,.:]?"
    r"|.{0,80}[:：]",
    re.IGNORECASE | re.DOTALL,
)


class Judge(NamedTuple):
    """What judging needs from outside.

    `entails` gives how likely a passage says a sentence, from 0 to 1, or None when nobody can tell.
    """

    lexicon: Lexicon
    similarity: Similarity | None = None
    entails: Callable[[str, str], float | None] | None = None
    thresholds: Thresholds = DEFAULTS


def assess(claim: Claim, passages: Mapping[int, Passage], judge: Judge) -> Statement:
    """The statement with its support and, for each passage it cites, the words that bear it out best."""
    if not claim.markers:
        return Statement(claim.text, (), Support.UNCITED, 0.0)
    cited = [passages[number] for number in claim.markers if number in passages]
    aligned = (align(claim.text, passage, judge.lexicon, judge.similarity) for passage in cited)
    quotes = tuple(quote for quote in aligned if quote is not None)
    if any(is_quoted(claim.text, passage.plain) for passage in cited):
        return Statement(claim.text, claim.markers, Support.QUOTED, 1.0, quotes)
    score = _score(claim.text, cited, quotes, judge) if cited else 0.0
    return Statement(claim.text, claim.markers, _verdict(score, judge.thresholds), round(score, 4), quotes)


def is_quoted(statement: str, plain_evidence: str) -> bool:
    """Whether the statement stands in the evidence word for word. Two letters stand everywhere and prove nothing."""
    words = plain_text(statement).strip(_EDGES)
    return len(words) >= _SHORTEST_QUOTED and words in plain_evidence


def is_harmless(claim: Claim) -> bool:
    """A heading or a sentence that only leads over to the next: it needs no evidence."""
    return claim.kind is Kind.HEADING or _CONNECTIVE.fullmatch(claim.text.strip(" *_")) is not None


def _verdict(score: float, limits: Thresholds) -> Support:
    if score >= limits.supported:
        return Support.SUPPORTED
    return Support.WEAK if score >= limits.weak else Support.UNSUPPORTED


def _score(statement: str, cited: Sequence[Passage], quotes: Sequence[Quote], judge: Judge) -> float:
    limits = judge.thresholds
    other = is_other_script(statement, cited)
    score = _by_words(statement, cited, quotes, judge)
    near = _nearness(statement, quotes, judge)
    if other:
        score = max(score, limits.other_script if near is None else near)
    elif near is not None:
        # Closeness tells paraphrases from other topics, not what follows from what does not, so it can only spare.
        score = max(score, limits.paraphrase * near)
    entailed = _entailed(statement, quotes, judge)
    if entailed is not None:
        score += limits.entailment_share * (entailed - score)
    told = not other or near is not None or entailed is not None
    return (
        _less_what_is_missing(statement, cited, quotes, score, judge) if told else _by_numbers(statement, cited, limits)
    )


def _by_words(statement: str, cited: Sequence[Passage], quotes: Sequence[Quote], judge: Judge) -> float:
    weights = weighed(statement, judge.lexicon)
    given = frozenset(word for passage in cited for word in passage.given)
    near = frozenset(word for quote in quotes for word in judge.lexicon.words(quote.text))
    anywhere = frozenset(word for passage in cited for word in passage.words)
    local, whole = coverage(weights, near | given), coverage(weights, anywhere | given)
    return judge.thresholds.local_share * local + (1 - judge.thresholds.local_share) * whole


def _nearness(statement: str, quotes: Sequence[Quote], judge: Judge) -> float | None:
    """How near the nearest quote is in meaning, from 0 to 1."""
    if judge.similarity is None:
        return None
    cosines = judge.similarity(statement, [quote.text for quote in quotes]) if quotes else (0.0,)
    limits = judge.thresholds
    share = (max(cosines) - limits.cosine_none) / (limits.cosine_full - limits.cosine_none)
    return min(1.0, max(0.0, share))


def _entailed(statement: str, quotes: Sequence[Quote], judge: Judge) -> float | None:
    """How likely the likeliest quote says the statement."""
    if judge.entails is None:
        return None
    said = [judge.entails(quote.text, statement) for quote in quotes]
    return max((score for score in said if score is not None), default=None)


def _by_numbers(statement: str, cited: Sequence[Passage], limits: Thresholds) -> float:
    """Of another language and nobody to read both: only numbers can be compared, and they can only speak against."""
    return limits.other_script * limits.number_missing ** min(2, _numbers_missing(statement, cited))


def _less_what_is_missing(
    statement: str, cited: Sequence[Passage], quotes: Sequence[Quote], score: float, judge: Judge
) -> float:
    limits = judge.thresholds
    missing = _numbers_missing(statement, cited)
    differs = bool(quotes) and all(_denial_differs(statement, quote.text, judge.lexicon) for quote in quotes)
    score *= limits.number_missing ** min(2, missing)
    score *= limits.name_missing ** min(3, _names_missing(statement, cited))
    score *= limits.denial_differs if differs else 1.0
    return min(score, limits.supported - _JUST_BELOW) if missing or differs else score


def _readable(passage: Passage) -> str:
    """All that a statement may be based on: the text with the title and headings above it."""
    hit = passage.evidence.hit
    return "\n".join((hit.title, *hit.heading_path, passage.evidence.text))


def _numbers_missing(statement: str, cited: Sequence[Passage]) -> int:
    said = frozenset(number for passage in cited for number in numbers_said(_readable(passage)))
    return sum(forms.isdisjoint(said) for forms in numbers(statement))


def _denial_differs(statement: str, quote: str, lexicon: Lexicon) -> bool:
    """Whether one of them denies what the other says. What a longer quote denies may not be what the statement took."""
    ours, theirs = denials(statement), denials(quote)
    if ours % 2 == theirs % 2:
        return False
    if ours % 2:
        return theirs == 0
    words = set(lexicon.words(quote))
    return len(words.intersection(lexicon.words(statement))) >= _MOST * len(words)


def _names_missing(statement: str, cited: Sequence[Passage]) -> int:
    """Names that the evidence does not know. Korean text may spell a Latin name in Hangul, so there none is missed."""
    text = "\n".join(map(_readable, cited)).lower()
    if hangul_share(text) > 0.5 > hangul_share(statement):
        return 0
    return sum(name not in text for name in names(statement))


def is_other_script(statement: str, cited: Sequence[Passage]) -> bool:
    """Whether one is mostly Hangul and the other mostly not, so that words cannot be expected to recur."""
    share = hangul_share(statement)
    shares = [hangul_share(passage.plain) for passage in cited]
    return all(abs(share - other) > 0.4 and min(share, other) < 0.2 for other in shares)
