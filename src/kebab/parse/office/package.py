"""Office packages: parts by their relationships, and the properties every Office file has.

Gets an archive, gives the paths of parts inside it. A relationship that points outside is never followed.
"""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from kebab.core.errors import InvalidInput
from kebab.parse.archive import Archive
from kebab.parse.facts import Facts, moment, title, user
from kebab.parse.xml import START, Event, events, leaves

MAX_LINKS = 20_000

_OOXML = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
# Every part is read with these: the transitional and the strict form of a namespace have one prefix.
SPACES = {
    f"{_OOXML}wordprocessingml/2006/main": "w",
    f"{_STRICT}wordprocessingml/main": "w",
    f"{_OOXML}presentationml/2006/main": "p",
    f"{_STRICT}presentationml/main": "p",
    f"{_OOXML}spreadsheetml/2006/main": "x",
    f"{_STRICT}spreadsheetml/main": "x",
    f"{_OOXML}drawingml/2006/main": "a",
    f"{_STRICT}drawingml/main": "a",
    f"{_OOXML}drawingml/2006/diagram": "dgm",
    f"{_STRICT}drawingml/diagram": "dgm",
    f"{_OOXML}officeDocument/2006/relationships": "r",
    f"{_STRICT}officeDocument/relationships": "r",
    f"{_OOXML}officeDocument/2006/math": "m",
    f"{_STRICT}officeDocument/math": "m",
    f"{_OOXML}markup-compatibility/2006": "mc",
    f"{_OOXML}package/2006/relationships": "rel",
    f"{_OOXML}package/2006/metadata/core-properties": "cp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
}


class Link(NamedTuple):
    """A relationship to a part of the package: the last word of its type, and the part's path."""

    kind: str
    path: str


class Package:
    def __init__(self, raw: bytes, kind: str) -> None:
        self.archive = Archive(raw, kind)
        self.warnings: list[str] = []
        found = (link.path for link in self.links("").values() if link.kind == "officeDocument")
        self.main = next(found, "")
        if self.main not in self.archive:
            raise InvalidInput(f"not a readable {kind}: it holds no document of that kind")

    def events(self, path: str) -> Iterator[Event]:
        return events(self.archive.chunks(path), f"not a readable {self.archive.kind}: {path[:80]}", SPACES)

    def optional(self, path: str | None) -> Iterator[Event]:
        """The events of a part that may be missing or broken: what cannot be read of it becomes a warning."""
        if path is None or path not in self.archive:
            return
        try:
            yield from self.events(path)
        except InvalidInput as error:
            self.warnings.append(f"{path[:80]} left out: {error.message}")

    def links(self, path: str) -> dict[str, Link]:
        """The relationships of a part, by id; those of the package itself for an empty path."""
        folder, name = posixpath.split(path)
        found: dict[str, Link] = {}
        for kind, element, attributes in self.optional(posixpath.join(folder, "_rels", f"{name}.rels")):
            if kind is not START or element != "rel:Relationship" or attributes.get("TargetMode") == "External":
                continue
            target = posixpath.join("/", folder, unquote(attributes.get("Target", "")[:1000]))
            link = Link(attributes.get("Type", "").rpartition("/")[2], posixpath.normpath(target).lstrip("/"))
            found.setdefault(attributes.get("Id", ""), link)
            if len(found) >= MAX_LINKS:
                break
        return found

    def linked(self, path: str, kind: str) -> str | None:
        """The first part of a kind that `path` relates to."""
        return next((link.path for link in self.links(path).values() if link.kind == kind), None)

    def facts(self) -> Facts:
        properties = leaves(self.optional(self.linked("", "core-properties")))
        return Facts(
            title=title(properties.get("dc:title")),
            created_at=moment(properties.get("dcterms:created")),
            updated_at=moment(properties.get("dcterms:modified")),
            user=user(
                author=properties.get("dc:creator"),
                last_modified_by=properties.get("cp:lastModifiedBy"),
                subject=properties.get("dc:subject"),
                keywords=properties.get("cp:keywords"),
                description=properties.get("dc:description"),
            ),
        )
