"""A long unit of code in parts: cut at blank lines, within a number of lines and of bytes. Gets and gives ranges."""

from kebab.chunk.cut import byte_length, pieces

MAX_LINES = 200


def parts(text: str, start: int, end: int, limit: int) -> list[tuple[int, int]]:
    """Ranges of `text` that cover `start` to `end` but for blank parts, of at most `limit` bytes and `MAX_LINES`."""
    if text.count("\n", start, end) < MAX_LINES and byte_length(text[start:end]) <= limit:
        return [(start, end)]
    lines = _lines(text[start:end])
    found: list[tuple[int, int]] = []
    at, first = start, 0
    while first < len(lines):
        last = _cut(lines, first, limit)
        piece = "".join(lines[first:last])
        found += [
            (at + low, at + high) for low, high, _ in pieces(piece, limit, by_line=True) if piece[low:high].strip()
        ]
        at += len(piece)
        first = last
    return found


def _lines(text: str) -> list[str]:
    """Lines with their ends, broken by line feeds alone."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _cut(lines: list[str], first: int, limit: int) -> int:
    """Where a part that begins at `first` ends: behind the last blank line that leaves it full enough, if one does."""
    last, size = first, 0
    while last < min(first + MAX_LINES, len(lines)) and (last == first or size + byte_length(lines[last]) <= limit):
        size += byte_length(lines[last])
        last += 1
    if last == len(lines):
        return last
    # A part of a few lines is worse than a cut in the middle.
    for index in range(last - 1, first + (last - first) // 4, -1):
        if not lines[index].strip():
            return index + 1
    return last
