"""Parts of a reply to its lines, wherever the parts were cut. Bytes only: a character may come in two parts."""

from collections.abc import Iterable, Iterator


class LineTooLong(Exception):
    """There is no end of a line where one has to be."""


def cut_lines(parts: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """Without their ends, which are LF or CR LF. What follows the last end is a line too, unless it is empty."""
    begun = bytearray()
    for part in parts:
        *ended, rest = part.split(b"\n")
        for piece in ended:
            begun += piece
            yield _line(begun, longest)
            begun.clear()
        begun += rest
        if len(begun) > longest:
            raise LineTooLong
    if begun:
        yield _line(begun, longest)


def _line(raw: bytearray, longest: int) -> bytes:
    if len(raw) > longest:
        raise LineTooLong
    return bytes(raw).removesuffix(b"\r")
