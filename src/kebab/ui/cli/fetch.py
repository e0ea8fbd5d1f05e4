"""`kebab fetch chunk|doc|span|page`."""

import sys
from shlex import quote
from typing import TYPE_CHECKING

import click

from kebab.core.fetching import FetchKind, FetchRequest
from kebab.ui.cli.session import Command, Session, current, example, say, shared_options

if TYPE_CHECKING:
    from kebab.core.fetching import FetchResult

_FRESHNESS = {
    "changed": "the file has changed since",
    "missing": "the file is gone",
    "unknown": "the file cannot be compared",
}


def budget_option(command: Command) -> Command:
    return click.option(
        "--max-tokens", type=int, default=0, help="Fit the text into so many tokens, cut at a line's end. 0: no limit."
    )(command)


@click.group(
    "fetch",
    short_help="Print a chunk, a document, lines or a page as it was indexed.",
    epilog=example("kebab fetch span notes/a.md#L5-L9", "kebab fetch chunk 9b4a8c1e7d3f --context 1"),
)
@shared_options
def fetch_group() -> None:
    """Print a chunk, a document, lines or a page as it was indexed.

    The text goes to stdout, word for word; where it stands and whether its file has changed since goes to stderr.
    Documents are named by path, by id, by the beginning of an id (6 digits or more), or by a citation.
    """


@fetch_group.command(
    "chunk", epilog=example("kebab fetch chunk 9b4a8c1e7d3f", "kebab fetch chunk 9b4a8c1e --context 2")
)
@click.argument("reference", metavar="ID|URI")
@click.option("--context", type=int, default=0, help="So many chunks before it and after it, in document order.")
@click.option(
    "--max-tokens", type=int, default=0, help="Leave out the neighbours that go beyond so many tokens. 0: no limit."
)
@shared_options
def fetch_chunk(reference: str, context: int, max_tokens: int) -> int:
    """Print a chunk by id, the beginning of its id, or its citation; with --context its neighbours too."""
    return _fetch(FetchRequest(FetchKind.CHUNK, reference, context=context, max_tokens=max_tokens))


@fetch_group.command("doc", epilog=example("kebab fetch doc cooking/rice.md", "kebab fetch doc 3f9a2c10ee4d --json"))
@click.argument("reference", metavar="DOC")
@budget_option
@shared_options
def fetch_doc(reference: str, max_tokens: int) -> int:
    """Print the text of a document."""
    return _fetch(FetchRequest(FetchKind.DOC, reference, max_tokens=max_tokens))


@fetch_group.command("span", epilog=example("kebab fetch span notes/a.md 5 9", "kebab fetch span notes/a.md#L5-L9"))
@click.argument("reference", metavar="DOC|URI")
@click.argument("start", type=int, required=False)
@click.argument("end", type=int, required=False)
@budget_option
@shared_options
def fetch_span(reference: str, start: int | None, end: int | None, max_tokens: int) -> int:
    """Print lines of a document, from START to END, both included: the lines that citations name.

    An END after the last line means the last line; without END it is one line. A citation says its lines itself.
    """
    first = start or 0
    last = first if end is None else end
    return _fetch(FetchRequest(FetchKind.SPAN, reference, start=first, end=last, max_tokens=max_tokens))


@fetch_group.command("page", epilog=example("kebab fetch page papers/book.pdf 13", "kebab fetch page book.pdf#p=13"))
@click.argument("reference", metavar="DOC|URI")
@click.argument("number", type=int, required=False, default=0)
@budget_option
@shared_options
def fetch_page(reference: str, number: int, max_tokens: int) -> int:
    """Print the text of a page of a PDF, or of a slide. A citation says its page itself."""
    return _fetch(FetchRequest(FetchKind.PAGE, reference, page=number, max_tokens=max_tokens))


def _fetch(request: FetchRequest) -> int:
    session = current()
    with session.app() as app:
        result = app.fetch(request)
    if session.json:
        from kebab.wire.fetch import encode_fetch

        session.emit(encode_fetch(result))
        return 0
    _talk_about(session, result)
    for text in _texts(result):
        _write(text)
    return 0


def _write(text: str) -> None:
    """In one piece to a program, and there as it is: click would take escapes out of it unless told to colour."""
    if not sys.stdout.isatty():
        click.echo(text, color=True)
        return
    for line in text.split("\n"):
        say(line)


def _texts(result: "FetchResult") -> list[str]:
    """What is printed, each followed by a line's end; a blank line parts a chunk from its neighbours."""
    if result.chunk is not None:
        texts = [chunk.text for chunk in (*result.context_before, result.chunk, *result.context_after)]
        return ["\n\n".join(texts)]
    text = result.text or ""
    if result.kind is not FetchKind.DOC or result.truncated:
        return [text] if text or result.kind is FetchKind.SPAN else []
    return [text.removesuffix("\n")] if text else []


def _talk_about(session: Session, result: "FetchResult") -> None:
    place = result.doc_path if result.citation is None else result.citation.to_uri()
    notes = [_FRESHNESS[result.freshness]] if result.freshness in _FRESHNESS else []
    if result.stale:
        notes.append(f"indexed long ago, {result.indexed_at}")
    if not result.text and result.chunk is None and result.kind is not FetchKind.SPAN:
        notes.append("there is no text")
    session.talk("; ".join([place, *notes]))
    if result.truncated:
        session.talk(_cut(result))


def _cut(result: "FetchResult") -> str:
    if result.chunk is not None:
        return "neighbours beyond --max-tokens are left out"
    if result.line_end is None or result.effective_end is None or result.effective_end >= result.line_end:
        return "cut at --max-tokens"
    after = f"cut at --max-tokens after line {result.effective_end}"
    return f"{after}; `kebab fetch span {quote(result.doc_path)} {result.effective_end + 1} {result.line_end}` goes on"
