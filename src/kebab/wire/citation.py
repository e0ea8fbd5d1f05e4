"""A citation on the wire: flat, with the fields of its kind beside `path` and the followable `uri`."""

from typing import TYPE_CHECKING

from kebab.core.citation import Citation
from kebab.core.query import Freshness
from kebab.wire.value import Json, plain_text

if TYPE_CHECKING:
    from kebab.core.answer import AnswerCitation, Quote

# Which fields each kind carries, in the order in which they are sent.
FIELDS = {
    "line": ("start", "end", "section"),
    "page": ("page", "section"),
    "region": ("x", "y", "w", "h"),
    "caption": ("model",),
    "time": ("start_ms", "end_ms", "speaker"),
    "code": ("line_start", "line_end", "symbol", "lang"),
}


def encode_citation(citation: Citation, *, indexed_at: str, stale: bool, freshness: Freshness | None = None) -> Json:
    """`indexed_at`, `stale` and `freshness` are the cited document's, which a bare place does not know."""
    value: Json = {
        "schema_version": "citation.v1",
        "kind": citation.kind,
        "path": citation.path,
        "uri": citation.to_uri(),
    }
    for name in FIELDS[citation.kind]:
        if (field := getattr(citation, name)) is not None:
            value[name] = field
    value["indexed_at"] = indexed_at
    value["stale"] = stale
    if freshness is not None:
        value["freshness"] = str(freshness)
    return value


def encode_cited(cited: "AnswerCitation") -> Json:
    """The place of a citation, with the words that were quoted from it."""
    value = encode_citation(cited.citation, indexed_at=cited.indexed_at, stale=cited.stale, freshness=cited.freshness)
    return value if cited.quote is None else {**value, "quote": encode_quote(cited.quote)}


def encode_quote(quote: "Quote") -> Json:
    return {"text": plain_text(quote.text), "start": quote.start, "end": quote.end}
