"""Hits as text: the dense scene for people, and the plain forms other programs read."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from kebab.core.query import Hit, SearchResult, Trace
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.session import colour_wanted, is_utf8
from kebab.ui.terminal import Style, fitted_to_screen, printable, terminal_width, wrap

_INDENT = "   "
_MAX_WIDTH = 100
_SNIPPET_LINES = 2


def dense(result: SearchResult, *, explain: bool = False) -> Iterator[str]:
    """Rank and score with the place, the section, and the snippet; then a line that says how it was found."""
    style = Style(on=colour_wanted())
    width = min(terminal_width(), _MAX_WIDTH)
    for hit in result.hits:
        yield from _entry(hit, style, width)
        if explain:
            yield from _explained(hit, result, style)
        yield ""
    if result.hits:
        count = len(result.hits)
        cut = "  (cut to fit --max-tokens)" if result.truncated else ""
        line = f"{count} hit{'s' if count != 1 else ''}  {result.mode}  index {INDEX_VERSION}  {_channels(result)}"
        yield style.dim(line + cut)
    if result.next_cursor and explain:
        yield style.dim(f"next page  --cursor {result.next_cursor}")


def _channels(result: SearchResult) -> str:
    """What ranked the hits: `bm25`, a model, or both and how they were joined."""
    if result.embedding_model is None:
        reason = "no embedding model" if "no embedding model" in (result.degraded or "") else "no vectors"
        return f"bm25  ({reason}: words only)" if result.degraded else "bm25"
    if result.score_kind == "cosine":
        return result.embedding_model
    return f"bm25+{result.embedding_model}/{result.score_kind}"


def _explained(hit: Hit, result: SearchResult, style: Style) -> Iterator[str]:
    """How both channels saw a hit."""
    detail = hit.retrieval
    rows = [("lexical (bm25)", detail.lexical_rank, detail.lexical_score)]
    if result.embedding_model is not None:
        rows.append((f"vector ({result.embedding_model})", detail.vector_rank, detail.vector_score))
    rows.append((f"{hit.score_kind} fusion", hit.rank, hit.score))
    width = max(len(name) for name, _, _ in rows)
    for number, (name, rank, score) in enumerate(rows, start=1):
        branch = "└" if number == len(rows) else "├"
        place = f"rank {rank:<3}" if rank else "rank -  "
        value = "-" if score is None else f"{score:.2f}"
        yield style.dim(f"{_INDENT}{branch} {name:<{width}}   {place}  score {value}")
    yield style.dim(f"{_INDENT}chunker {hit.chunker_version}   chunk_id {hit.chunk_id[:12]}…")


def traced(trace: Trace) -> Iterator[str]:
    """Every candidate in the order of fusion, with what each channel said, and the times."""
    yield ""
    yield f"{'fused':>9} {'bm25':>14} {'cosine':>14} {'rrf':>7}  chunk"
    for number, each in enumerate(trace.fused, start=1):
        detail = each.detail
        lexical, vector = (
            _cell_of(rank, score)
            for rank, score in (
                (detail.lexical_rank, detail.lexical_score),
                (detail.vector_rank, detail.vector_score),
            )
        )
        place = f"{each.chunk_id[:12]}  {printable(each.doc_path)}"
        rrf = detail.rrf_score(trace.rrf_k)
        scores = f"{number:>3} {detail.fusion_score:>5.2f} {lexical:>14} {vector:>14} {rrf:>7.3f}  "
        yield fitted_to_screen(scores, place)
    timing = zip(("lexical", "vector", "fusion", "all"), trace.timing, strict=True)
    yield "  ".join(f"{name} {spent} ms" for name, spent in timing)


def _cell_of(rank: int | None, score: float | None) -> str:
    return "-" if score is None else f"{score:.2f} (#{rank or '-'})"


def _entry(hit: Hit, style: Style, width: int) -> Iterator[str]:
    place = style.bold(printable(hit.citation.to_uri()))
    if hit.file:
        place = style.link(place, _file_uri(hit))
    note = "" if hit.freshness == "fresh" else style.warn(f"  ({hit.freshness} since indexed)")
    yield f"{hit.rank}. {hit.score:.2f}  {place}{note}"
    section = fitted_to_screen(_INDENT, printable(hit.section_label or hit.title)).removeprefix(_INDENT)
    yield f"{_INDENT}{style.section(section)}"
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
        yield json.dumps(encode_hit(hit, INDEX_VERSION, result.embedding_model), ensure_ascii=not is_utf8())


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
