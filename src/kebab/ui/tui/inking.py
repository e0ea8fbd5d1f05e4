"""Strings of documents to `Text` that a terminal may show: no escapes, no markup, no turned reading direction."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from kebab.core.errors import KebabError
from kebab.ui.terminal import printable

# Nobody reads a longer line on a screen, and wrapping it would hold up everything else.
_MOST_CHARS = 4000
_TAB = 4
Ranges = Sequence[tuple[int, int]]


def clean(text: str) -> str:
    """One harmless line. Only a tab changes its length."""
    cut = text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
    return printable(cut.expandtabs(_TAB))


def ink(text: str, style: str = "") -> Text:
    """Never read as markup."""
    return Text(clean(text), style=style, end="", no_wrap=True)


def joined(*parts: Text | str) -> Text:
    """Parts on one line; what is given as a string is our own."""
    line = Text(end="", no_wrap=True)
    for part in parts:
        line.append(part) if isinstance(part, str) else line.append_text(part)
    return line


def marked(text: str, marks: Ranges, style: str = "bold underline yellow") -> Text:
    """`text` with ranges of it set off; the ranges count its own characters."""
    line = Text(printable(text), end="", no_wrap=True)
    for start, end in marks:
        line.stylize(style, start, end)
    return line


def window(text: str, marks: Ranges, width: int) -> Text:
    """As much of `text` as fits one line, from a little before the first mark."""
    start = 0
    if marks and cell_len(printable(text[: marks[0][1]])) > width:
        start = max(0, marks[0][0] - width // 4)
    lead = "…" if start else ""
    moved = [(a - start + len(lead), b - start + len(lead)) for a, b in marks if a >= start]
    line = marked(lead + text[start : start + _MOST_CHARS], moved)
    line.truncate(width, overflow="ellipsis")
    return line


def tail(text: str, width: int, style: str = "") -> Text:
    """As much of the end of `text` as fits: of a place, the file's name and the line say most."""
    shown = clean(text)
    if cell_len(shown) <= width:
        return ink(text, style)
    while cell_len(shown) >= width and shown:
        shown = shown[1:]
    return ink(f"…{shown}", style)


def facts(parts: Iterable[str]) -> str:
    """What is there of `parts`, on one line."""
    return " · ".join(part for part in parts if part)


def trouble(error: KebabError, template: str) -> str:
    """An error in one line, with what helps."""
    message = " ".join(error.message.split())
    hint = " ".join((error.hint or "").split())
    return clean(template.format(message=message, hint=hint) if hint else message)
