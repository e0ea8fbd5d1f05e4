"""A document as it is looked at, on the wire: lines, nodes of Markdown, pages, regions and stretches of speech."""

from kebab.core.inspection import SymbolRow
from kebab.core.viewing import DocumentView, Node, PageBoxes, PageView, RegionView, SegmentView, Window
from kebab.wire.documents import encode_doc_summary
from kebab.wire.value import Json, optional, plain_text, plain_texts


def encode_view(view: DocumentView) -> Json:
    return {
        "schema_version": "doc_view.v1",
        "doc": encode_doc_summary(view.doc),
        "kind": str(view.kind),
        "freshness": str(view.doc.freshness),
        "line_count": view.line_count,
        "lines": _encode_window(view.window),
        "nodes": None if view.nodes is None else [_encode_node(node) for node in view.nodes],
        **({} if view.nodes_lines is None else {"nodes_window": list(view.nodes_lines)}),
        "symbols": [_encode_symbol(symbol) for symbol in view.symbols],
        "pages": None if view.pages is None else [_encode_page(page) for page in view.pages],
        **optional(page_count=view.page_count),
        "regions": None if view.regions is None else [_encode_region(region) for region in view.regions],
        "segments": None if view.segments is None else [_encode_segment(segment) for segment in view.segments],
        **({} if view.size is None else {"width": view.size[0], "height": view.size[1]}),
    }


def _encode_window(window: Window) -> Json:
    return {
        "first": window.first,
        "start": window.start,
        "items": plain_texts(window.items),
        "more": window.more,
        "cut": window.cut,
    }


def _encode_node(node: Node) -> Json:
    """Short names: a page of text has thousands of nodes."""
    value: Json = {"t": node.tag, "s": node.start, "e": node.end}
    if node.text is not None:
        value["v"] = plain_text(node.text)
        if node.loose:
            value["loose"] = True
    elif node.children:
        value["c"] = [_encode_node(child) for child in node.children]
    if node.lines is not None:
        value["l"] = list(node.lines)
    if node.attributes:
        for name, given in node.attributes.items():
            value[name] = plain_text(given) if isinstance(given, str) else given
    return value


def _encode_symbol(symbol: SymbolRow) -> Json:
    return {
        "name": symbol.name,
        "symbol": symbol.qualified,
        "kind": symbol.kind,
        "start_line": symbol.line,
        "end_line": symbol.line_end,
    }


def _encode_page(page: PageView) -> Json:
    return {
        "page": page.page,
        "start": page.start,
        "end": page.end,
        "text": plain_text(page.text),
        **optional(lines_first=page.line or None),
        **({} if page.size is None else {"width": page.size[0], "height": page.size[1]}),
    }


def _encode_region(region: RegionView) -> Json:
    return {**region._asdict(), "text": plain_text(region.text)}


def _encode_segment(segment: SegmentView) -> Json:
    told = {name: value for name, value in segment._asdict().items() if name not in ("text", "speaker")}
    return {**told, "text": plain_text(segment.text), **optional(speaker=segment.speaker)}


def encode_page_boxes(found: PageBoxes) -> Json:
    return {"schema_version": "page_boxes.v1", "page": found.page, "boxes": [list(box) for box in found.boxes]}
