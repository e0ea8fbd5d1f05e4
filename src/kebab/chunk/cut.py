"""Where a text may be cut: at sentence ends, line ends, spaces, and anywhere only when there is no other way."""

import re
from itertools import pairwise

# A sentence ends at punctuation before a space, or at a line end; the full-width stops end one without a space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]|\n")
_BOUNDARY = 16
_SPACE = re.compile(r"\s+")


def byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def pieces(text: str, limit: int, *, by_line: bool) -> list[tuple[int, int, int]]:
    """Character ranges with their bytes that cover `text` in order, each at most `limit` bytes where a cut allows.

    Linear in the text: boundaries are found once, then filled greedily.
    """
    size = byte_length(text)
    if size <= limit:
        return [(0, len(text), size)]
    pattern = re.compile(r"\n") if by_line else _SENTENCE_END
    atoms: list[tuple[int, int]] = []
    for start, end in _between(pattern, text, 0, len(text)):
        if byte_length(text[start:end]) <= limit:
            atoms.append((start, end))
        else:
            atoms += _hard(text, start, end, limit)
    return _fill(text, atoms, limit)


def _between(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts = [match.end() for match in pattern.finditer(text, start, end)]
    edges = [start, *(cut for cut in cuts if cut < end), end]
    return list(pairwise(edges))


def _hard(text: str, start: int, end: int, limit: int) -> list[tuple[int, int]]:
    """No sentence end inside `limit`: cut at spaces, and inside a word only when it alone is too long."""
    step = max(1, limit // 4)
    found: list[tuple[int, int]] = []
    for first, last in _between(_SPACE, text, start, end):
        if byte_length(text[first:last]) <= limit:
            found.append((first, last))
        else:
            # A character has at most four bytes, so a fourth of the limit in characters always fits.
            found += [(at, min(at + step, last)) for at in range(first, last, step)]
    return found


def _fill(text: str, atoms: list[tuple[int, int]], limit: int) -> list[tuple[int, int, int]]:
    filled: list[tuple[int, int, int]] = []
    for start, end in atoms:
        size = byte_length(text[start:end])
        if filled and filled[-1][2] + size <= limit:
            filled[-1] = (filled[-1][0], end, filled[-1][2] + size)
        else:
            filled.append((start, end, size))
    return filled


def tail_start(text: str, start: int, end: int, limit: int) -> int:
    """The earliest sentence start in `text[start:end]` with at most `limit` bytes after it; `end` if none."""
    best = end
    # A boundary that ends inside the window may begin a little before it.
    window = max(start, end - limit - _BOUNDARY)
    for match in _SENTENCE_END.finditer(text, window, end):
        if match.end() < end and byte_length(text[match.end() : end]) <= limit:
            best = match.end()
            break
    whole = end - start <= limit and byte_length(text[start:end]) <= limit
    return start if whole else best
