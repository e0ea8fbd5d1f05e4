"""What tesseract prints to lines of words: boxes and confidence from its table, the spaces from its plain text.

The table gives almost every Hangul syllable as a word of its own; only the plain text knows which of them belong
together. Both come from one run, and the one is matched with the other line by line.
"""

from collections import deque
from typing import NamedTuple

_PAGE, _LINE, _WORD = _LEVELS = ("1", "4", "5")
_COLUMNS = 12
# Where the plain text holds a line the table lacks, the search for the next match goes no further than this.
_LOOK_AHEAD = 8

Box = tuple[int, int, int, int]


class Word(NamedTuple):
    text: str
    confidence: float


class PrintedLine(NamedTuple):
    """`block` counts the areas of text tesseract saw."""

    box: Box
    words: tuple[Word, ...]
    block: int

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def confidence(self) -> float:
        """By characters, so that a speck of dust beside a sentence counts as little as it is."""
        total = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / total if total else 0.0


class Printed(NamedTuple):
    width: int
    height: int
    lines: tuple[PrintedLine, ...]


def read(printed: str) -> Printed:
    """What tesseract prints when it is asked for both forms, in whichever order it prints them."""
    rows = printed.replace("\f", "\n").split("\n")
    spaced = deque(row for row in rows if "\t" not in row and row.strip())
    width = height = 0
    lines: list[tuple[Box, int, list[Word]]] = []
    for cells in (row.split("\t", _COLUMNS - 1) for row in rows):
        if len(cells) < _COLUMNS or cells[0] not in _LEVELS:
            continue
        box = _box(cells)
        if cells[0] == _PAGE:
            width, height = box[2], box[3]
        elif cells[0] == _LINE:
            lines.append((box, int(cells[2]), []))
        elif lines and (word := "".join(cells[11].split())):
            lines[-1][2].append(Word(word, max(0.0, min(1.0, float(cells[10]) / 100))))
    found = (PrintedLine(box, _joined(words, spaced), block) for box, block, words in lines if words)
    return Printed(width, height, tuple(found))


def _box(cells: list[str]) -> Box:
    x, y, w, h = (int(cell) for cell in cells[6:10])
    return x, y, w, h


def _joined(words: list[Word], spaced: deque[str]) -> tuple[Word, ...]:
    """The words as the plain text spaces them; as they are when it has no such line."""
    letters = "".join(word.text for word in words)
    for ahead in range(min(_LOOK_AHEAD, len(spaced))):
        if "".join(spaced[ahead].split()) == letters:
            for _ in range(ahead):
                spaced.popleft()
            return _regrouped(words, spaced.popleft().split())
    return tuple(words)


def _regrouped(words: list[Word], texts: list[str]) -> tuple[Word, ...]:
    """Each of the texts, which are the same letters cut elsewhere, with the confidence of the words it is made of."""
    sure = [word.confidence for word in words for _ in word.text]
    found, start = [], 0
    for text in texts:
        part = sure[start : start + len(text)]
        found.append(Word(text, sum(part) / len(part)))
        start += len(text)
    return tuple(found)
