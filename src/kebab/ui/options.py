"""The options of searches, questions and lists, once: command line options, tool schemas and requests are made from it.

A row has one name everywhere: `path_glob` is `--path-glob` on the command line and `path_glob` in JSON. What may be
repeated is a list in JSON; a single text is taken for a list of one.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, SearchMode

MAX_K = 1000
MAX_SYMBOLS = 1000
SNIPPET_CHARS = (20, 20_000)
SORTS = ("path", "title", "updated", "created", "size", "chunks")
_LARGEST = 10**9


class Kind(StrEnum):
    """What a value is. TEXTS may be repeated; QUERIES are searches of their own, and stand in JSON only."""

    TEXT = "text"
    TEXTS = "texts"
    WHOLE = "whole"
    NUMBER = "number"
    FLAG = "flag"
    QUERIES = "queries"


class Option(NamedTuple):
    """`field` is the field of Filters, Query or Question it sets; `default` holds where nothing is given."""

    name: str
    kind: Kind
    help: str
    field: str
    default: str | int | float | bool | None = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    metavar: str | None = None
    required: bool = False
    # On the command line a comma parts the values too.
    commas: bool = True


_TEXTS = Kind.TEXTS
FILTERS: tuple[Option, ...] = (
    Option("tag", _TEXTS, "Documents with any of these tags.", "tags"),
    Option("lang", _TEXTS, "Documents in any of these languages, such as ko or en.", "langs"),
    Option("path_glob", _TEXTS, "Documents whose path matches; * also matches /.", "path_globs", metavar="GLOB"),
    Option("trust_min", Kind.TEXT, "At least this trust level.", "trust_min", choices=tuple(map(str, TrustLevel))),
    Option("media", _TEXTS, "Documents of any of these media types, such as markdown or code.", "media"),
    Option(
        "ingested_after",
        Kind.TEXT,
        "Documents processed after this date or RFC 3339 time.",
        "ingested_after",
        metavar="TIME",
    ),
    Option("doc_id", _TEXTS, "Only these documents.", "doc_ids"),
    Option("source", _TEXTS, "Documents of any of these sources.", "sources"),
    Option(
        "source_type", _TEXTS, f"Documents of any of these types: {', '.join(map(str, SourceType))}.", "source_types"
    ),
    Option("repo", _TEXTS, "Files of any of these git repositories.", "repos"),
    Option("code_lang", _TEXTS, "Source code in any of these languages, such as python or rust.", "code_langs"),
    Option(
        "symbol", _TEXTS, "Definitions of this name; * stands for any letters.", "symbols", metavar="NAME", commas=False
    ),
)
LIMITS: tuple[Option, ...] = (
    Option(
        "snippet_chars",
        Kind.WHOLE,
        "Length of a snippet (search.snippet_chars).",
        "snippet_chars",
        least=SNIPPET_CHARS[0],
        most=SNIPPET_CHARS[1],
    ),
    Option(
        "max_per_doc",
        Kind.WHOLE,
        "How many hits of one document at the most; 0: no limit.",
        "max_per_doc",
        default=0,
        least=0,
        most=_LARGEST,
    ),
    Option(
        "max_tokens",
        Kind.WHOLE,
        "Fit the JSON into so many tokens: shorter snippets, fewer hits, but one. 0: no limit.",
        "max_tokens",
        default=0,
        least=0,
        most=_LARGEST,
    ),
    Option(
        "cursor",
        Kind.TEXT,
        "The next page: `next_cursor` of the one before.",
        "cursor",
        default="",
        metavar="CURSOR",
    ),
)
_MODES = tuple(map(str, SearchMode))
SEARCH: tuple[Option, ...] = (
    Option("k", Kind.WHOLE, "How many hits at the most (search.default_k).", "k", least=1, most=MAX_K),
    Option("mode", Kind.TEXT, "By words, by meaning, or both.", "mode", default="hybrid", choices=_MODES),
    *LIMITS,
    Option(
        "trace",
        Kind.FLAG,
        "Add every candidate of each channel, and the time each took.",
        "trace",
        default=False,
    ),
)
ASK: tuple[Option, ...] = (
    Option("k", Kind.WHOLE, "How many passages to look for at the most (search.default_k).", "k", least=1, most=MAX_K),
    Option(
        "mode",
        Kind.TEXT,
        "Look for passages by words, by meaning, or both.",
        "mode",
        default="hybrid",
        choices=_MODES,
    ),
    Option(
        "temperature",
        Kind.NUMBER,
        "How freely the model may choose words (models.llm.temperature).",
        "temperature",
        least=0,
        most=2,
    ),
    Option("seed", Kind.WHOLE, "The same seed, the same choice (models.llm.seed).", "seed"),
    Option("multi_hop", Kind.FLAG, "Take the question apart and search for each part.", "multi_hop", default=False),
    Option("session", Kind.TEXT, "Go on with this conversation, or begin it.", "session_id", metavar="ID"),
)
LIST_DOCS: tuple[Option, ...] = (
    Option("sort", Kind.TEXT, "In which order.", "sort", default="path", choices=SORTS),
    # A program gets a page unless it asks for more; a person at a terminal gets all.
    Option("limit", Kind.WHOLE, "How many at the most; 0: no limit.", "limit", default=100, least=0, most=_LARGEST),
    next(row for row in LIMITS if row.name == "cursor"),
)
SYMBOLS: tuple[Option, ...] = (
    Option("limit", Kind.WHOLE, "How many at the most.", "limit", default=20, least=1, most=MAX_SYMBOLS),
)


def filters_of(values: Mapping[str, object], *, label: str = "") -> Filters:
    """The filters among `values`, which are of the kinds the table says. `label` stands before a name in an error."""
    given = {row.field: values[row.name] for row in FILTERS if values.get(row.name)}
    if (trust := given.get("trust_min")) is not None:
        given["trust_min"] = TrustLevel(str(trust))
    if (after := given.get("ingested_after")) is not None:
        given["ingested_after"] = _moment(str(after), f"{label}ingested{'-' if label else '_'}after")
    if (langs := given.get("code_langs")) is not None:
        given["code_langs"] = tuple(lang.lower() for lang in _texts(langs))
    return Filters(**given)  # type: ignore[arg-type] # the rows name fields of Filters, and a test holds them to it


def _texts(values: object) -> Iterable[str]:
    assert isinstance(values, tuple)
    return values


def _moment(text: str, name: str) -> str:
    try:
        return rfc3339(parse_rfc3339(text))
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{name}: {text!r} is not a date or time", hint="use 2026-03-01 or 2026-03-01T09:00:00Z"
        ) from error
