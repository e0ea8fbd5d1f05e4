"""Values of cells as a person sees them: dates in ISO form, percentages, and numbers without the noise of floats.

Gets the styles part of a workbook and raw values, gives text. Formats are told only as far as dates and percentages.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from kebab.parse.xml import END, START, Event, number

MAX_FORMATS = 100_000

DATE, ELAPSED, PERCENT, PLAIN = "date", "elapsed", "percent", ""
_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_ELAPSED_TIME = 46
_PERCENTS = frozenset([9, 10])
# Hours in brackets go on beyond a day; fractions are those of a second.
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_FRACTION = re.compile(r"(?<=s)\.0+", re.IGNORECASE)
# Colours, conditions and literal text in a format say nothing about what its number is.
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
_DATE_LETTER = re.compile(r"[ymdhs]|AM/PM", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,3})?")
_LARGEST_DAY = 2_958_466
_BOOLEANS = {"0": "FALSE", "1": "TRUE"}


class Formats:
    """What the number in a cell of each style is."""

    def __init__(self, stream: Iterable[Event], *, from_1904: bool) -> None:
        self._kinds = _read(stream)
        # Excel counts a day that never was, the 29th of February 1900; dates before it are one off the other way.
        self._origin = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - cells have no zone

    def show(self, raw: str, kind: str, style: int) -> str:
        """A value that is written in its cell; `kind` is the cell's type."""
        if kind == "b":
            return _BOOLEANS.get(raw.strip(), raw)
        if kind in ("str", "e", "inlineStr"):
            return raw
        if not _NUMBER.fullmatch(raw.strip()):
            return raw.removesuffix("T00:00:00")
        value = float(raw)
        form = self._kinds[style] if 0 <= style < len(self._kinds) else PLAIN
        if form == DATE and 0 <= value < _LARGEST_DAY:
            return self._date(value)
        if form == ELAPSED and abs(value) < _LARGEST_DAY:
            return ("-" if value < 0 else "") + _clock(round(abs(value) * 86_400))
        return f"{value * 100:.15g}%" if form == PERCENT else _short(value)

    def _date(self, value: float) -> str:
        seconds = round(value * 86_400)
        if seconds < 86_400 and value < 1:
            return _clock(seconds)
        if value < 60 and self._origin.year == 1899:
            seconds += 86_400
        when = self._origin + timedelta(seconds=seconds)
        return when.date().isoformat() if seconds % 86_400 == 0 else when.isoformat()


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _short(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"


def _read(stream: Iterable[Event]) -> list[str]:
    """The kinds of `cellXfs`, in their order."""
    custom: dict[int, str] = {}
    kinds: list[str] = []
    inside = False
    for kind, element, attributes in stream:
        if element == "x:cellXfs":
            inside = kind is START
        elif kind is END or len(kinds) + len(custom) > MAX_FORMATS:
            continue
        elif element == "x:numFmt":
            custom[number(attributes.get("numFmtId"), -1)] = _kind(attributes.get("formatCode", "")[:500])
        elif element == "x:xf" and inside:
            form = number(attributes.get("numFmtId"))
            kinds.append(custom[form] if form in custom else _standard(form))
    return kinds


def _standard(form: int) -> str:
    if form == _ELAPSED_TIME:
        return ELAPSED
    return DATE if form in _DATES else PERCENT if form in _PERCENTS else PLAIN


def _kind(code: str) -> str:
    first = code.partition(";")[0]
    if _ELAPSED.search(first):
        return ELAPSED
    bare = _LITERAL.sub("", first)
    if _DATE_LETTER.search(bare) and not re.search(r"[0#?]", _FRACTION.sub("", bare)):
        return DATE
    return PERCENT if "%" in bare else PLAIN
