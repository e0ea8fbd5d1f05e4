"""Source bytes to a syntax tree, within bounds: a grammar that is led astray costs seconds and megabytes, not all.

Error recovery can cost the square of the input and ambiguity thousands of bytes for each of it. Both show while the
parser asks for more source, so that is where they are noticed; it is then told that the source ends. Where much is
ambiguous the parser frees its own stack by recursion, so long sources are read on a stack that has room for it.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from importlib import import_module
from mmap import PAGESIZE
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Point, Tree

Result = TypeVar("Result")

CHUNK = 1024
_SPOT_CHECK = 4
# At the end of a source that leaves this many brackets open, a parser may hold megabytes for each of them.
MAX_NESTING = 2000
_LESS, _MORE = b"<>"
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}<>;"))
# A step of the recursion takes some hundred bytes, and every second byte of a source can be one.
_SHALLOW = 16 << 10
_STACK, _STACK_PER_BYTE, _PAGE = 16 << 20, 80, 1 << 16
_one_at_a_time = threading.Lock()
# A MB of ordinary code takes under half a second and is read two to six times.
_SECONDS, _SECONDS_PER_BYTE = 2.0, 4e-6
_READS, _READS_PER_BYTE = 1_000_000, 40
_MEMORY, _MEMORY_PER_BYTE = 128 << 20, 60


def parse(source: bytes, grammar: tuple[str, str]) -> "Tree | None":
    """The tree of `source`; None when making it would cost too much. Names of nodes are read from the source alone."""
    if nests_deeper(source, MAX_NESTING):
        return None
    if len(source) <= _SHALLOW:
        return _parse(source, grammar)
    return on_deep_stack(lambda: _parse(source, grammar), _STACK + _STACK_PER_BYTE * len(source))


def _parse(source: bytes, grammar: tuple[str, str]) -> "Tree | None":
    from tree_sitter import Parser

    reading = _Reading(source)
    # The progress callback would be the place for this, but this binding crashes on it.
    tree = Parser(_language(grammar)).parse(reading.read)
    return None if reading.over else tree


def nests_deeper(source: bytes, limit: int) -> bool:
    """Whether more brackets than `limit` stand open at once; an angle bracket stays open within one statement."""
    brackets = source.translate(None, delete=_NO_BRACKETS)
    depth = angles = 0
    for bracket in brackets:
        if bracket in b"([{":
            depth += 1
        elif bracket in b")]}":
            depth = max(0, depth - 1)
        elif bracket == _LESS:
            angles += 1
        elif bracket == _MORE:
            angles = max(0, angles - 1)
        if bracket in b"{};":
            angles = 0
        if depth + angles > limit:
            return True
    return False


def on_deep_stack(work: Callable[[], Result], size: int) -> Result:
    """What `work` gives, done in a thread with a stack of `size` bytes; only what is used of it takes memory."""
    done: Future[Result] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
            done.set_exception(error)

    with _one_at_a_time:
        usual = threading.stack_size(size // _PAGE * _PAGE)
        try:
            threading.Thread(target=run, daemon=True).start()
        finally:
            threading.stack_size(usual)
    return done.result()


class _Reading:
    """Hands out the source in pieces and keeps count of what they cost."""

    def __init__(self, source: bytes) -> None:
        self.over = False
        self._count = 0
        self._source = source
        self._left = _READS + _READS_PER_BYTE * len(source)
        self._until = time.thread_time() + _SECONDS + _SECONDS_PER_BYTE * len(source)
        self._memory = memory_in_use() + _MEMORY + _MEMORY_PER_BYTE * len(source)

    def read(self, offset: int, _point: "Point") -> bytes:
        piece = self._source[offset : offset + CHUNK]
        self._left -= len(piece)
        self._count += 1
        if self._left < 0 or (self._count % _SPOT_CHECK == 0 and self._is_dear()):
            self.over = True
        return b"" if self.over else piece

    def _is_dear(self) -> bool:
        return time.thread_time() > self._until or memory_in_use() > self._memory


def memory_in_use() -> int:
    """The bytes this process holds now; where the system does not say, the most it ever held, or 0.

    The most it ever held is that of its owner too, and of the largest file before: both would hide what this one takes.
    """
    if (status := _status()) is not None:
        return int(os.pread(status, 100, 0).split()[1]) * PAGESIZE
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@cache
def _status() -> int | None:
    """Where Linux tells what a process holds, kept open since it is asked for every few kilobytes of source."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return None


@cache
def _language(grammar: tuple[str, str]) -> "Language":
    from tree_sitter import Language

    module, function = grammar
    return Language(getattr(import_module(module), function)())


def error_bytes(root: "Node") -> int:
    """How much of the source the grammar could make nothing of."""
    if not root.has_error:
        return 0
    found, nodes = 0, [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            found += max(1, node.end_byte - node.start_byte)
        elif node.has_error:
            nodes += node.children
    return found
