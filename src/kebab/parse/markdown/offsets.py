"""Byte offsets of a passage to characters and lines of its document. Pure arithmetic; knows nothing of Markdown."""

from bisect import bisect_right
from itertools import accumulate

_BLANK = b" \t\n\v\f"


class Offsets:
    """`start` and `line` are where the passage begins in its document."""

    __slots__ = ("_ascii", "_bytes", "_chars", "_line", "_raw", "_start", "_uniform")

    def __init__(self, text: str, start: int = 0, line: int = 1) -> None:
        self._raw = text.encode("utf-8", "surrogatepass")
        self._start = start
        self._line = line
        self._ascii = len(self._raw) == len(text)
        rows = self._raw.split(b"\n")
        self._bytes = list(accumulate((len(row) + 1 for row in rows[:-1]), initial=0))
        self._chars = self._bytes
        self._uniform: list[bool] = []
        if not self._ascii:
            sizes = list(map(len, text.split("\n")))
            self._chars = list(accumulate((size + 1 for size in sizes[:-1]), initial=0))
            self._uniform = [len(row) == size for row, size in zip(rows, sizes, strict=True)]

    def char(self, offset: int) -> int:
        """The character at a byte."""
        if self._ascii:
            return self._start + offset
        row = bisect_right(self._bytes, offset) - 1
        begin = self._bytes[row]
        inside = offset - begin
        if not self._uniform[row]:
            inside = len(self._raw[begin:offset].decode("utf-8", "surrogatepass"))
        return self._start + self._chars[row] + inside

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """The first and last line of a range, without the blank lines and the indent that may follow it."""
        last = end - 1
        while last > start and self._raw[last] in _BLANK:
            last -= 1
        first = bisect_right(self._bytes, start) + self._line - 1
        return first, max(first, bisect_right(self._bytes, last) + self._line - 1)
