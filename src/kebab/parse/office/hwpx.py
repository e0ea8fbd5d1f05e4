"""Hancom files (`.hwpx`) to a `Document`: paragraphs, headings by outline style, tables, text boxes, notes at the end.

Headers, footers and the preview are left out. Lines are those of the extracted text.
"""

import re
from collections.abc import Iterator

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.archive import Archive
from kebab.parse.building import build
from kebab.parse.facts import Facts, content, moment, title, user
from kebab.parse.flow import Flow
from kebab.parse.office.body import Body
from kebab.parse.office.hwpx_body import SPACES, HwpxBody, levels
from kebab.parse.xml import START, TEXT, Event, events

VERSION = "hwpx-v1"
AGENT = "kebab.parse.office.hwpx"

MAX_SECTIONS = 1000
_SECTION = re.compile(r"Contents/section([0-9]{1,6})\.xml", re.IGNORECASE)
_HEADER = "Contents/header.xml"
_OUTLINE = "Contents/content.hpf"
_MANIFEST = "META-INF/manifest.xml"


class HwpxParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        archive = Archive(raw, "hwpx")
        warnings: list[str] = []
        manifest = _optional(archive, _MANIFEST, warnings)
        if any(kind is START and name == "manifest:encryption-data" for kind, name, _ in manifest):
            raise InvalidInput("not a readable hwpx: it is encrypted", hint="save a copy without a password")
        sections = _sections(archive)
        flow = Flow()
        body = Body(flow)
        reader = HwpxBody(body, levels(_optional(archive, _HEADER, warnings)))
        for section in sections:
            if not flow.full:
                reader.read(events(archive.chunks(section), f"not a readable hwpx: {section}", SPACES))
        body.write_notes()
        return build(content(flow, _facts(archive, warnings), warnings), context, VERSION, AGENT)


def _sections(archive: Archive) -> list[str]:
    found = sorted((int(match[1]), name) for name in archive.names if (match := _SECTION.fullmatch(name)))
    if not found:
        raise InvalidInput("not a readable hwpx: it holds no sections")
    return [name for _, name in found[:MAX_SECTIONS]]


def _optional(archive: Archive, path: str, warnings: list[str]) -> Iterator[Event]:
    """The events of a part that only adds to the text: a broken one ends early, with a warning."""
    try:
        if path in archive:
            yield from events(archive.chunks(path), path, SPACES)
    except InvalidInput as error:
        warnings.append(f"{path} left out: {error.message}")


def _facts(archive: Archive, warnings: list[str]) -> Facts:
    found: dict[str, str] = {}
    key = ""
    for kind, value, attributes in _optional(archive, _OUTLINE, warnings):
        if kind is START:
            key = attributes.get("name", "") if value == "opf:meta" else value
        elif kind is TEXT and key:
            found[key] = (found.get(key, "") + value)[:1000]
        else:
            key = ""
    return Facts(
        title=title(found.get("opf:title")),
        created_at=moment(found.get("CreatedDate")),
        updated_at=moment(found.get("ModifiedDate")),
        user=user(
            author=found.get("creator"),
            last_modified_by=found.get("lastsaveby"),
            subject=found.get("subject"),
            keywords=found.get("keyword"),
            description=found.get("description"),
        ),
    )
