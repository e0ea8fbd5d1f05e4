"""Text to sentences with exact offsets, for Korean and English passages and for replies of a model.

A stop ends a sentence unless it belongs to a number, an abbreviation, a name, a quotation or code. Markers `[#n]` right
behind a stop belong to the sentence before it. Gives places in the text it is given and changes nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from kebab.rag.blocks import Kind, Unit, blocks

MARKER = r"\[#[1-9][0-9]{0,2}\]"
_MARKERS = rf"{MARKER}(?:[ \t]*+[,;·]?[ \t]*+{MARKER})*+"
_CLOSERS = r"[\"'”’)\]}»」』】*_~`]*+"
_CANDIDATE = re.compile(rf"[.!?…。．！？]++{_CLOSERS}|\n|(?<=[가-힣][다요죠])[ \t]*+{_MARKERS}(?=\s)")
_BEHIND = re.compile(rf"(?:[ \t]*+{_MARKERS}[.。]?)?")
_LINE_END = re.compile(rf"(?::|{MARKER}|  |\\)[ \t]*\Z")
_NEXT = re.compile(r"[^\S\n]*+(?:\n\s*+(?:>[> \t]*+)?)?+")
_TICKS = re.compile(r"`+")
# A quotation keeps its sentences together, so that the marker behind it covers all of them.
_QUOTATION = re.compile(
    r"(?<![^\s(\[{])\"(?=\S)[^\"]{1,400}+\"|“[^“”]{1,400}+”|「[^「」]{1,400}+」|『[^『』]{1,400}+』|«[^«»]{1,400}+»"
)
_REPORTED = re.compile(r"[a-z]|(?:이?라[고는며던]|하[고며는]|[고는은을를이가와과로])(?![가-힣])")
_WIDE_STOPS = frozenset("。．！？")
_QUOTES = frozenset("\"'”’」』»")

_LAST_WORD = re.compile(r"[\w.&-]+\Z")
_WORD_REACH = 24
_DATE = re.compile(r"[0-9]{4}\. ?[0-9]{1,2}\. ?[0-9]{1,2}\Z")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]")
_NEVER_LAST = frozenset("e.g i.e eg ie cf vs viz dr mr mrs ms prof rev gen sen rep mt approx resp incl excl".split())
_BEFORE_NUMBERS = frozenset(
    """no nos nr fig figs eq eqs sec secs ch chap vol p pp art ver v tab ref refs
    jan feb mar apr jun jul aug sep sept oct nov dec""".split()
)
_BEFORE_LOWER = frozenset(
    "etc al inc ltd co corp jr sr st ave min max avg ex est dept a.m p.m std misc temp ed eds".split()
)
# Syllables without a final consonant that still make `다` an ending.
_OPEN_STEMS = frozenset("니이하되크쓰르")
_BEFORE_YO = frozenset("세어아해네에예나데지군래까")
_SYLLABLES = range(0xAC00, 0xD7A4)
_FINALS = 28


def units(text: str) -> list[Unit]:
    """Sentences of prose; headings, table rows and code lines as they are. In order, and apart from each other."""
    found: list[Unit] = []
    for block in blocks(text):
        if block.kind is Kind.PROSE:
            found += (Unit(start, end, Kind.PROSE) for start, end in _sentences(text, block.start, block.end))
        else:
            found.append(block)
    return found


def shortened(text: str, found: list[Unit], limit: int) -> list[Unit]:
    """The same units with none longer than `limit`: a run-on is cut at a line end, else a space, else anywhere."""
    cut: list[Unit] = []
    for unit in found:
        start = unit.start
        while unit.end - start > limit:
            end = _cut_at(text, start, start + limit)
            cut.append(Unit(start, end, unit.kind))
            start = end
            while text[start].isspace():
                start += 1
        cut.append(Unit(start, unit.end, unit.kind))
    return cut


def _cut_at(text: str, start: int, most: int) -> int:
    for mark in ("\n", " "):
        end = text.rfind(mark, start, most)
        if text[start:end].strip() and end > start:
            return start + len(text[start:end].rstrip())
    return most


def code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Backtick spans: a run of ticks up to the next run of the same length."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text, start, end)]
    closing: dict[int, int] = {}
    partner = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        partner[index] = closing.get(length, -1)
        closing[length] = index
    spans, index = [], 0
    while index < len(runs):
        last = partner[index]
        if last >= 0:
            spans.append((runs[index][0], runs[last][1]))
        index = last + 1 if last >= 0 else index + 1
    return spans


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    code = code_spans(text, start, end)
    quoted = [(match.start(), match.end()) for match in _QUOTATION.finditer(text, start, end)]
    begin = start
    for match in _CANDIDATE.finditer(text, start, end):
        if match.start() < begin or _inside(code, match.start()) or _inside(quoted, match.end()):
            continue
        stop = _stop(text, match, begin, end)
        if stop is not None:
            yield begin, stop
            following = _NEXT.match(text, stop, end)
            begin = following.end() if following else stop
    if begin < end:
        yield begin, end


def _inside(spans: list[tuple[int, int]], offset: int) -> bool:
    """Whether `offset` lies strictly within one of the spans, which are in order."""
    index = bisect_right(spans, (offset,)) - 1
    return index >= 0 and spans[index][0] < offset < spans[index][1]


def _stop(text: str, match: re.Match[str], begin: int, end: int) -> int | None:
    """Where the sentence ends that may end here; None if it does not."""
    found = match[0]
    if found == "\n":
        return _line_stop(text, match.start(), begin)
    if found[0] in " \t[":
        return match.end()
    behind = _BEHIND.match(text, match.end(), end)
    stop = behind.end() if behind else match.end()
    dots = found.rstrip("\"'”’)]}»」』】*_~`")
    closed = len(dots) < len(found)
    if _WIDE_STOPS.intersection(dots) and not closed:
        return stop
    marked = stop > match.end()
    if stop < end and not marked and not text[stop].isspace():
        glued = dots == "." and not closed and "가" <= text[stop] <= "힣"
        return stop if glued and is_korean_end(text, match.start()) else None
    return stop if _ends(text, (begin, match.start(), stop, end), found, dots) else None


def _ends(text: str, places: tuple[int, int, int, int], found: str, dots: str) -> bool:
    """Whether stops before a space or the end of a paragraph end a sentence."""
    begin, at, stop, end = places
    following = _NEXT.match(text, stop, end)
    after = following.end() if following else stop
    coming = text[after] if after < end else ""
    if not coming:
        return True
    if dots == ".":
        if _is_abbreviation(text, begin, at, coming):
            return False
    elif not dots.strip(".…") and not (coming.isupper() or is_korean_end(text, at) or "\n" in text[stop:after]):
        return False
    quoting = bool(_QUOTES.intersection(found[len(dots) :]))
    return not (quoting and _REPORTED.match(text, after, end))


def _is_abbreviation(text: str, begin: int, dot: int, coming: str) -> bool:
    match = _LAST_WORD.search(text, max(begin, dot - _WORD_REACH), dot)
    if match is None:
        return False
    word, opens = match[0], match.start() == begin
    lower = word.lower()
    if lower in _BEFORE_NUMBERS:
        return coming.isdigit()
    if lower in _BEFORE_LOWER:
        return not coming.isupper() and not "가" <= coming <= "힣"
    if word.isdigit():
        # A date as it is written in Korea, or the number of a paragraph.
        dated = _DATE.search(text, max(begin, dot - _WORD_REACH), dot) is not None
        return dated or coming.isdigit() or (opens and len(word) < 4)
    if len(word) == 1:
        return (word.isupper() and word != "I" and coming.isupper()) or (opens and "가" <= word <= "힣")
    return lower in _NEVER_LAST or _DOTTED.fullmatch(lower) is not None


def _line_stop(text: str, at: int, begin: int) -> int | None:
    """A line end inside a paragraph is where an editor wrapped it, unless the line is plainly finished."""
    tail = text[max(begin, at - _WORD_REACH) : at]
    bare = tail.rstrip()
    if not bare or not (_LINE_END.search(tail) or is_korean_end(bare, len(bare))):
        return None
    return at - (len(tail) - len(bare))


def is_korean_end(text: str, at: int) -> bool:
    """Whether the word before `at` has the ending of a finished Korean sentence."""
    if at < 2 or not "가" <= text[at - 2] <= "힣":
        return False
    last, before = text[at - 1], text[at - 2]
    if last == "다":
        return before in _OPEN_STEMS or (ord(before) - _SYLLABLES.start) % _FINALS != 0
    if last == "요":
        return before in _BEFORE_YO
    return last in "죠됨" or (last == "함" and before != "포")
