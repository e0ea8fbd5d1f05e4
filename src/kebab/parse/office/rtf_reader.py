"""RTF tokens to text: which groups are read, under which code page, and what makes a paragraph a heading or an item.

Gets tokens, fills an `RtfText` and the properties. Groups are a stack of small states; beyond a depth no document has
they are only counted.
"""

import re
from typing import NamedTuple

from kebab.parse.office.body import PLAIN, Look
from kebab.parse.office.rtf_pages import CHARSETS, codec
from kebab.parse.office.rtf_text import RtfText
from kebab.parse.office.rtf_tokens import CLOSE, OPEN, STAR, TEXT, Token

MAX_DEPTH = 10_000
MAX_INFO = 1000
MAX_NAME = 100

_SKIPPED = frozenset(
    "colortbl listtable listoverridetable pict header headerl headerr headerf footer footerl footerr footerf generator "
    "themedata colorschememapping datastore latentstyles xmlnstbl rsidtbl filetbl revtbl fldinst nonshppict shprslt sp "
    "nonesttables template ftnsep ftnsepc aftnsep aftnsepc pgptbl objdata upr tc xe mmathPr".split()
)
# Groups that old readers should skip, and that hold text all the same.
_STARRED = frozenset({"shpinst", "annotation", "shptxt", "footnote"})
_INFO = frozenset({"title", "author", "operator", "subject", "keywords", "doccomm", "creatim", "revtim"})
_HEADING = re.compile(r"\s*heading ([1-9]);", re.IGNORECASE)
_CHARACTERS = {
    "tab": "\t", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "emspace": " ", "enspace": " ", "nestcell": ", ",
    "nestrow": "; ", "page": "\n", "softline": "\n",
}  # fmt: skip


class _State(NamedTuple):
    """What holds in a group, and ends with it."""

    destination: str = ""
    skipped: bool = False
    unseen: bool = False
    fallback: int = 1
    font: int = -1
    aside: bool = False


