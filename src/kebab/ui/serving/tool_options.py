"""The options of tools that are not filters or limits of a search: what to read, what to ask, and what to index."""

from kebab.ui.options import Kind, Option
from kebab.ui.serving.arguments import MAX_QUERIES


def _text(name: str, text: str, *, required: bool = False) -> Option:
    return Option(name, Kind.TEXT, text, name, required=required)


def _whole(name: str, text: str) -> Option:
    return Option(name, Kind.WHOLE, text, name, default=0, least=0, most=10**9)


def _flag(name: str, text: str) -> Option:
    return Option(name, Kind.FLAG, text, name, default=False)


def _texts(name: str, text: str) -> Option:
    return Option(name, Kind.TEXTS, text, name)


QUERIES = Option(
    "queries",
    Kind.QUERIES,
    f"Up to {MAX_QUERIES} searches. What one leaves out is taken from the other arguments of this call.",
    "queries",
    required=True,
)
FETCH = (
    Option(
        "kind",
        Kind.TEXT,
        "chunk: a hit's passage; doc: a whole document; span: lines of one; page: a page of one.",
        "kind",
        choices=("chunk", "doc", "span", "page"),
        required=True,
    ),
    _text("reference", "A chunk_id or doc_id, the beginning of one, a document path, or a citation.", required=True),
    _whole("context", "chunk: how many neighbours on each side."),
    _whole("start", "span: the first line, from 1."),
    _whole("end", "span: the last line, included."),
    _whole("page", "page: which one, from 1."),
    _whole("max_tokens", "Cut the text at a line end to fit so many tokens; 0: no limit."),
)
INGEST = (
    _text("path", "A folder or a file in a known one; without it, everything known is brought up to date."),
    _texts("include", "Only files that match; gitignore syntax."),
    _texts("exclude", "Leave out files that match."),
    _flag("force_reingest", "Process every file again."),
    _flag("checksum", "Read every file instead of trusting its size and time."),
    _flag("dry_run", "Say what would happen and change nothing."),
    _flag("keep_old", "Keep the vectors of an earlier embedding model for now."),
    _flag("summary_only", "Leave the list of files out of the report."),
)
INGEST_FILE = (_text("path", "The file.", required=True),)
INGEST_STDIN = (
    _text("text", "The text, as Markdown.", required=True),
    _text("title", "The document's title.", required=True),
    _text("source_uri", "Where the text came from."),
)
QUESTION = _text("question", "What is to be answered.", required=True)
NAME = Option("query", Kind.TEXT, "The name or a part of it.", "text", default="")
TRACE_ID = _text("trace_id", "retrieval.trace_id of the answer, or the beginning of it.", required=True)
