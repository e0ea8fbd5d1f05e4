"""The words of a web page as headings, paragraphs, lists, tables and code, into a `Flow`. Shared by pages, books, mail.

Gets HTML text, fills the flow, gives what the head says. Scripts and hidden elements are never read; where a page marks
its main part, the navigation, headers, footers and asides around it are left out. Link targets and images are dropped.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from kebab.parse.flow import Flow
from kebab.parse.web.html_elements import AROUND, BLOCKS, EDGES, MAIN, SELF_CLOSING, VOID, unseen
from kebab.parse.web.html_tables import Tables
from kebab.parse.web.html_tokens import END, START, TEXT, Attributes, tokens
from kebab.parse.xml import number

MAX_OPEN = 500
MAX_META = 50
_LOOK_BACK = 100
_LONGEST_NUMBER = 4

_LISTS = ("ul", "ol", "menu")
_HAS_MAIN = re.compile(r"<(?:main|article)[\s>]|\brole\s*=\s*[\"']?main\b", re.IGNORECASE)
_LANGUAGE = re.compile(r"\b(?:lang|language|highlight-source)-([\w+#.-]{1,40})")


class Head(NamedTuple):
    """What a page says of itself: its title, its language, and its `meta` values by name."""

    title: str
    lang: str
    meta: Mapping[str, str]


def extract(text: str, flow: Flow, *, xml: bool = False, said: str = "") -> Head:
    """`said` is a heading that stands before the page already, and is not read again as its first line."""
    page = _Page(flow, has_main=bool(_HAS_MAIN.search(text)), said=said)
    for kind, value, attributes in tokens(text, xml=xml):
        if kind is TEXT:
            page.say(value)
        elif kind is START:
            page.open(value, attributes)
        elif kind is END:
            page.close(value)
        if flow.full:
            break
    page.finish()
    return Head(" ".join("".join(page.title).split())[:1000], page.lang, page.meta)


class _Page:
    """The open elements of a page, and what has been read since the last block ended."""

    def __init__(self, flow: Flow, *, has_main: bool, said: str) -> None:
        self.title: list[str] = []
        self.lang = ""
        self.meta: dict[str, str] = {}
        self._flow = flow
        self._tables = Tables(flow)
        self._has_main = has_main
        self._said = said
        self._open: list[str] = []
        self._dropped_from = self._main_from = -1
        self._parts: list[str] = []
        self._heading = self._lists = self._quotes = 0
        self._pre = False
        self._code: str | None = None
        # Where the words of an open `sup` begin, and whether they lead to a note.
        self._raised, self._leads = -1, False

    def say(self, words: str) -> None:
        if self._dropped_from >= 0:
            return
        if self._open and self._open[-1] == "title" and "svg" not in self._open[-3:]:
            self.title.append(words if len(self.title) < 10 else "")
        elif not self._pre:
            # Line ends of the source are spaces; those of the text come from elements.
            self._parts.append(words.replace("\n", " "))
        else:
            self._parts.append(words)

    def open(self, name: str, attributes: Attributes) -> None:
        if name in VOID:
            self._void(name, attributes)
            return
        above = self._open[-1] if self._open else ""
        if (above == name and name in SELF_CLOSING) or (above == "p" and name in BLOCKS):
            self.close(above)
        if self._dropped_from < 0:
            if name in BLOCKS:
                self._flush()
            if self._is_dropped(name, attributes):
                self._dropped_from = len(self._open)
            else:
                self._enter(name, attributes)
        if len(self._open) < MAX_OPEN:
            self._open.append(name)

    def close(self, name: str) -> None:
        """Ends the nearest open element of that name with all inside it; an end without a start is none."""
        window = self._open[-_LOOK_BACK:]
        if name not in window:
            return
        at = len(self._open) - 1 - window[::-1].index(name)
        if self._dropped_from < 0 and (name in BLOCKS or any(each in BLOCKS for each in self._open[at:])):
            self._flush()
        for inner in reversed(self._open[at:]):
            self._open.pop()
            if self._dropped_from < 0:
                self._leave(inner)
            elif len(self._open) <= self._dropped_from:
                self._dropped_from = -1
        if len(self._open) <= self._main_from:
            self._main_from = -1

    def finish(self) -> None:
        self._flush()
        self._tables.finish()

    def _void(self, name: str, attributes: Attributes) -> None:
        if name == "meta" and len(self.meta) < MAX_META:
            key = attributes.get("name") or attributes.get("property") or ""
            self.meta.setdefault(key.lower()[:100], attributes.get("content", "")[:1000])
        elif self._dropped_from < 0:
            if name == "br":
                self._parts.append("\n")
            elif name == "hr":
                self._flush()

    def _is_dropped(self, name: str, attributes: Attributes) -> bool:
        if unseen(name, attributes):
            return True
        return self._has_main and (name in AROUND or (name in EDGES and self._main_from < 0))

    def _enter(self, name: str, attributes: Attributes) -> None:
        if name in MAIN or attributes.get("role") == "main":
            self._main_from = self._main_from if self._main_from >= 0 else len(self._open)
        if name in _LISTS:
            self._lists += 1
        elif name == "blockquote":
            self._quotes += 1
        elif name == "pre":
            self._pre = True
            self._code = _language(attributes)
        elif name == "code" and self._pre:
            self._code = self._code or _language(attributes)
        elif name in ("sup", "a"):
            self._enter_note(name)
        elif name == "html":
            self.lang = self.lang or attributes.get("lang", "") or attributes.get("xml:lang", "")
        elif len(name) == 2 and name[0] == "h" and name[1] in "123456":
            self._heading = int(name[1])
            self._tables.lay_out()
        else:
            self._enter_table(name, attributes)

    def _enter_note(self, name: str) -> None:
        if name == "sup":
            self._raised, self._leads = len(self._parts), self._open[-1:] == ["a"]
        elif self._raised >= 0:
            self._leads = True

    def _leave_note(self) -> None:
        """The raised number that leads to a note is no part of the word before it."""
        number, at = "".join(self._parts[self._raised :]).strip(), self._raised
        if self._leads and at >= 0 and len(number) <= _LONGEST_NUMBER and number.isalnum():
            self._parts[at:] = [f"[^{number}]"]
        self._raised = -1

    def _enter_table(self, name: str, attributes: Attributes) -> None:
        if name == "table":
            self._tables.open()
        elif name == "tr":
            self._tables.open_row()
        elif name in ("td", "th"):
            self._tables.open_cell(number(attributes.get("colspan"), 1), number(attributes.get("rowspan"), 1))

    def _leave(self, name: str) -> None:
        if name in _LISTS:
            self._lists -= 1
        elif name == "blockquote":
            self._quotes -= 1
        elif name == "pre":
            self._pre = False
        elif name == "table":
            self._tables.close()
        elif name == "sup":
            self._leave_note()
        elif name in ("td", "th"):
            self._tables.close_cell()
        elif len(name) == 2 and name[0] == "h" and name[1] in "123456":
            self._heading = 0

    def _flush(self) -> None:
        """What has been read, as a block of the kind that is open."""
        raw, self._parts, self._raised = "".join(self._parts), [], -1
        if not raw.strip():
            return
        if self._tables.in_cell:
            self._tables.say(raw)
        elif self._pre:
            self._flow.code(raw, self._code)
        else:
            self._write("\n".join(" ".join(line.split()) for line in raw.split("\n")).strip())

    def _write(self, words: str) -> None:
        said, self._said = self._said, ""
        if words == said:
            return
        if self._heading:
            self._flow.heading(self._heading, words)
        elif self._lists > 0:
            self._flow.item(words, self._lists - 1)
        elif self._quotes > 0:
            self._flow.quote(words)
        else:
            self._flow.paragraph(words)


def _language(attributes: Attributes) -> str | None:
    match = _LANGUAGE.search(attributes.get("class", ""))
    return match[1].lower() if match else None
