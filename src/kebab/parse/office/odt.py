"""OpenDocument texts (`.odt`) to a `Document`: headings, paragraphs, lists, tables and text boxes, notes at the end.

Deleted text that is kept for review, tables of contents, headers and footers are left out. Lines are those of the
extracted text.
"""

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.archive import Archive
from kebab.parse.building import build
from kebab.parse.facts import Facts, content, moment, title, user
from kebab.parse.flow import Flow
from kebab.parse.office.body import Body
from kebab.parse.office.odt_body import SPACES, OdtBody
from kebab.parse.xml import START, events, leaves

VERSION = "odt-v1"
AGENT = "kebab.parse.office.odt"

_MANIFEST = "META-INF/manifest.xml"
_CONTENT = "content.xml"
_META = "meta.xml"


class OdtParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        archive = Archive(raw, "odt")
        warnings: list[str] = []
        _refuse_encrypted(archive)
        flow = Flow()
        body = Body(flow)
        part = f"not a readable odt: {_CONTENT}"
        OdtBody(body).read(events(archive.chunks(_CONTENT), part, SPACES))
        body.write_notes()
        facts = _facts(archive, warnings)
        return build(content(flow, facts, warnings), context, VERSION, AGENT)


def _refuse_encrypted(archive: Archive) -> None:
    if _MANIFEST not in archive:
        return
    stream = events(archive.chunks(_MANIFEST), f"not a readable odt: {_MANIFEST}", SPACES, doctype=True)
    if any(kind is START and element == "manifest:encryption-data" for kind, element, _ in stream):
        raise InvalidInput("not a readable odt: it is encrypted", hint="save a copy without a password")


def _facts(archive: Archive, warnings: list[str]) -> Facts:
    if _META not in archive:
        return Facts()
    try:
        found = leaves(events(archive.chunks(_META), _META, SPACES))
    except InvalidInput as error:
        warnings.append(f"{_META} left out: {error.message}")
        return Facts()
    return Facts(
        title=title(found.get("dc:title")),
        created_at=moment(found.get("meta:creation-date")),
        updated_at=moment(found.get("dc:date")),
        user=user(
            author=found.get("meta:initial-creator"),
            last_modified_by=found.get("dc:creator"),
            subject=found.get("dc:subject"),
            keywords=found.get("meta:keyword"),
            description=found.get("dc:description"),
        ),
    )
