"""Views of documents of every kind, typical and at their edges, with what the wire makes of them."""

from dataclasses import replace

from answer_samples import answer
from kebab.core.inspection import DocSummary, SymbolRow
from kebab.core.recognition import OcrFailure
from kebab.core.viewing import (
    DocumentView,
    FacetReport,
    FacetValue,
    Node,
    PageBoxes,
    PageView,
    RegionView,
    SegmentView,
    ViewKind,
    Window,
)
from kebab.wire.answer import encode_answer
from kebab.wire.facets import encode_facets, encode_failures, encode_live, encode_watch
from kebab.wire.introspection import encode_web_address
from kebab.wire.value import Json
from kebab.wire.view import encode_page_boxes, encode_view

FEATURES = {"coverage": 0.8, "mismatch": False, "cosine": 0.71, "chunks": 900}
LEAF = Node("text", 3, 5, text="밥 ")
NODES = (
    Node("p", 0, 40, (LEAF, Node("text", 5, 10, text="&", loose=True), Node("html", 10, 13, text="<b>")), lines=(1, 2)),
    Node("a", 0, 4, (LEAF,), attributes={"href": "https://example.org/a"}),
    Node("a", 0, 4, (LEAF,), attributes={"doc": "notes/a.md", "anchor": "보관"}),
    Node("img", 0, 4, attributes={"alt": "a cup", "doc": None}),
    Node("ol", 0, 4, (Node("li", 0, 4, (LEAF,), lines=(3, 3), attributes={"checked": True}),), attributes={"first": 3}),
    Node("pre", 0, 4, (LEAF,), lines=(1, 3), attributes={"lang": "yaml", "meta": True}),
    Node("td", 0, 4, attributes={"align": "right"}),
    Node("footnote", 0, 4, attributes={"label": "1", "ref": True}),
)


def views(doc: DocSummary) -> list[Json]:
    window = Window(3, 17, ("# Rice", ""), more=True)
    empty = DocumentView(doc, ViewKind.TEXT, 0, Window(1, 0, (), more=False))
    symbol = SymbolRow("boil", "kettle.boil", "function", 1, 2, doc.doc_path, "python", None)
    found = [
        empty,
        DocumentView(doc, ViewKind.MARKDOWN, 4, window, nodes=NODES, nodes_lines=(3, 4)),
        DocumentView(doc, ViewKind.CODE, 4, window, symbols=(symbol,)),
        DocumentView(
            doc,
            ViewKind.PAGES,
            4,
            window,
            pages=(PageView(1, 0, 5, "word", 1, (595.3, 841.9)), PageView(2, 0, 0, "", 0)),
            page_count=2,
        ),
        DocumentView(doc, ViewKind.IMAGE, 4, window, regions=(RegionView(0, 4, 20, 9, 0, 4, "sign"),), size=(640, 480)),
        DocumentView(doc, ViewKind.AUDIO, 4, window, segments=(SegmentView(0, 1500, 0, 4, "well", "S1"),)),
    ]
    given = answer()
    facets = {"tag": (FacetValue("밥", 2), FacetValue("a", 1)), "repo": ()}
    return [
        *map(encode_view, found),
        encode_page_boxes(PageBoxes(3, ((0.1, 0.2, 0.5, 0.02),))),
        encode_facets(FacetReport("0.1.0", 3, 9, 12, facets), allow_ingest=True),
        encode_facets(FacetReport("0.1.0", 0, 0, 0, truncated=True), watching=True),
        encode_failures([OcrFailure("a/밥.pdf", "failed", "it is damaged", "save it anew", doc.updated_at)]),
        encode_failures([OcrFailure("b.png", "no_text", "nothing", None, doc.updated_at)]),
        encode_answer(replace(given, retrieval=given.retrieval._replace(features=FEATURES))),
        encode_live("revision", 12, watching=False),
        encode_live("watch", 12, watching=True, text="1 new (0.1 s)"),
        encode_watch(watching=True, hint=None, text="watching /notes/밥"),
        encode_watch(watching=False, hint="pip install 'kebab[watch]'"),
        encode_web_address("http://127.0.0.1:7787", "http://127.0.0.1:7787/enter?key=a-b_c"),
    ]
