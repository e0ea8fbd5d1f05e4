"""PowerPoint files (`.pptx`) to a `Document`: slide by slide, with notes, diagrams and titles of charts.

Every block stands on a slide (`PagePlace`), so a citation names the slide to open; lines are those of the extracted
text. What masters and layouts say is on every slide, and is left out.
"""

from itertools import islice

from kebab.core.document import Document
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import content
from kebab.parse.flow import Flow, name
from kebab.parse.office.package import Link, Package
from kebab.parse.office.pptx_slide import Item, SlideReader
from kebab.parse.xml import START

VERSION = "pptx-v1"
AGENT = "kebab.parse.office.pptx"

MAX_SLIDES = 5000
MAX_LINKED = 20
NOTES = "Notes:"


class PptxParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        package = Package(raw, "pptx")
        flow = Flow()
        for number, path in enumerate(_slides(package), 1):
            if flow.full:
                break
            _write(flow, package, number, path)
        return build(content(flow, package.facts(), package.warnings), context, VERSION, AGENT)


def _slides(package: Package) -> list[str]:
    """The parts of the slides in the order they are shown."""
    links = package.links(package.main)
    ids = (
        attributes.get("r:id", "")
        for kind, element, attributes in package.events(package.main)
        if kind is START and element == "p:sldId"
    )
    paths = (links[each].path for each in ids if each in links and links[each].kind == "slide")
    found = list(islice(dict.fromkeys(paths), MAX_SLIDES + 1))
    if len(found) > MAX_SLIDES:
        package.warnings.append(f"only the first {MAX_SLIDES} slides are read")
    return found[:MAX_SLIDES]


def _write(flow: Flow, package: Package, number: int, path: str) -> None:
    slide = SlideReader().read(package.optional(path))
    links = package.links(path)
    title = name(slide.title)
    flow.page(number, () if title else (f"Slide {number}",))
    if title:
        flow.heading(1, slide.title)
    if slide.hidden:
        package.warnings.append(f"slide {number} is hidden")
    for item in slide.items:
        _add(flow, item)
    for item in _linked(package, links, ("diagramData", "chart")):
        _add(flow, item)
    notes = [item.text for item in _linked(package, links, ("notesSlide",), "body") if item.rows is None]
    if notes:
        flow.paragraph("\n".join([f"{NOTES} {notes[0]}", *notes[1:]]))


def _add(flow: Flow, item: Item) -> None:
    if item.rows is not None:
        flow.table(item.rows)
    elif item.depth >= 0:
        flow.item(item.text, item.depth)
    else:
        flow.paragraph(item.text)


def _linked(package: Package, links: dict[str, Link], kinds: tuple[str, ...], only: str | None = None) -> list[Item]:
    """The words of the parts of some kinds that a slide relates to, each part once."""
    paths = dict.fromkeys(link.path for link in links.values() if link.kind in kinds)
    return [
        item for path in islice(paths, MAX_LINKED) for item in SlideReader(only=only).read(package.optional(path)).items
    ]
