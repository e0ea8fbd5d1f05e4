"""Hits to numbered evidence within a budget of tokens: best first, neighbours joined, no document taking it all.

Gets what a search found and a way to read source lines; gives `Evidence` whose text is verbatim and whose citation
names exactly its lines. Tokens are estimated as the prompt will cost them, headers included.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from kebab.core.answer import Evidence, Turn
from kebab.core.citation import Citation, CodeCitation, LineCitation
from kebab.core.errors import InvalidInput
from kebab.core.query import Hit
from kebab.core.text import token_estimate
from kebab.rag.prompt import block

PER_DOCUMENT = 3
# Blank lines that may lie between neighbours.
_GAP = 3
# A beginning with fewer tokens than this says too little to be worth its header.
LEAST = 120

SourceLines: TypeAlias = Callable[[str, int, int], str]


class Found(NamedTuple):
    """A hit with its whole text, which begins on `first_line` of its document and ends on `last_line`."""

    hit: Hit
    text: str
    first_line: int
    last_line: int


def budget(prompt: str, max_context_tokens: int, context_tokens: int, reply_tokens: int) -> int:
    """Tokens left for evidence beside the rest of the prompt (system and question) and the reply."""
    left = context_tokens - token_estimate(prompt) - reply_tokens
    if left < LEAST:
        raise InvalidInput(
            "the question does not fit the model's context",
            hint="ask a shorter question, or set models.llm.context_tokens to what the model can take",
            context_tokens=context_tokens,
        )
    return max(LEAST, min(max_context_tokens, left))


def room_for_history(prompt: str, max_context_tokens: int, context_tokens: int, reply_tokens: int) -> int:
    """Tokens left for earlier turns beside a prompt that has its evidence; none left is no error."""
    return max(0, min(max_context_tokens, context_tokens - reply_tokens) - token_estimate(prompt))


def recent(history: Sequence[Turn], tokens: int) -> tuple[Turn, ...]:
    """The newest turns that fit, in their order."""
    kept: list[Turn] = []
    for turn in reversed(history):
        tokens -= token_estimate(turn.question) + token_estimate(turn.answer) + _turn_marks()
        if tokens < 0:
            break
        kept.append(turn)
    return tuple(reversed(kept))


def _turn_marks() -> int:
    return token_estimate("<data-000000000000>\nQ: \nA: \n</data-000000000000>\n")


def pack(
    found: Sequence[Found], tokens: int, source_lines: SourceLines, per_document: int = PER_DOCUMENT
) -> tuple[Evidence, ...]:
    """Evidence numbered from 1 in the order of the best hit in each; at least one when anything was found."""
    packer = _Packer(tokens, source_lines, per_document)
    for each in found:
        if not packer.add(each):
            break
    return tuple(
        Evidence(number, part.hit, part.text, part.first_line, _cited(part))
        for number, (part, _) in enumerate(packer.parts, start=1)
    )


def cost(found: Found) -> int:
    """Tokens of a passage in a prompt."""
    return token_estimate(block(Evidence(999, found.hit, found.text, found.first_line, _cited(found))) + "\n\n")


class _Packer:
    def __init__(self, tokens: int, source_lines: SourceLines, per_document: int) -> None:
        # Each with its cost, which takes longer to find than everything else here.
        self.parts: list[tuple[Found, int]] = []
        self._tokens = tokens
        self._read = source_lines
        self._per_document = per_document
        self._seen: set[str] = set()

    def add(self, found: Found) -> bool:
        """Whether there may be room for another one."""
        document = found.hit.doc_id
        if found.hit.chunk_id in self._seen or not found.text.strip():
            return True
        parts = self._with(found)
        # What joins a neighbour is no further passage.
        if _count(parts, document) > self._per_document:
            return True
        fits = _total(parts) <= self._tokens
        if fits:
            self.parts = parts
        elif _count(self.parts, document) < self._per_document:
            self.parts += [(part, cost(part)) for part in self._beginning(found)]
        self._seen.add(found.hit.chunk_id)
        return fits

    def _with(self, found: Found) -> list[tuple[Found, int]]:
        """The parts with another one, joined to those it touches; the first of them keeps its place."""
        joined, rest = found, list(self.parts)
        at = len(rest)
        for index in range(len(rest) - 1, -1, -1):
            together = self._join(rest[index][0], joined)
            if together is not None:
                joined, at = together, index
                del rest[index]
        rest.insert(min(at, len(rest)), (joined, cost(joined)))
        return rest

    def _join(self, part: Found, other: Found) -> Found | None:
        """One passage of both, under the name of the better; None if they are not neighbours."""
        if part.hit.doc_id != other.hit.doc_id or not (_has_lines(part) and _has_lines(other)):
            return None
        first, second = sorted((part, other), key=lambda each: (each.first_line, each.last_line))
        gap = second.first_line - first.last_line - 1
        if gap > _GAP or (gap > 0 and self._read(part.hit.doc_id, first.last_line + 1, second.first_line - 1).strip()):
            return None
        last = max(first.last_line, second.last_line)
        text = self._read(part.hit.doc_id, first.first_line, last).rstrip("\n")
        # Pieces of one very long line are not worth the whole of it.
        small = len(text) <= len(first.text) + len(second.text) + LEAST
        whole = first.text.strip() in text and second.text.strip() in text
        last = first.first_line + text.count("\n")
        return Found(part.hit, text, first.first_line, last) if small and whole else None

    def _beginning(self, found: Found) -> list[Found]:
        """As much of a passage as there is room for, in whole lines; never nothing if it is the first."""
        room = self._tokens - _total(self.parts)
        if self.parts and room < LEAST + cost(found._replace(text="")):
            return []
        ends = [index for index, char in enumerate(found.text) if char == "\n"]
        fitting = bisect_right(ends, room, key=lambda end: cost(_cut(found, end)))
        if fitting and found.text[: ends[fitting - 1]].strip():
            return [_cut(found, ends[fitting - 1])]
        return [] if self.parts else [_cut(found, _most_chars(found, room))]


def _count(parts: list[tuple[Found, int]], document: str) -> int:
    return sum(part.hit.doc_id == document for part, _ in parts)


def _total(parts: list[tuple[Found, int]]) -> int:
    return sum(tokens for _, tokens in parts)


def _most_chars(found: Found, room: int) -> int:
    """Where to cut a line that alone is too long: behind a word if there is one."""
    end = bisect_right(range(len(found.text)), room, key=lambda end: cost(_cut(found, end)))
    space = found.text.rfind(" ", 0, end)
    return space if found.text[:space].strip() and space > end // 2 else max(end - 1, 1)


def _cut(found: Found, end: int) -> Found:
    text = found.text[:end].rstrip()
    return found._replace(text=text, last_line=found.first_line + text.count("\n"))


def _has_lines(found: Found) -> bool:
    return isinstance(found.hit.citation, LineCitation | CodeCitation)


def _cited(found: Found) -> Citation:
    """The hit's citation, moved to the lines that are there."""
    citation = found.hit.citation
    if isinstance(citation, LineCitation):
        return replace(citation, start=found.first_line, end=found.last_line)
    if isinstance(citation, CodeCitation):
        return replace(citation, line_start=found.first_line, line_end=found.last_line)
    return citation
