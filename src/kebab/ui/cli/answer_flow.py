"""An answer on a terminal while it arrives: piece by piece, and in the end the same lines as if it had come whole."""

import re

from kebab.core.markers import MarkerStream
from kebab.ui.terminal import line_end, printable


class Flow:
    """Pieces of text to what can be printed of them at once; a word waits until it is known on which line it fits."""

    def __init__(self, columns: int) -> None:
        self._columns = max(columns, 10)
        self._row = ""
        self._printed = 0

    def feed(self, text: str) -> str:
        first, *others = text.split("\n")
        parts = [self._more(first)]
        for other in others:
            parts += [self._rest(), "\n", self._more(other)]
        return "".join(parts)

    def end(self) -> str:
        return self._rest()

    def _more(self, text: str) -> str:
        self._row += printable(text)
        full = []
        # Spaces at the end of a full line may be the end of everything: they open no other line.
        while (end := line_end(self._row, 0, self._columns)) < len(self._row.rstrip(" ")):
            full += [self._row[self._printed : end].rstrip(), "\n"]
            self._row, self._printed = self._row[end:].lstrip(" "), 0
        words = len(self._row[: self._row.rfind(" ") + 1].rstrip(" "))
        ready = self._row[self._printed : words]
        self._printed = max(self._printed, words)
        return "".join([*full, ready])

    def _rest(self) -> str:
        rest = self._row[self._printed :].rstrip()
        self._row, self._printed = "", 0
        return rest


class Teller:
    """Tokens in, text for the screen out, with markers as people see them."""

    def __init__(self, columns: int) -> None:
        self._flow = Flow(columns)
        self._markers = MarkerStream()
        self._heard = ""
        self._empty = ""

    def token(self, delta: str) -> str:
        # Models like to begin and to end with empty lines.
        piece = delta if self._heard else delta.lstrip()
        self._heard += piece
        return self._shown(self._markers.feed(piece))

    def end(self) -> str:
        """What is left; ends the line, if there is one."""
        rest = self._shown(self._markers.end()) + self._flow.end()
        return f"{rest}\n" if self.spoke else ""

    @property
    def spoke(self) -> bool:
        return bool(self._heard)

    def told(self, answer: str) -> bool:
        """Whether these are the words that were shown; where only a marker or a space differs, nobody is misled."""
        return self.spoke and _words(self._heard) == _words(answer)

    def _shown(self, text: str) -> str:
        text = self._empty + text
        newline = text.find("\n", len(text.rstrip()))
        end = len(text) if newline < 0 else newline
        self._empty = text[end:]
        return self._flow.feed(text[:end])


def _words(text: str) -> list[str]:
    return re.sub(r"\s*\[#?[0-9]+\]", "", text).split()