class RtfReader:
    def __init__(self, text: RtfText) -> None:
        self.info: dict[str, str] = {}
        self.times: dict[str, dict[str, int]] = {}
        self._text = text
        self._state = _State()
        self._stack: list[_State] = []
        self._deeper = 0
        self._starred = False
        self._skip = 0
        self._bytes: list[str] = []
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._styles: dict[int, int] = {}
        self._named = ""
        self._style = self._font = -1

    def take(self, token: Token) -> None:
        kind = token.kind
        if kind is TEXT:
            self._characters(token.text)
        elif kind == OPEN:
            self._open()
        elif kind == CLOSE:
            self._close()
        elif kind is STAR:
            self._starred = True
        else:
            starred, self._starred = self._starred, False
            if starred and token.text not in _STARRED:
                self._state = self._state._replace(skipped=True, destination=token.text)
            else:
                self._word(token.text, token.number)

    def finish(self) -> None:
        self._decode()
        self._text.finish()

    def _open(self) -> None:
        self._decode()
        self._starred, self._skip = False, 0
        if len(self._stack) >= MAX_DEPTH:
            self._deeper += 1
        else:
            self._stack.append(self._state)
            self._state = self._state._replace(aside=False)

    def _close(self) -> None:
        self._decode()
        self._starred, self._skip = False, 0
        if self._deeper:
            self._deeper -= 1
        elif self._stack:
            ended, self._state = self._state, self._stack.pop()
            if ended.aside:
                self._text.resume()

    def _characters(self, text: str) -> None:
        if self._skip:
            skipped = min(self._skip, len(text))
            self._skip -= skipped
            text = text[skipped:]
        if self._state.destination == "stylesheet":
            self._name_style(text)
        if not self._state.skipped or self._state.destination in _INFO:
            self._bytes.append(text)

    def _decode(self) -> None:
        """What was gathered byte by byte, under the code page of its font."""
        if self._bytes:
            raw = "".join(self._bytes).encode("latin-1", "replace")
            self._bytes = []
            self._say(raw.decode(self._fonts.get(self._state.font, self._page), "replace"))

    def _say(self, words: str) -> None:
        where = self._state.destination
        if where in _INFO:
            self.info[where] = (self.info.get(where, "") + words)[:MAX_INFO]
        elif not self._state.skipped and not self._state.unseen:
            self._text.say(words)

    def _word(self, word: str, number: int | None) -> None:
        state = self._state
        if word == "u":
            self._unicode(number or 0)
            return
        self._skip = 0
        if state.destination in ("fonttbl", "stylesheet"):
            self._declare(word, number or 0)
        elif state.destination in _INFO and word in ("yr", "mo", "dy", "hr", "min", "sec"):
            self.times.setdefault(state.destination, {})[word] = number or 0
        elif word in _SKIPPED or word in ("fonttbl", "stylesheet", "info", "listtext", "pntext"):
            # Numbered headings have such a text as well, and stay headings.
            if word in ("listtext", "pntext") and not state.skipped and not self._text.look.heading:
                self._text.look = Look(item=max(self._text.look.item, 0))
            self._state = state._replace(destination=word, skipped=True)
        elif state.destination in ("info", "ud") and word in _INFO:
            self._state = state._replace(destination=word)
        elif word == "ansicpg":
            self._page = codec(number or 0) or self._page
        elif not state.skipped:
            self._read_word(word, number)

    def _declare(self, word: str, number: int) -> None:
        """Fonts and styles are known by what their tables say of them."""
        if word == "f":
            self._font = number
        elif word == "fcharset" and number in CHARSETS:
            self._fonts[self._font] = CHARSETS[number]
        elif word == "s":
            self._style, self._named = number, ""
        elif word == "outlinelevel":
            self._styles[self._style] = number

    def _name_style(self, text: str) -> None:
        """Some programs write no level of a heading but in the name of its style, which a semicolon ends."""
        self._named = (self._named + text)[:MAX_NAME]
        if self._named.endswith(";") and (match := _HEADING.fullmatch(self._named)):
            self._styles.setdefault(self._style, int(match[1]) - 1)

    def _unicode(self, number: int) -> None:
        self._decode()
        self._say(chr(number & 0xFFFF))
        self._skip = self._state.fallback

    def _read_word(self, word: str, number: int | None) -> None:
        state, text = self._state, self._text
        if word == "f":
            self._decode()
            self._state = state._replace(font=number or 0)
        elif word == "uc":
            self._state = state._replace(fallback=min(max(number or 0, 0), 10))
        elif word in ("v", "deleted"):
            self._decode()
            self._state = state._replace(unseen=number != 0)
        elif word == "plain":
            self._decode()
            self._state = state._replace(unseen=False)
        elif word == "char" or word in _CHARACTERS:
            self._decode()
            self._say(_CHARACTERS.get(word) or chr(number or 32))
        elif word in ("footnote", "annotation", "shptxt"):
            label = {"footnote": "", "annotation": "Comment:"}.get(word)
            self._state = state._replace(aside=not state.aside and text.interrupt(label))
        else:
            self._end_or_shape(word, number)

    def _end_or_shape(self, word: str, number: int | None) -> None:
        text = self._text
        if word in ("par", "sect", "cell", "row"):
            self._decode()
            {"cell": text.end_cell, "row": text.end_row}.get(word, text.end_paragraph)()
        elif word == "pard":
            text.look, text.in_table = PLAIN, False
        elif word == "intbl":
            text.in_table = True
        elif word == "s":
            level = self._styles.get(number or 0, 9)
            text.look = Look(heading=level + 1) if 0 <= level < 9 else text.look
        elif word == "outlinelevel":
            text.look = Look(heading=(number or 0) + 1) if 0 <= (number or 0) < 9 else text.look
        elif word == "ilvl" and not text.look.heading:
            text.look = Look(item=max(number or 0, 0))
