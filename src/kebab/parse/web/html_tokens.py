"""HTML text to tags and text, as forgiving as a browser and linear in any input. Knows no element but the raw ones.

The standard library's tokenizer is not used because it is quadratic: 96 kB of `<a b='` keep it busy for half a minute.
Here every search either finds its end or is the last of its kind.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import TypeAlias

START, END, TEXT = "start", "end", "text"
Attributes: TypeAlias = dict[str, str]
# (START, name, attributes), (END, name, {}) or (TEXT, characters, {}).
Token: TypeAlias = tuple[str, str, Attributes]

MAX_ATTRIBUTES = 100
MAX_VALUE = 2000

RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
_NAME = re.compile(r"[A-Za-z][^\s/>]*")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*))?)?""")
_TAG_END = re.compile(r"[\s/=]*(>?)")
_RAW_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW}
_NOTHING: Attributes = {}


def tokens(text: str, *, xml: bool = False) -> Iterator[Token]:
    """The tokens of a page; in `xml` (XHTML) a slash before the end of a tag closes the element."""
    at = 0
    endless: set[str] = set()
    while (opened := text.find("<", at)) >= 0:
        if opened > at:
            yield TEXT, plain(text[at:opened]), _NOTHING
        at, found = _markup(text, opened, xml=xml)
        yield from found
        if found and found[-1][0] is START and (name := found[-1][1]) in RAW and name not in endless:
            ended = _RAW_ENDS[name].search(text, at)
            if ended is None:
                endless.add(name)
            else:
                yield TEXT, plain(text[at : ended.start()]) if name == "title" else "", _NOTHING
                at = ended.start()
    if at < len(text):
        yield TEXT, plain(text[at:]), _NOTHING


def plain(text: str) -> str:
    return unescape(text) if "&" in text else text


def _markup(text: str, at: int, *, xml: bool) -> tuple[int, list[Token]]:
    """What stands at a `<`, and where the text goes on."""
    following = text[at + 1 : at + 2]
    if following.isascii() and following.isalpha():
        return _start(text, at, xml=xml)
    if following == "/" and (name := _NAME.match(text, at + 2)):
        return _after(text, ">", name.end()), [(END, name[0][:40].lower(), _NOTHING)]
    if text.startswith("<!--", at):
        return _after(text, "-->", at + 4), []
    if text.startswith("<![CDATA[", at):
        end = _after(text, "]]>", at + 9)
        return end, [(TEXT, text[at + 9 : end].removesuffix("]]>"), _NOTHING)]
    if following in ("!", "?", "/"):
        end = _after(text, ">", at + 1)
        # A document type with declarations of its own ends behind their bracket.
        return (
            _after(text, "]>", at) if "[" in text[at:end] and text[at + 2 : at + 9].lower() == "doctype" else end
        ), []
    return at + 1, [(TEXT, "<", _NOTHING)]


def _after(text: str, mark: str, at: int) -> int:
    """Behind the next mark; what is never closed reaches to the end."""
    found = text.find(mark, at)
    return found + len(mark) if found >= 0 else len(text)


def _start(text: str, at: int, *, xml: bool) -> tuple[int, list[Token]]:
    matched = _NAME.match(text, at + 1)
    assert matched is not None
    name, at = matched[0][:40].lower(), matched.end()
    attributes: Attributes = {}
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        if len(attributes) < MAX_ATTRIBUTES:
            value = match[2] or match[3] or match[4] or ""
            attributes.setdefault(match[1][:40].lower(), plain(value[:MAX_VALUE]))
    ended = _TAG_END.match(text, at)
    assert ended is not None
    found: list[Token] = [(START, name, attributes)] if ended[1] else []
    if found and xml and text[ended.end() - 2] == "/":
        found.append((END, name, _NOTHING))
    return max(ended.end(), at), found
