"""Where a text may be cut: at sentence ends, line ends, spaces, and anywhere only when there is no other way."""

import re
from collections.abc import Iterator

# A sentence ends at punctuation before a space, or at a line end; the full-width stops end one without a space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]|\n")
_CLOSING = "\"'”’)].!?…。！？"
_SPACE = re.compile(r"\s+")


def byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def pieces(text: str, limit: int, *, by_line: bool) -> list[tuple[int, int, int]]:
    """Character ranges with their bytes that cover `text` in order, each at most `limit` bytes where a cut allows.

    Linear in the text and frugal: boundaries are filled greedily as they are found.
    """
    size = byte_length(text)
    if size <= limit:
        return [(0, len(text), size)]
    filled: list[tuple[int, int, int]] = []
    for start, end, size in _atoms(text, limit, re.compile(r"\n") if by_line else _SENTENCE_END):
        if filled and filled[-1][2] + size <= limit:
            filled[-1] = (filled[-1][0], end, filled[-1][2] + size)
        else:
            filled.append((start, end, size))
    return filled


def _atoms(text: str, limit: int, boundary: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
    """Sentences or lines; one that is too long as words, and a word that is too long in parts."""
    for start, end in _between(boundary, text, 0, len(text)):
        size = byte_length(text[start:end])
        if size <= limit:
            yield start, end, size
            continue
        for first, last in _between(_SPACE, text, start, end):
            yield from _parts(text, first, last, limit)


def _between(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text, start, end):
        if match.end() < end:
            yield start, match.end()
            start = match.end()
    if start < end:
        yield start, end


def _parts(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int, int]]:
    size = byte_length(text[start:end])
    if size <= limit:
        yield start, end, size
        return
    # A character has at most four bytes, so a fourth of the limit in characters always fits.
    step = max(1, limit // 4)
    for at in range(start, end, step):
        last = min(at + step, end)
        yield at, last, byte_length(text[at:last])


def tail_start(text: str, start: int, end: int, limit: int) -> int:
    """The earliest sentence start in `text[start:end]` with at most `limit` bytes after it; `end` if none."""
    best = end
    window = max(start, end - limit)
    # A boundary that ends inside the window may begin before it.
    while window > start and (text[window - 1].isspace() or text[window - 1] in _CLOSING):
        window -= 1
    window = max(start, window - 1)
    for match in _SENTENCE_END.finditer(text, window, end):
        if match.end() < end and byte_length(text[match.end() : end]) <= limit:
            best = match.end()
            break
    whole = end - start <= limit and byte_length(text[start:end]) <= limit
    return start if whole else best
