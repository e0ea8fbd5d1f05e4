"""Draws a terminal transcript as SVG: what a command printed, column by column, in light and in dark.

It loads no font and runs no script. Every run of characters is told how many columns it takes, so wide Hangul stands
in line whatever font the reader has. The same transcript always gives the same bytes.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple
from xml.etree import ElementTree as ET

from kebab.ui.terminal import char_width, display_width, pad

COLUMNS = 80
_CELL, _ROW, _PAD, _BAR = 8.4, 19, 20, 30
_LINK = re.compile(r"\x1b\]8;;[^\x1b]*\x1b\\")
_COLOUR = re.compile(r"\x1b\[([0-9;]*)m")
_CLASSES = {"1": "b", "2": "dim", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}
# A narrow glyph may be squeezed; a wide one only stands apart from the next.
_ADJUST = {False: "spacingAndGlyphs", True: "spacing"}
_STYLE = """
svg { color-scheme: light dark }
.ground { fill: #fcfbf8; stroke: #d5d0c4 } .dot { fill: #d5d0c4 }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "D2Coding", "Noto Sans Mono CJK KR", monospace;
  fill: #24292f; white-space: pre }
.b { font-weight: 700 } .dim { fill: #5f6772 } .cyan { fill: #0b6b7d } .green { fill: #18713a } .red { fill: #b3261e }
.yellow { fill: #8a5300 }
@media (prefers-color-scheme: dark) {
  .ground { fill: #15171c; stroke: #363b45 } .dot { fill: #363b45 }
  text { fill: #e6e9ee } .dim { fill: #9aa3af } .cyan { fill: #5fd0de } .green { fill: #5fcf80 } .red { fill: #ff8f86 }
  .yellow { fill: #f0bf5a }
}
"""


class Step(NamedTuple):
    """A command as it is typed, and what it printed, colours included."""

    command: str
    output: str


class Run(NamedTuple):
    """Characters of one look, with the classes it is drawn by."""

    text: str
    classes: tuple[str, ...] = ()


def draw(steps: Sequence[Step], title: str) -> str:
    rows = list(_rows(steps))
    width, height = COLUMNS * _CELL + 2 * _PAD, len(rows) * _ROW + _BAR + _PAD
    said = "\n".join("".join(run.text for run in row) for row in rows)
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(said, quote=False)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>',
        *(f'<circle class="dot" cx="{_PAD + 16 * at}" cy="17" r="4.5"/>' for at in range(3)),
    ]
    for number, row in enumerate(rows):
        parts += _drawn(row, _BAR + _ROW * number + 14)
    return "\n".join([*parts, "</svg>"]) + "\n"


def text_of(drawing: str) -> str:
    """What a drawing says, row by row; rows without a character are left out."""
    rows: dict[float, str] = {}
    for element in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 - our own
        place = float(element.attrib["y"])
        column = round((float(element.attrib["x"]) - _PAD) / _CELL)
        rows[place] = pad(rows.get(place, ""), column) + (element.text or "")
    return "\n".join(rows[place] for place in sorted(rows))


def plain(text: str) -> str:
    """Without colours and links."""
    return _COLOUR.sub("", _LINK.sub("", text))


def _rows(steps: Sequence[Step]) -> Iterator[list[Run]]:
    for number, step in enumerate(steps):
        if number:
            yield []
        yield [Run("$ ", ("dim",)), Run(step.command, ("b",))]
        for line in step.output.removesuffix("\n").split("\n"):
            yield from _cut(_runs(line))


def _runs(line: str) -> Iterator[Run]:
    """A line in pieces of one look; a colour ends with its line, as kebab's own do."""
    classes: tuple[str, ...] = ()
    pieces = _COLOUR.split(_LINK.sub("", line))
    for at, piece in enumerate(pieces):
        if at % 2:
            classes = tuple(_CLASSES[code] for code in piece.split(";") if code in _CLASSES)
        elif piece:
            yield Run(piece, classes)


def _cut(runs: Iterator[Run]) -> Iterator[list[Run]]:
    """Rows of at most the terminal's columns, cut where a terminal would."""
    row: list[Run] = []
    used = 0
    for run in runs:
        for char in run.text:
            if used + char_width(char) > COLUMNS:
                yield row
                row, used = [], 0
            used += char_width(char)
            if row and row[-1].classes == run.classes:
                row[-1] = row[-1]._replace(text=row[-1].text + char)
            else:
                row.append(Run(char, run.classes))
    yield row


def _drawn(row: Sequence[Run], y: float) -> Iterator[str]:
    column = 0
    for run in row:
        for wide, group in groupby(run.text, key=lambda char: char_width(char) > 1):
            text = "".join(group)
            start, column = column + len(text) - len(text.lstrip(" ")), column + display_width(text)
            if text := text.strip(" "):
                # Narrow and wide characters come from different fonts, so each kind gets its own length.
                place = f'x="{_PAD + start * _CELL:g}" y="{y:g}" textLength="{display_width(text) * _CELL:g}"'
                look = f' class="{" ".join(run.classes)}"' if run.classes else ""
                yield f'<text {place} lengthAdjust="{_ADJUST[wide]}"{look}>{escape(text, quote=False)}</text>'
