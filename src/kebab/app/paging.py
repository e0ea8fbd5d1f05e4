"""Pages of one result: a cursor says where the next one starts and which result it belongs to."""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Sequence

from kebab.core.errors import InvalidInput, StaleCursor
from kebab.core.ids import short_hash
from kebab.core.query import Filters, Query
from kebab.search.retrieve import Ranked, depth_of

_VERSION = 1
# SQLite counts no further.
_BEYOND = 1 << 63


def binding(query: Query, revision: int) -> str:
    """Everything that decides the order: another value of any of it, and an old place means nothing."""
    return short_hash(
        {
            "text": query.text,
            "mode": str(query.mode),
            "filters": _told(query.filters),
            "depth": depth_of(query),
            "max_per_doc": query.max_per_doc,
            "revision": revision,
        }
    )


def list_binding(filters: Filters, sort: str, revision: int) -> str:
    """The same for a list of documents."""
    return short_hash({"filters": _told(filters), "sort": sort, "revision": revision})


def _told(filters: Filters) -> str:
    values = [list(value) if isinstance(value, tuple) else str(value or "") for value in filters]
    return json.dumps(values, ensure_ascii=False)


def offset_of(query: Query, bound: str) -> int:
    return offset_at(query.cursor, bound)


def offset_at(cursor: str, bound: str) -> int:
    """Where the page starts. Raises StaleCursor for the cursor of another result, InvalidInput for none at all."""
    if not cursor:
        return 0
    try:
        version, offset, found = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        # A boolean is an integer to Python, but no place.
        if version != _VERSION or type(offset) is not int or not isinstance(found, str) or not 0 <= offset < _BEYOND:
            raise ValueError(cursor)
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise InvalidInput("the cursor is not one of kebab's", hint="pass `next_cursor` as it was sent") from error
    if found != bound:
        raise StaleCursor(
            "the cursor belongs to another query or to an older state of the index",
            hint="run the query again without --cursor",
        )
    return offset


def cursor_at(offset: int, bound: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([_VERSION, offset, bound]).encode()).decode()


def capped(ranked: Sequence[Ranked], documents: dict[int, int], most: int) -> list[Ranked]:
    """At most so many of one document, best first; `documents` gives each chunk's."""
    seen: Counter[int] = Counter()
    kept: list[Ranked] = []
    for each in ranked:
        document = documents.get(each.chunk_key, -1)
        seen[document] += 1
        if seen[document] <= most:
            kept.append(each)
    return kept
