"""Lines of a source to coloured lines of the same words: code by its language, Markdown by its marks."""

import re
from collections.abc import Callable, Sequence

from rich.text import Text

from kebab.ui.tui.inking import clean, ink

_HEADING = re.compile(r"#{1,6}\s")
_FENCE = re.compile(r"\s*(```|~~~)")
_LIST = re.compile(r"\s*([-*+]|\d{1,9}[.)])\s")
_SPANS = (
    (re.compile(r"`[^`]+`"), "cyan"),
    (re.compile(r"\*\*[^*]+\*\*"), "bold"),
    (re.compile(r"\[[^\]]*\]\([^)]*\)"), "underline"),
)
# What `kebab` calls some languages, and what the highlighter does.
_LEXERS = {"cpp": "c++", "shell": "bash"}
_MOST_CHARS = 200_000


def plain(lines: Sequence[str]) -> list[Text]:
    return [ink(line) for line in lines]


def markdown(lines: Sequence[str]) -> list[Text]:
    """Still the source, so that its line numbers hold; what carries meaning stands out."""
    found, fenced = [], False
    for line in lines:
        text, fence = ink(line), _FENCE.match(line)
        if fence or fenced:
            text.stylize("dim" if fence else "cyan")
            fenced = fenced != bool(fence)
        elif _HEADING.match(line):
            text.stylize("bold cyan")
        else:
            _style_spans(text)
        found.append(text)
    return found


def _style_spans(text: Text) -> None:
    if (item := _LIST.match(text.plain)) is not None:
        text.stylize("bold", item.start(1), item.end(1))
    for pattern, style in _SPANS:
        for match in pattern.finditer(text.plain):
            text.stylize(style, match.start(), match.end())


def code_in(language: str) -> Callable[[Sequence[str]], list[Text]]:
    def coloured(lines: Sequence[str]) -> list[Text]:
        # Loaded for the first piece of code that is looked at, on the thread that fetches it.
        from rich.syntax import Syntax

        words = [clean(line) for line in lines]
        whole = "\n".join(words)
        if len(whole) > _MOST_CHARS:
            return plain(lines)
        text = Syntax("", _LEXERS.get(language, language), theme="ansi_dark").highlight(whole)
        parts = list(text.split("\n", allow_blank=True))[: len(words)]
        if [part.plain for part in parts] != words:
            return plain(lines)
        for part in parts:
            part.end, part.no_wrap = "", True
        return parts

    return coloured
