"""A reply to its statements and the markers they carry, and whether it can stand as an answer at all.

A marker is `[#1]` to `[#999]` and nothing else; what stands in code or is the text of a link is none. Knows the numbers
of the evidence, not its text: whether a statement is borne out is for `support`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from kebab.core.answer import RefusalReason
from kebab.rag.blocks import Kind, Unit
from kebab.rag.nothing_found import says_nothing_found
from kebab.rag.sentences import code_spans, units

# A link whose text looks like a marker leads wherever a document wants it to.
_MARKER = re.compile(r"\[#([1-9][0-9]{0,2})\](?!\((?:[a-zA-Z][a-zA-Z0-9+.-]*:|[/.#]))")
_JOINT = re.compile(r"[ \t]*[,;·][ \t]*")
_EMPTY_BRACKETS = re.compile(r"[ \t]*(?:\([ \t,;]*\)|\[[ \t,;]*\])")
_SPACE_BEFORE_STOP = re.compile(r"\s+(?=[.,!?。…]+(?:\s|$))")
_LETTER = re.compile(r"\w")
# A line that only names its sources belongs to what was said before it.
_SOURCES = re.compile(
    r"\W*(?:출처|근거|참고(?: ?자료| ?문헌)?|인용|sources?|references?|citations?|evidence)\W*", re.IGNORECASE
)


class Outcome(StrEnum):
    """What a reply amounts to. Everything but `CITED` is a refusal by the model."""

    CITED = "cited"
    EMPTY = "empty"
    UNKNOWN_MARKER = "unknown_marker"
    NOTHING_FOUND = "nothing_found"
    NO_MARKER = "no_marker"

    @property
    def refusal(self) -> RefusalReason | None:
        return None if self is Outcome.CITED else RefusalReason.LLM_SELF_JUDGE


class Claim(NamedTuple):
    """A sentence of a reply: its place, its words without markers, and the numbers it cites, each once."""

    start: int
    end: int
    text: str
    markers: tuple[int, ...]
    kind: Kind


class Reading(NamedTuple):
    claims: tuple[Claim, ...]
    outcome: Outcome
    unknown: tuple[int, ...] = ()

    @property
    def markers(self) -> tuple[int, ...]:
        """Every number cited, in the order of the reply."""
        return _once(number for claim in self.claims for number in claim.markers)


def read(reply: str, known: Collection[int]) -> Reading:
    """`known` are the numbers of the evidence."""
    found = claims(reply)
    numbers = _once(number for claim in found for number in claim.markers)
    unknown = tuple(number for number in numbers if number not in known)
    return Reading(found, _outcome(found, numbers, unknown), unknown)


def claims(reply: str) -> tuple[Claim, ...]:
    """The sentences of a reply. Markers on a line of their own go to the sentence before them."""
    found: list[Claim] = []
    for unit in units(reply):
        claim = _claim(reply, unit)
        if claim.markers and found and (not _LETTER.search(claim.text) or _SOURCES.fullmatch(claim.text)):
            before = found[-1]
            found[-1] = before._replace(end=claim.end, markers=_once([*before.markers, *claim.markers]))
        elif claim.markers or _LETTER.search(claim.text):
            found.append(claim)
    return tuple(found)


def without_markers(text: str) -> str:
    """The words alone, with what only joined markers gone too."""
    pieces: list[str] = []
    at = 0
    for match in _markers(text):
        gap = text[at : match.start()]
        if not (pieces and _JOINT.fullmatch(gap)):
            pieces.append(gap.rstrip(" \t"))
        at = match.end()
    bare = "".join([*pieces, text[at:]])
    if at:
        bare = _EMPTY_BRACKETS.sub("", bare)
    return _SPACE_BEFORE_STOP.sub("", bare).strip()


def _claim(reply: str, unit: Unit) -> Claim:
    text = unit.of(reply)
    if unit.kind is Kind.CODE:
        return Claim(unit.start, unit.end, text, (), unit.kind)
    numbers = _once(int(match[1]) for match in _markers(text))
    return Claim(unit.start, unit.end, without_markers(text), numbers, unit.kind)


def _markers(text: str) -> Iterator[re.Match[str]]:
    code = code_spans(text, 0, len(text)) if "`" in text else []
    index = 0
    for match in _MARKER.finditer(text):
        while index < len(code) and code[index][1] <= match.start():
            index += 1
        if index == len(code) or match.start() < code[index][0]:
            yield match


def _outcome(found: Sequence[Claim], numbers: Sequence[int], unknown: Sequence[int]) -> Outcome:
    if not found:
        return Outcome.EMPTY
    if unknown:
        return Outcome.UNKNOWN_MARKER
    spoken = [claim for claim in found if claim.kind is not Kind.HEADING] or list(found)
    nothing = [says_nothing_found(claim.text, cited=bool(claim.markers)) for claim in spoken]
    answers = any(claim.markers and not empty for claim, empty in zip(spoken, nothing, strict=True))
    # A reply that answers something and says what it lacks is an answer; one that begins with the lack is none.
    if says_nothing_found(spoken[0].text, cited=True) or (any(nothing) and not answers):
        return Outcome.NOTHING_FOUND
    return Outcome.CITED if numbers else Outcome.NO_MARKER


def _once(numbers: Collection[int] | Iterator[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
