"""Nodes side by side in one body, in order, with the comments that lead them. Lines count from 1.

Lines are counted from byte offsets: reading `row` of a point gives up a reference too many in this binding, which
crashes sooner or later.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kebab.core.text import LineMap

if TYPE_CHECKING:
    from tree_sitter import Node

# Further than one line from anything.
_NO_LEAD = (-9, -9)


class Level:
    """The nodes side by side in one body, and the comments seen since the last of them."""

    __slots__ = ("_previous", "depth", "has_block", "lead", "lead_end", "local", "nodes", "owner")

    def __init__(self, node: "Node", owner: int, depth: int, *, has_block: bool, local: bool = False) -> None:
        self.nodes = _children(node)
        self.owner = owner
        self.depth = depth
        self.has_block = has_block
        self.local = local
        self._previous: Node | None = None
        self.lead, self.lead_end = _NO_LEAD

    def note(self, comment: "Node", lines: LineMap) -> None:
        """A comment leads what follows unless it stands on the line of what is before it."""
        first, last = lines_of(comment, lines)
        if first == self.lead_end + 1:
            self.lead_end = last
        elif self._previous is None or first > lines_of(self._previous, lines)[1]:
            self.lead, self.lead_end = first, last

    def first_line(self, line: int) -> int:
        """Where what stands at `line` begins: with the comments and attributes right before it."""
        return self.lead if 0 <= line - self.lead_end <= 1 else line

    def move_on(self, node: "Node") -> None:
        self._previous = node
        self.lead, self.lead_end = _NO_LEAD


def _children(node: "Node") -> "Iterator[Node]":
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        child = cursor.node
        if child is not None and child.is_named:
            yield child
        more = cursor.goto_next_sibling()


def lines_of(node: "Node", lines: LineMap) -> tuple[int, int]:
    """The first and last line a node has text on; some grammars count the line end in."""
    first = lines.line_at(node.start_byte)
    return first, max(first, lines.line_at(node.end_byte - 1))
