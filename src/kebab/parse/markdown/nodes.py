"""Events of a Markdown parser to nodes of a closed list. Knows elements and offsets; which links to trust is judged.

Elements nested beyond reason are left out while their text stays, and there is a most number of nodes.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from kebab.core.viewing import NO_ATTRIBUTES, Attribute, Node
from kebab.parse.markdown.links import Judge, Target
from kebab.parse.markdown.offsets import Offsets

MAX_DEPTH = 40
MAX_NODES = 30_000

_PLAIN = {
    "Paragraph": "p",
    "Item": "li",
    "BlockQuote": "blockquote",
    "HtmlBlock": "html",
    "Table": "table",
    "TableHead": "thead",
    "TableRow": "tr",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "del",
}
_BLOCKS = frozenset("p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table thead tbody tr hr html footnote".split())
_LANGUAGE = re.compile(r"[\w+#.\-]{1,40}")
_ALIGNMENTS = {"Left": "left", "Center": "center", "Right": "right"}

Event: TypeAlias = Any


class TooMuch(Exception):
    """More elements than a page should be asked to show."""


def target_of(detail: Event) -> Target:
    kind = detail["link_type"]
    return Target(detail["dest_url"], wiki=isinstance(kind, dict), mail=kind == "Email")


class _Open:
    """An element whose end has not come yet."""

    __slots__ = ("attributes", "children", "end", "start", "tag")

    def __init__(self, tag: str, start: int, end: int, attributes: Mapping[str, Attribute] = NO_ATTRIBUTES) -> None:
        self.tag = tag
        self.start = start
        self.end = end
        self.attributes = attributes
        self.children: list[Node] = []


class Builder:
    """Events in, nodes out. Elements deeper than MAX_DEPTH share the list of children of the last one above it."""

    def __init__(self, text: str, offsets: Offsets, judge: Judge) -> None:
        self._text = text
        self._start = offsets.char(0)
        self._char = offsets.char
        self._lines = offsets.lines
        self._judge = judge
        self._stack: list[_Open] = [_Open("", 0, 0)]
        self._columns: tuple[str, ...] = ()
        self._made = 0
        # Text that is told in parts but stands in one piece, as characters of the passage.
        self._run: tuple[int, int] | None = None

    def build(self, events: list[tuple[Event, Event]]) -> tuple[Node, ...]:
        for event, where in events:
            start, end = where["start"], where["end"]
            if type(event) is str:
                self._mark(event, start, end)
                continue
            ((kind, detail),) = event.items()
            if kind == "Text":
                self._words(detail, self._char(start), self._char(end))
            elif kind == "Start":
                self._open(detail, start, end)
            elif kind == "End":
                self._close()
            else:
                self._leaf(kind, detail, start, end)
        self._end_run()
        return tuple(self._stack[0].children)

    def _open(self, opened: Event, start: int, end: int) -> None:
        self._end_run()
        stack = self._stack
        name, detail = (opened, None) if type(opened) is str else next(iter(opened.items()))
        if len(stack) > MAX_DEPTH:
            stack.append(stack[-1])
            return
        tag, attributes = self._described(name, detail)
        stack.append(_Open(tag, start, end, attributes))

    def _described(self, name: str, detail: Event) -> tuple[str, Mapping[str, Attribute]]:
        """An unknown element has no tag: its children stand where it would."""
        if name == "Table":
            self._columns = tuple(_ALIGNMENTS.get(each, "") for each in detail)
        if (tag := _PLAIN.get(name)) is not None:
            return tag, NO_ATTRIBUTES
        if name == "TableCell":
            return self._cell()
        if name == "Heading":
            return str(detail["level"]).lower(), NO_ATTRIBUTES
        if name == "List":
            return ("ul", NO_ATTRIBUTES) if detail is None else ("ol", {} if detail == 1 else {"first": detail})
        if name == "CodeBlock":
            return "pre", _language(detail)
        if name in ("Link", "Image"):
            target = target_of(detail)
            return ("a", self._judge.link(target)) if name == "Link" else ("img", {"doc": self._judge.image(target)})
        return ("footnote", {"label": detail[:100]}) if name == "FootnoteDefinition" else ("", NO_ATTRIBUTES)

    def _cell(self) -> tuple[str, Mapping[str, Attribute]]:
        row = self._stack[-1]
        align = self._columns[len(row.children)] if len(row.children) < len(self._columns) else ""
        return "th" if row.tag == "thead" else "td", {"align": align} if align else NO_ATTRIBUTES

    def _close(self) -> None:
        self._end_run()
        done = self._stack.pop()
        above = self._stack[-1]
        if done is above:
            return
        if not done.tag:
            above.children += done.children
            return
        start, end = self._char(done.start), self._char(done.end)
        lines = self._lines(done.start, done.end) if done.tag in _BLOCKS else None
        children, attributes = tuple(done.children), done.attributes
        if done.tag == "html":
            node = self._html("".join(child.text or "" for child in children), start, end)
            self._add(node._replace(lines=lines))
            return
        if done.tag == "img":
            attributes, children = {"alt": _plain(children), **attributes}, ()
        elif done.tag == "thead":
            children = (Node("tr", start, end, children, lines=lines),)
        elif done.tag == "table":
            children = _with_body(children)
        self._add(Node(done.tag, start, end, children, lines=lines, attributes=attributes))

    def _words(self, words: str, start: int, end: int) -> None:
        """Text; what follows on directly goes into the same leaf."""
        first, last = start - self._start, end - self._start
        if self._text[first:last] != words:
            self._add(Node("text", start, end, text=words, loose=True))
        elif self._run is not None and self._run[1] == first:
            self._run = self._run[0], last
        else:
            self._end_run()
            self._run = first, last

    def _end_run(self) -> None:
        if self._run is None:
            return
        (first, last), self._run = self._run, None
        self._add(Node("text", self._start + first, self._start + last, text=self._text[first:last]))

    def _mark(self, event: str, start: int, end: int) -> None:
        if event == "SoftBreak":
            self._words("\n", self._char(start), self._char(end))
        elif event == "Rule":
            self._add(Node("hr", self._char(start), self._char(end), lines=self._lines(start, end)))
        else:
            self._add(Node("br", self._char(start), self._char(end)))

    def _leaf(self, kind: str, detail: Event, start: int, end: int) -> None:
        first, last = self._char(start), self._char(end)
        if kind == "Code":
            self._add(Node("code", first, last, (self._code(detail, first, last),)))
        elif kind == "TaskListMarker":
            self._check(bool(detail))
        elif kind == "FootnoteReference":
            self._add(Node("footnote", first, last, attributes={"label": detail[:100], "ref": True}))
        elif kind in ("Html", "InlineHtml"):
            self._add(self._html(detail, first, last))
        elif type(detail) is str:
            self._words(detail, first, last)

    def _code(self, words: str, start: int, end: int) -> Node:
        """Without the backticks and the one space that may stand inside of them."""
        begin = start - self._start
        source = self._text[begin : begin + end - start]
        ticks = len(source) - len(source.lstrip("`"))
        for trim in (ticks, ticks + 1):
            if source[trim : len(source) - trim] == words:
                return Node("text", start + trim, end - trim, text=words)
        return Node("text", start, end, text=words, loose=True)

    def _html(self, words: str, start: int, end: int) -> Node:
        exact = self._text[start - self._start : end - self._start] == words
        return Node("html", start, end, text=words, loose=not exact)

    def _check(self, done: bool) -> None:  # noqa: FBT001 - what the marker says
        for element in reversed(self._stack):
            if element.tag == "li":
                element.attributes = {"checked": done}
                return

    def _add(self, node: Node) -> None:
        self._end_run()
        self._made += 1
        if self._made > MAX_NODES:
            raise TooMuch
        self._stack[-1].children.append(node)


def _language(detail: Event) -> Mapping[str, Attribute]:
    found = _LANGUAGE.search(detail["Fenced"][:100]) if isinstance(detail, dict) else None
    return {"lang": found[0].lower()} if found else NO_ATTRIBUTES


def _with_body(rows: tuple[Node, ...]) -> tuple[Node, ...]:
    head, body = rows[:1], rows[1:]
    if not body:
        return head
    first, last = body[0], body[-1]
    lines = (first.lines[0], last.lines[1]) if first.lines and last.lines else None
    return (*head, Node("tbody", first.start, last.end, body, lines=lines))


def _plain(nodes: tuple[Node, ...]) -> str:
    """The words of nodes."""
    return "".join(node.text if node.text is not None else _plain(node.children) for node in nodes)[:1000]
