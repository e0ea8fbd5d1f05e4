"""A book's outline: which files are its chapters, in which order, what they are called, and what it says of itself.

Gets an archive, gives paths inside it; a path that is not there is the caller's finding. Contents of chapters are not
looked at.
"""

import posixpath
from typing import NamedTuple
from urllib.parse import unquote

from kebab.core.errors import InvalidInput
from kebab.parse.archive import MAX_PAGE, Archive
from kebab.parse.facts import Facts, moment, title, user
from kebab.parse.web.charset import declared, read
from kebab.parse.web.html_tokens import END, START, TEXT, tokens
from kebab.parse.xml import START as OPENED
from kebab.parse.xml import TEXT as WORDS
from kebab.parse.xml import events

MAX_CHAPTERS = 5000
MAX_TITLES = 20_000

_NCX = "application/x-dtbncx+xml"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_SPACES = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "container",
    "http://www.idpf.org/2007/opf": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://www.daisy.org/z3986/2005/ncx/": "ncx",
}
# Fonts are scrambled in many books that are open otherwise.
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


class Book(NamedTuple):
    chapters: list[str]
    contents: str
    """The table of contents: a page or an NCX file; empty when there is none."""
    facts: Facts


def book(archive: Archive) -> Book:
    """Raises InvalidInput for what is not a book."""
    path = next((each.get("full-path", "") for each in _all(archive, _CONTAINER, "container:rootfile")), "")
    if not path:
        raise InvalidInput("not a readable epub: it names no description of the book")
    items: dict[str, tuple[str, str, str]] = {}
    spine: list[str] = []
    said: dict[str, str] = {}
    inside = ""
    for kind, value, attributes in events(archive.chunks(path), _part(path), _SPACES, doctype=True):
        if kind is WORDS:
            if inside.startswith("dc:"):
                said[inside] = (said.get(inside, "") + value)[:1000]
            continue
        inside = value if kind is OPENED and value not in said else ""
        if kind is OPENED and value == "opf:item":
            target = resolve(path, attributes.get("href", ""))
            items[attributes.get("id", "")] = (
                target,
                attributes.get("media-type", ""),
                attributes.get("properties", ""),
            )
        elif kind is OPENED and value == "opf:itemref":
            spine.append(attributes.get("idref", ""))
    listed = (items[each] for each in spine if each in items)
    pages = [path for path, kind, properties in listed if kind != _NCX and "nav" not in properties.split()]
    if not pages:
        raise InvalidInput("not a readable epub: it holds no chapters")
    contents = [item[0] for item in items.values() if "nav" in item[2].split()]
    contents += [item[0] for item in items.values() if item[1] == _NCX]
    return Book(list(dict.fromkeys(pages))[:MAX_CHAPTERS], next(iter(contents), ""), _facts(said))


def _part(path: str) -> str:
    return f"not a readable epub: {path[:80]}"


def _all(archive: Archive, path: str, element: str) -> list[dict[str, str]]:
    stream = events(archive.chunks(path), _part(path), _SPACES)
    return [attributes for kind, value, attributes in stream if kind is OPENED and value == element]


def resolve(base: str, target: str) -> str:
    """A reference inside the book as a path of the archive."""
    joined = posixpath.join("/", posixpath.dirname(base), unquote(target[:1000].partition("#")[0]))
    return posixpath.normpath(joined).lstrip("/")


def _facts(said: dict[str, str]) -> Facts:
    return Facts(
        title=title(said.get("dc:title")),
        created_at=moment(said.get("dc:date")),
        user=user(
            author=said.get("dc:creator"),
            publisher=said.get("dc:publisher"),
            subject=said.get("dc:subject"),
            description=said.get("dc:description"),
            identifier=said.get("dc:identifier"),
        ),
    )


def protected(archive: Archive) -> set[str]:
    """The files whose bytes are encrypted, other than fonts."""
    found: set[str] = set()
    method = ""
    if _ENCRYPTION not in archive:
        return found
    for kind, value, attributes in events(archive.chunks(_ENCRYPTION), _part(_ENCRYPTION), _SPACES):
        if kind is OPENED and value == "enc:EncryptionMethod":
            method = attributes.get("Algorithm", "")
        elif kind is OPENED and value == "enc:CipherReference" and method not in _FONTS:
            found.add(resolve("", attributes.get("URI", "")))
    return found


def titles(archive: Archive, found: Book) -> dict[str, str]:
    """What the table of contents calls each file; the first name counts. A broken one names nothing."""
    names: dict[str, str] = {}
    if found.contents not in archive:
        return names
    raw = archive.read(found.contents, MAX_PAGE)
    label: list[str] = []
    target = ""
    # An NCX file has its name before the reference, a page around it.
    for kind, value, attributes in tokens(read(raw, declared(raw)).text, xml=True):
        if kind is TEXT:
            label.append(value[:300])
        elif kind is START and value in ("a", "navpoint", "ncx:navpoint"):
            label, target = [], attributes.get("href", "")
        elif kind is START and value in ("content", "ncx:content"):
            names.setdefault(resolve(found.contents, attributes.get("src", "")), " ".join("".join(label).split()))
        elif kind is END and value == "a" and target:
            names.setdefault(resolve(found.contents, target), " ".join("".join(label).split()))
            target = ""
        if len(names) >= MAX_TITLES:
            break
    return names
