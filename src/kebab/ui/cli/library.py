"""`kebab list docs` and `kebab inspect doc|chunk`, with the commands of `recognition` beside them."""

from collections.abc import Sequence
from typing import Any

import click

from kebab.core.inspection import DocSummary, DocView
from kebab.ui.cli.pager import paged
from kebab.ui.cli.recognition import ocr_failures, ocr_stats
from kebab.ui.cli.search import filter_options, filters_from, table_options
from kebab.ui.cli.session import current, example, say, shared_options
from kebab.ui.options import LIST_DOCS
from kebab.ui.terminal import display_width, fitted_to_screen, pad, printable


@click.group("list", short_help="List what is indexed.", epilog=example("kebab list docs --tag recipes"))
@shared_options
def list_group() -> None:
    """List what is indexed."""


@list_group.command(
    "docs", epilog=example("kebab list docs", "kebab list docs --lang ko --sort updated", "kebab list docs --json")
)
@filter_options
@table_options(row._replace(default=0) if row.name == "limit" else row for row in LIST_DOCS)
@shared_options
def list_docs(*, sort: str, limit: int, cursor: str, **options: Any) -> int:  # noqa: ANN401 - the filters
    """List the indexed documents."""
    session = current()
    filters = filters_from(options)
    with session.app() as app:
        page = app.page_of_docs(filters, sort, limit, cursor)
    if session.json:
        from kebab.wire.documents import encode_doc_list

        session.emit(encode_doc_list(page))
    else:
        for line in _table(page.docs):
            click.echo(line)
        if page.next_cursor is not None:
            session.talk(f"{len(page.docs)} of {page.total}; for more: --cursor {page.next_cursor}")
        if not page.docs:
            session.talk(
                "no documents with these filters" if filters else "no documents; `kebab ingest FOLDER` indexes some"
            )
    return 0 if page.docs else 1


def _table(docs: Sequence[DocSummary]) -> list[str]:
    width = min(max((display_width(doc.doc_path) for doc in docs), default=0), 60)
    lines = []
    for doc in docs:
        path = printable(doc.doc_path)
        note = "" if doc.freshness == "fresh" else f"({doc.freshness}) "
        line = f"{doc.doc_id[:12]}  {pad(path, width)}  {doc.lang:<3} {doc.chunk_count:>4}  "
        lines.append(fitted_to_screen(line, f"{note}{printable(doc.title)}"))
    return lines


@click.group(
    "inspect",
    short_help="Show a document or a chunk in full, or what OCR read.",
    epilog=example("kebab inspect doc notes/a.md", "kebab inspect ocr-failures"),
)
@shared_options
def inspect_group() -> None:
    """Show a document or a chunk in full, or what was read in images and scanned pages."""


inspect_group.add_command(ocr_stats)
inspect_group.add_command(ocr_failures)


@inspect_group.command(
    "doc", epilog=example("kebab inspect doc cooking/rice.md", "kebab inspect doc 3f9a2c10ee4d --json")
)
@click.argument("reference", metavar="ID|PATH")
@shared_options
def inspect_doc(reference: str) -> int:
    """Show a document by id, the beginning of its id, or path: metadata, blocks and chunks."""
    session = current()
    with session.app() as app:
        view = app.inspect_doc(reference)
    if session.json:
        from kebab.wire.documents import encode_doc_inspection

        session.emit(encode_doc_inspection(view))
    else:
        with paged():
            for line in _describe(view):
                click.echo(line)
    return 0


def _describe(view: DocView) -> list[str]:
    doc, meta = view.summary, view.metadata
    facts = {
        "title": doc.title,
        "path": doc.doc_path,
        "doc_id": doc.doc_id,
        "language": doc.lang,
        "tags": ", ".join(meta.tags) or "-",
        "trust": f"{doc.trust_level} ({doc.source_type})",
        "size": f"{doc.byte_len} bytes",
        "created": meta.created_at,
        "indexed": f"{doc.updated_at} ({doc.freshness})",
        "versions": f"{doc.parser_version}, {doc.chunker_version}",
    }
    lines = [f"{name:<10}{printable(value)}" for name, value in facts.items()]
    lines += [f"{'warning':<10}{printable(warning)}" for warning in view.warnings]
    lines += ["", f"{len(view.blocks)} blocks"]
    for block in view.blocks:
        lines.append(
            fitted_to_screen(
                f"  L{block.span.start}-L{block.span.end}  {block.kind:<9} ", printable(" > ".join(block.heading_path))
            )
        )
    lines += ["", f"{len(view.chunks)} chunks"]
    for chunk in view.chunks:
        span = f"L{chunk.spans[0].start}-L{chunk.spans[-1].end}"
        label = printable(chunk.section_label or "")
        lines.append(f"  {chunk.chunk_id[:12]}  {span:<12} {chunk.token_estimate:>5} tokens  {label}")
    return lines


@inspect_group.command("chunk", epilog=example("kebab inspect chunk 9b4a8c1e7d3f"))
@click.argument("reference", metavar="ID")
@shared_options
def inspect_chunk(reference: str) -> int:
    """Show a chunk by id or the beginning of its id."""
    session = current()
    with session.app() as app:
        view = app.inspect_chunk(reference)
    if session.json:
        from kebab.wire.documents import encode_chunk

        session.emit(encode_chunk(view))
        return 0
    chunk = view.chunk
    place = f"{view.doc_path}#L{chunk.spans[0].start}-L{chunk.spans[-1].end}"
    with paged():
        say(f"[{place} {chunk.section_label}]" if chunk.section_label else f"[{place}]")
        for line in chunk.text.split("\n"):
            say(line)
    return 0
