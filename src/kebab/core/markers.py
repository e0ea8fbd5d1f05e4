"""Markers as people see them: the `[#1]` a model writes is shown as `[1]`, also while it arrives in pieces."""

import re

_MARKER = re.compile(r"\[#([1-9][0-9]{0,5})\]")
_SPACED_MARKER = re.compile(r"\s*\[#[1-9][0-9]{0,5}\]")
_BEGUN = re.compile(r"\[(?:#[0-9]{0,6})?\Z")


def shown(text: str) -> str:
    """`text` with every marker in the form that is printed and sent."""
    return _MARKER.sub(r"[\1]", text)


def without_markers(text: str) -> str:
    """The words alone."""
    return _SPACED_MARKER.sub("", text).strip()


def as_words(text: str) -> str:
    """A document's own `[#3]` as `(#3)`, for whoever repeats its words and cites: it names no evidence."""
    return _MARKER.sub(r"(#\1)", text)


def marker_text(number: int) -> str:
    return f"[{number}]"


class MarkerStream:
    """Pieces of a reply to what is shown of them; a marker that has only begun waits for the rest of it."""

    def __init__(self) -> None:
        self._waiting = ""

    def feed(self, piece: str) -> str:
        text = self._waiting + piece
        begun = _BEGUN.search(text)
        self._waiting = begun[0] if begun else ""
        return shown(text[: begun.start()] if begun else text)

    def end(self) -> str:
        """What is left when no more pieces come."""
        left, self._waiting = self._waiting, ""
        return left
