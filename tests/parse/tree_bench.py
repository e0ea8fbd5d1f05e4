"""A small library for trees of Markdown, and what holds for every tree."""

from collections.abc import Collection, Iterator
from itertools import pairwise

from kebab.core.viewing import TAGS, Node
from kebab.parse.markdown.links import web_address
from kebab.parse.markdown.nodes import MAX_DEPTH
from kebab.parse.markdown.tree import Passage, read

HERE = "notes/here.md"
KNOWN = {
    "notes/here.md": "markdown",
    "notes/other.md": "markdown",
    "notes/deep/index.md": "markdown",
    "top.md": "markdown",
    "notes/cup.png": "image/png",
    "notes/밥 짓기.md": "markdown",
    "far/away/unique.md": "markdown",
    "notes/film.mp4": "video/mp4",
}
ATTRIBUTES = {
    "a": {"href", "doc", "anchor"},
    "img": {"alt", "doc"},
    "pre": {"lang", "meta"},
    "li": {"checked"},
    "ol": {"first"},
    "th": {"align"},
    "td": {"align"},
    "footnote": {"label", "ref"},
}


class Library:
    def media_at(self, paths: Collection[str]) -> dict[str, str]:
        return {path: KNOWN[path] for path in paths if path in KNOWN}

    def named(self, names: Collection[str]) -> dict[str, str]:
        return {path.rpartition("/")[2]: path for path in KNOWN if path.rpartition("/")[2] in names}


def tree(text: str, start: int = 0, line: int = 1) -> tuple[Node, ...]:
    found = read(Passage(text, start, line), HERE, Library())
    assert found is not None
    return found


def every(nodes: tuple[Node, ...], depth: int = 0) -> Iterator[Node]:
    assert depth <= MAX_DEPTH + 3
    for node in nodes:
        yield node
        yield from every(node.children, depth + 1)


def sound(text: str, nodes: tuple[Node, ...], start: int = 0, line: int = 1) -> None:
    """What the page relies on, for any text at all."""
    lines = text.count("\n") + 1
    for node in every(nodes):
        assert node.tag in TAGS
        assert set(node.attributes) <= ATTRIBUTES.get(node.tag, set())
        assert start <= node.start <= node.end <= start + len(text)
        assert (node.text is not None) == (node.tag in ("text", "html"))
        if node.text is not None and not node.loose:
            assert node.text == text[node.start - start : node.end - start]
        if node.lines is not None:
            assert line <= node.lines[0] <= node.lines[1] <= line + lines - 1
        href = node.attributes.get("href")
        assert href is None or web_address(str(href)) == href
        doc = node.attributes.get("doc")
        assert doc is None or doc in KNOWN
    for above, below in pairwise(nodes):
        assert above.end <= below.start


def words(nodes: tuple[Node, ...]) -> str:
    return "".join(node.text if node.text is not None else words(node.children) for node in nodes)


def only(text: str, tag: str) -> Node:
    nodes = tree(text)
    sound(text, nodes)
    (found,) = [node for node in every(nodes) if node.tag == tag]
    return found
