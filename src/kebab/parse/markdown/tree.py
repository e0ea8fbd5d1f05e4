"""Markdown text to a tree of nodes with exact offsets, for a page that makes elements of a closed list and no others.

The text is anyone's: nothing of it becomes markup. Raw HTML is a leaf to be shown as it is written, links and images
are judged by `links`, elements nested beyond reason are left out while their text stays.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pyromark
from pyromark import Options

from kebab.core.viewing import Node
from kebab.parse.markdown.frontmatter import split
from kebab.parse.markdown.links import Judge, Shelf, Target
from kebab.parse.markdown.nodes import Builder, Event, TooMuch, target_of
from kebab.parse.markdown.offsets import Offsets

# Of these there are two for every element, and one for every mark that turned out to be text.
MAX_EVENTS = 100_000

_MARKDOWN = pyromark.Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_WIKILINKS
)


class Passage(NamedTuple):
    """Lines of a document's text: `start` is the offset of the first of them, `line` its number."""

    text: str
    start: int = 0
    line: int = 1


def read(passage: Passage, doc_path: str, shelf: Shelf) -> tuple[Node, ...] | None:
    """The blocks of the passage; None where there are too many elements in it."""
    matter = split(passage.text) if passage.line == 1 else None
    skipped = matter.offset if matter else 0
    text = passage.text[skipped:]
    events = list(islice(_MARKDOWN.events_with_range(text), MAX_EVENTS + 1))
    if len(events) > MAX_EVENTS:
        return None
    judge = Judge(doc_path, frozenset(_targets(events)), shelf)
    lines_before = passage.text.count("\n", 0, skipped)
    offsets = Offsets(text, passage.start + skipped, passage.line + lines_before)
    try:
        nodes = Builder(text, offsets, judge).build(events)
    except TooMuch:
        return None
    if matter and skipped:
        nodes = (_matter(passage, skipped, matter.lang), *nodes)
    return nodes


def _matter(passage: Passage, end: int, lang: str) -> Node:
    words = passage.text[:end].rstrip("\n")
    last = passage.start + len(words)
    leaf = Node("text", passage.start, last, text=words)
    lines = (passage.line, passage.line + words.count("\n"))
    return Node("pre", passage.start, last, (leaf,), lines=lines, attributes={"lang": lang, "meta": True})


def _targets(events: list[tuple[Event, Event]]) -> Iterator[Target]:
    for event, _ in events:
        if type(event) is dict and type(opened := event.get("Start")) is dict:
            for name in ("Link", "Image"):
                if name in opened:
                    yield target_of(opened[name])
