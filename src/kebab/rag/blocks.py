"""Markdown text to the blocks in which sentences stand: paragraphs, headings, table rows, code lines, with offsets.

Marks (bullets, `#`, `>`, fences, rules, table borders) lie outside every block; everything else lies inside one.
Reads line by line and never looks back, so its cost grows with the text and no nesting can upset it.
"""

import re
from enum import StrEnum
from typing import NamedTuple

# A number with more digits at the start of a line is a year, not a bullet.
_BULLET = r"(?:[-*+•‣◦▪·]|[0-9]{1,3}[.)])(?=[ \t])"
_MARKS = re.compile(rf"(?:[ \t]*+(?:>|{_BULLET}))*+[ \t]*+")
_QUOTE = re.compile(r"(?:[ \t]*+>)*+[ \t]*+")
_ITEM = re.compile(_BULLET)
_NUMBER = re.compile(r"([0-9]+)[.)]")
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_FENCE = re.compile(r"(`{3,})[^`\n]*\Z|(~{3,})")
_HEADING = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_HEADING_END = re.compile(r"[ \t]#+\Z")
_TABLE_RULE = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*")
_INDENT = re.compile(r"(?: {4}| {0,3}\t)")
_RULE_MARKS = "-*_="
_FRONT_MATTER = {"---": r"^(?:---|\.\.\.)[ \t]*$", "+++": r"^\+\+\+[ \t]*$"}


class Kind(StrEnum):
    PROSE = "prose"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


class Unit(NamedTuple):
    """A stretch of a text, as character offsets."""

    start: int
    end: int
    kind: Kind

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def blocks(text: str) -> list[Unit]:
    """Blocks in order; prose is a whole paragraph or list item, everything else a line."""
    reader = _Reader(text)
    start = 0
    for line in text.split("\n"):
        reader.take(start, start + len(line))
        start += len(line) + 1
    reader.flush()
    return reader.found


class _Reader:
    def __init__(self, text: str) -> None:
        self.found: list[Unit] = []
        self._text = text
        self._open: list[tuple[int, int]] = []
        self._fence = ""
        self._depth = 0
        self._in_list = self._in_table = False
        self._after_blank = True
        self._matter_end = front_matter_end(text)

    def take(self, start: int, end: int) -> None:
        """The next line."""
        line = self._text[start:end]
        if start < self._matter_end:
            self._emit(start, end, Kind.ROW, marks=line if line.rstrip() in ("---", "+++", "...") else "")
        elif self._fence and self._is_fenced(start, end):
            self._fenced(start, end)
        elif not line.strip():
            self.flush()
            self._in_table, self._after_blank = False, True
        else:
            self._line(start, end)
            self._after_blank = False

    def flush(self, kind: Kind = Kind.PROSE) -> None:
        """Ends the open paragraph."""
        if self._open:
            self._emit(self._open[0][0], self._open[-1][1], kind)
            self._open = []

    def _line(self, start: int, end: int) -> None:
        quote = _QUOTE.match(self._text, start, end)
        inner = quote.end() if quote else start
        depth = self._text.count(">", start, inner)
        if depth != self._depth:
            self.flush()
            self._depth = depth
        if inner == end:
            self.flush()
        elif _is_rule(self._text[inner:end]):
            underlined = self._text[inner] in "=-" and len(self._open) == 1 and not self._in_list
            self.flush(Kind.HEADING if underlined else Kind.PROSE)
        elif not depth and self._is_code(start, end):
            self._emit(start, end, Kind.CODE)
        else:
            self._in_list = self._in_list and (not self._after_blank or inner > start)
            self._content(inner, self._after_marks(inner, end), end)

    def _after_marks(self, start: int, end: int) -> int:
        """Where a line's own words begin: behind its bullets, if they are bullets here."""
        if not _ITEM.match(self._text, start, end):
            return start
        number = _NUMBER.match(self._text, start, end)
        if number and self._open and not self._in_list and int(number[1]) != 1:
            # A wrapped line that happens to begin with a number.
            return start
        self.flush()
        self._in_list = True
        marks = _MARKS.match(self._text, start, end)
        first = marks.end() if marks else start
        task = _TASK.match(self._text, first, end)
        return task.end() if task else first

    def _content(self, bare: int, start: int, end: int) -> None:
        """A line behind its marks; `bare` is where it begins with its bullet."""
        fence = _FENCE.match(self._text, start, end)
        heading = _HEADING.match(self._text, start, end)
        if fence:
            self.flush()
            self._fence = fence[1] or fence[2]
        elif heading:
            self.flush()
            self._heading(heading.end(), end)
        elif bare == start and self._row(start, end):
            return
        else:
            self._in_table = False
            self._open.append((start, end))

    def _row(self, start: int, end: int) -> bool:
        """Takes the line if it belongs to a table."""
        if "|" not in self._text[start:end]:
            return False
        if _TABLE_RULE.fullmatch(self._text, start, end):
            header = self._open.pop() if self._open and "|" in self._text[slice(*self._open[-1])] else None
            self.flush()
            if header:
                self._emit(*header, Kind.ROW, marks="|")
            self._in_table = True
        elif self._in_table or self._text[start] == "|":
            self.flush()
            self._emit(start, end, Kind.ROW, marks="|")
        else:
            return False
        return True

    def _heading(self, start: int, end: int) -> None:
        line = self._text[start:end].rstrip()
        closing = _HEADING_END.search(line)
        self._emit(start, start + (closing.start() if closing else len(line)), Kind.HEADING)

    def _is_fenced(self, start: int, end: int) -> bool:
        """A fence opened in a quotation ends with the quotation."""
        if self._depth and ">" not in self._text[start:end]:
            self._fence = ""
        return bool(self._fence)

    def _fenced(self, start: int, end: int) -> None:
        quote = _QUOTE.match(self._text, start, end)
        inner = quote.end() if quote and self._depth else start
        line = self._text[inner:end].strip()
        if len(line) >= len(self._fence) and not line.strip(self._fence[0]):
            self._fence = ""
            self._after_blank = True
        else:
            self._emit(inner, end, Kind.CODE)

    def _is_code(self, start: int, end: int) -> bool:
        """Indented code: never inside a list or in the middle of a paragraph."""
        followed = bool(self.found) and self.found[-1].kind is Kind.CODE
        opens = self._after_blank or followed
        return opens and not self._open and not self._in_list and _INDENT.match(self._text, start, end) is not None

    def _emit(self, start: int, end: int, kind: Kind, marks: str = "") -> None:
        line = self._text[start:end]
        outside = " \t\r\f\v\n" + marks
        first = len(line) - len(line.lstrip(outside).lstrip())
        last = len(line.rstrip(outside).rstrip())
        if first < last:
            self.found.append(Unit(start + first, start + last, kind))


def _is_rule(line: str) -> bool:
    """A thematic break, or the line under a heading."""
    marks = line.replace(" ", "").replace("\t", "")
    return (
        len(marks) > 1 and marks[0] in _RULE_MARKS and not marks.strip(marks[0]) and (len(marks) > 2 or marks == "==")
    )


def front_matter_end(text: str) -> int:
    closing = _FRONT_MATTER.get(text[:3])
    if closing is None or text[3:4] != "\n":
        return 0
    end = re.compile(closing, re.MULTILINE).search(text, 4)
    return end.end() if end else 0
