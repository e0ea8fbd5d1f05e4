"""Where links and images of a Markdown text lead: to the web, to another document, or nowhere. Looks nothing up.

The text is anyone's. An address is one that a person may follow only if it parses as http, https or mailto and holds
nothing that a browser would drop while reading it, as tabs inside of `java script:`.
"""

import posixpath
import re
from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from kebab.core.text import nfc
from kebab.core.viewing import NO_ATTRIBUTES, Attribute

_LONGEST = 2000
_MOST_TARGETS = 5000
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
# Controls, spaces, and what turns text around or cannot be seen.
_UNSEEN = re.compile('[\x00-\x20\x7f-\xa0\xad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff\\\\<>"`]')
_MAIL = re.compile(r"[^@/?#:,;]+@[^@/?#:,;]+")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".heic", ".heif")
_NOTES = (".md", "/index.md", "/_index.md", "/README.md")


class Inside(NamedTuple):
    """A place among the documents: paths it may stand for, the best first, and the fragment behind it."""

    paths: tuple[str, ...]
    anchor: str | None
    name: str | None = None


def web_address(target: str) -> str | None:
    """`target` if a person may follow it out of here."""
    if len(target) > _LONGEST or _UNSEEN.search(target):
        return None
    try:
        parts = urlsplit(target)
        host = parts.hostname
        parts.port  # noqa: B018 - asked for what it raises
    except ValueError:
        return None
    if parts.scheme == "mailto":
        return target if _MAIL.fullmatch(unquote(parts.path)) and not parts.netloc else None
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        return None
    return target if target.lower().startswith(f"{parts.scheme}://") else None


def inside(target: str, doc_path: str, *, wiki: bool = False) -> Inside | None:
    """What `target` may mean in the document at `doc_path`; None for what leads out of the documents."""
    if len(target) > _LONGEST or _SCHEME.match(target) or target.startswith(("//", "\\")):
        return None
    raw, _, fragment = target.partition("#")
    anchor = unquote(fragment)[:_LONGEST] or None
    # As paths of documents are kept; programs of some systems write the names of files in another form.
    path = nfc(unquote(raw.partition("?")[0]) if not wiki else raw)
    if "\0" in path or "\\" in path:
        return None
    if not path:
        return Inside((doc_path,), anchor) if anchor else None
    folder = _root(doc_path) if path.startswith("/") else posixpath.dirname(doc_path)
    whole = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    if whole.startswith("..") or whole in (".", "/"):
        return None
    paths = (whole, *(f"{whole}{ending}" for ending in _NOTES))
    return Inside(paths, anchor, posixpath.basename(whole) if wiki else None)


def _root(doc_path: str) -> str:
    """What a path from the top begins at: `@name` of a source, or the workspace, whose own `@folder` is `@@folder`."""
    first, slash, _ = doc_path.partition("/")
    return first if slash and first.startswith("@") and not first.startswith("@@") else ""


class Shelf(Protocol):
    """What is known of documents: the media types of those at `paths`, and for a file's name the path of one."""

    def media_at(self, paths: Collection[str]) -> Mapping[str, str]: ...

    def named(self, names: Collection[str]) -> Mapping[str, str]: ...


class Target(NamedTuple):
    """A link's or image's destination as written; `wiki` for `[[name]]`, `mail` for `<a@b.c>`."""

    written: str
    wiki: bool = False
    mail: bool = False


class Judge:
    """Decides about all links of one text with two questions to the shelf, however many there are."""

    def __init__(self, doc_path: str, targets: Collection[Target], shelf: Shelf) -> None:
        wanted = sorted(set(targets))[:_MOST_TARGETS]
        self._inside = {
            target: found
            for target in wanted
            if not target.mail and (found := inside(target.written, doc_path, wiki=target.wiki)) is not None
        }
        self._media = shelf.media_at({path for found in self._inside.values() for path in found.paths})
        lost = {found.name for found in self._inside.values() if found.name and not self._first(found)}
        names = {f"{name}{ending}" for name in lost for ending in ("", ".md")}
        self._named = shelf.named(names) if names else {}

    def link(self, target: Target) -> Mapping[str, Attribute]:
        """`href`, or `doc` and perhaps `anchor`, or nothing."""
        if (found := self._inside.get(target)) is not None:
            path = self._path(found)
            anchor = {"anchor": found.anchor} if found.anchor else {}
            return {"doc": path, **anchor} if path else NO_ATTRIBUTES
        address = web_address(f"mailto:{target.written}" if target.mail else target.written)
        return {"href": address} if address else NO_ATTRIBUTES

    def image(self, target: Target) -> str | None:
        """The path of an image that is indexed."""
        found = self._inside.get(target)
        path = self._path(found) if found is not None else None
        if path is None or found is None:
            return None
        # A path found by its name alone was not asked for its media type; its ending says as much.
        is_image = self._media.get(path, "image/").startswith("image/") and path.lower().endswith(_PICTURES)
        return path if is_image else None

    def _first(self, found: Inside) -> str | None:
        return next((path for path in found.paths if path in self._media), None)

    def _path(self, found: Inside) -> str | None:
        path = self._first(found)
        if path is None and found.name:
            path = self._named.get(f"{found.name}.md") or self._named.get(found.name)
        return path
