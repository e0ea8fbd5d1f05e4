"""Hits as text: the dense scene for people, and the plain forms other programs read."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from kebab.core.query import Hit, SearchResult
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.session import colour_wanted, is_utf8
from kebab.ui.cli.terminal import Style, printable, terminal_width, wrap

_INDENT = "   "
_MAX_WIDTH = 100
_SNIPPET_LINES = 2


def dense(result: SearchResult) -> Iterator[str]:
    """Rank and score with the place, the section, and the snippet; then a line that says how it was found."""
    style = Style(on=colour_wanted())
    width = min(terminal_width(), _MAX_WIDTH)
    for hit in result.hits:
        yield from _entry(hit, style, width)
        yield ""
    if result.hits:
        count = len(result.hits)
        degraded = "  (no embedding model: words only)" if result.degraded else ""
        yield style.dim(f"{count} hit{'s' if count != 1 else ''}  {result.mode}  index {INDEX_VERSION}  bm25{degraded}")


def _entry(hit: Hit, style: Style, width: int) -> Iterator[str]:
    place = style.link(style.bold(printable(hit.citation.to_uri())), _file_uri(hit))
    note = "" if hit.freshness == "fresh" else style.warn(f"  ({hit.freshness} since indexed)")
    yield f"{hit.rank}. {hit.score:.2f}  {place}{note}"
    yield f"{_INDENT}{style.section(printable(hit.section_label or hit.title))}"
    lines = list(wrap(printable(hit.snippet), hit.highlights, width - len(_INDENT) - 1))
    for number, (line, marks) in enumerate(lines[:_SNIPPET_LINES], start=1):
        cut = "…" if number == _SNIPPET_LINES < len(lines) and not line.endswith("…") else ""
        yield f"{_INDENT}{style.highlight(line, marks)}{cut}"


def _file_uri(hit: Hit) -> str:
    fragment = hit.citation.to_uri().rpartition("#")[2]
    return f"{Path(hit.file).as_uri()}#{fragment}"


def json_lines(result: SearchResult) -> Iterator[str]:
    from kebab.wire.search import encode_hit

    for hit in result.hits:
        yield json.dumps(encode_hit(hit, INDEX_VERSION), ensure_ascii=not is_utf8())


def paths(result: SearchResult) -> Iterator[str]:
    """Each document once, best first."""
    yield from dict.fromkeys(hit.doc_path for hit in result.hits)


def comma_separated(result: SearchResult) -> Iterator[str]:
    import csv

    rows: list[tuple[object, ...]] = [("rank", "score", "uri", "section", "snippet", "chunk_id", "freshness")]
    for hit in result.hits:
        section = hit.section_label or ""
        uri = hit.citation.to_uri()
        words = _cell(section), _cell(hit.snippet)
        rows.append((hit.rank, f"{hit.score:.4f}", uri, *words, hit.chunk_id, str(hit.freshness)))
    for row in rows:
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(row)
        yield out.getvalue()


def _cell(text: str) -> str:
    """A spreadsheet runs a cell that starts like a formula; a quote in front keeps it text."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def markdown(result: SearchResult) -> Iterator[str]:
    for hit in result.hits:
        uri = hit.citation.to_uri()
        label = uri.replace("[", "\\[").replace("]", "\\]")
        yield f"{hit.rank}. [{label}](<{uri}>) {hit.section_label or hit.title}"
        yield f"   > {hit.snippet}"


RENDERERS: dict[str, Callable[[SearchResult], Iterator[str]]] = {
    "text": dense,
    "jsonl": json_lines,
    "csv": comma_separated,
    "md": markdown,
    "paths": paths,
}
