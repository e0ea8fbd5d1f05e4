"""XML from untrusted bytes as a flat stream of events: no tree, no entities, no DTD, bounded depth.

Gets the bytes of a part piece by piece, gives starts, ends and text with names like `w:p`, whatever prefix the file
uses. Nothing outside the bytes is ever read. Memory is one piece; what is kept is the caller's business.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeAlias
from xml.parsers import expat

from kebab.core.errors import InvalidInput

MAX_DEPTH = 1000
# A tag, comment or attribute longer than this is no part of a document, and would be scanned again with every piece.
MAX_TOKEN = 2 * 1024 * 1024
MAX_LEAF = 2000

START, END, TEXT = "start", "end", "text"
Attributes: TypeAlias = dict[str, str]
# (START, name, attributes), (END, name, {}) or (TEXT, characters, {}).
Event: TypeAlias = tuple[str, str, Attributes]

_NOTHING: Attributes = {}
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class _Refused(Exception):
    """Well-formed, but more than a document may do."""


class _Names(dict[str, str]):
    """Names as expat gives them to short ones, each worked out once."""

    def __init__(self, spaces: Mapping[str, str]) -> None:
        super().__init__()
        self._spaces = spaces

    def __missing__(self, name: str) -> str:
        space, gap, local = name.rpartition(" ")
        short = self[name] = f"{self._spaces.get(space, '?')}:{local}" if gap else name
        return short


class _Reader:
    """Expat with handlers that only collect; `spaces` maps the addresses of namespaces to short prefixes."""

    def __init__(self, spaces: Mapping[str, str], *, doctype: bool) -> None:
        self.events: list[Event] = []
        self._depth = 0
        self._doctype = doctype
        self._names = _Names(spaces)
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.buffer_size = 64 * 1024
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.EntityDeclHandler = self._refuse_entity

    def _start(self, name: str, attributes: Attributes) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Refused(f"is nested more than {MAX_DEPTH} deep")
        names = self._names
        named = {names[key]: value for key, value in attributes.items()} if attributes else _NOTHING
        self.events.append((START, names[name], named))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self.events.append((END, self._names[name], _NOTHING))

    def _text(self, data: str) -> None:
        self.events.append((TEXT, data, _NOTHING))

    def _refuse_doctype(
        self, _name: str, _system: str | None, _public: str | None, has_internal_subset: object
    ) -> None:
        # Some formats write a bare DOCTYPE; without declarations of its own it says nothing and nothing is fetched.
        if has_internal_subset or not self._doctype:
            raise _Refused("declares a document type")

    def _refuse_entity(self, *_declaration: object) -> None:
        raise _Refused("declares entities")


def events(
    chunks: Iterable[bytes], part: str, spaces: Mapping[str, str] | None = None, *, doctype: bool = False
) -> Iterator[Event]:
    """The events of a part in order. Raises InvalidInput, naming `part`, for what is not plain well-formed XML."""
    reader = _Reader(spaces or {}, doctype=doctype)
    silent = 0
    for chunk in chunks:
        silent += len(chunk)
        _feed(reader.parser.Parse, chunk, part, last=False)
        if reader.events:
            silent = 0
            found, reader.events = reader.events, []
            yield from found
        elif silent > MAX_TOKEN:
            raise InvalidInput(f"{part} holds markup of unreasonable length")
    _feed(reader.parser.Parse, b"", part, last=True)
    yield from reader.events


def _feed(parse: Callable[[bytes, bool], int], chunk: bytes, part: str, *, last: bool) -> None:
    try:
        parse(chunk, last)
    except _Refused as refused:
        raise InvalidInput(f"{part} {refused}, which no document needs") from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        line = getattr(error, "lineno", None)
        raise InvalidInput(f"{part} is not well-formed XML" + (f" (line {line})" if line else "")) from error


def without(stream: Iterable[Event], names: Collection[str]) -> Iterator[Event]:
    """The events outside of the elements that have one of these names."""
    depth = 0
    for event in stream:
        kind = event[0]
        if depth:
            depth += (kind is START) - (kind is END)
        elif kind is START and event[1] in names:
            depth = 1
        else:
            yield event


def leaves(stream: Iterable[Event]) -> dict[str, str]:
    """The text of each element that holds text alone, by name, cut to a length; the first of each name counts."""
    found: dict[str, str] = {}
    parts: list[str] = []
    for kind, value, _ in stream:
        if kind is START:
            parts = []
        elif kind is TEXT:
            parts.append(value[:MAX_LEAF])
        elif parts:
            found.setdefault(value, "".join(parts)[:MAX_LEAF])
            parts = []
    return found


def number(text: str | None, otherwise: int = 0) -> int:
    """A small whole number out of an attribute."""
    return int(text) if text and _NUMBER.fullmatch(text) else otherwise
