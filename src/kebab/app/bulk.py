"""`kebab search --bulk`: many queries over one open index. One that fails is told apart and stops no other."""

import json
from collections.abc import Callable, Iterable, Iterator

from kebab.core.errors import InvalidInput, KebabError
from kebab.core.query import Query, SearchResult
from kebab.core.versions import INDEX_VERSION
from kebab.wire.bulk import decode_bulk_input, encode_bulk_item
from kebab.wire.value import Json

MAX_QUERIES = 100
# A line that holds a query and its filters; anything longer is no query.
MAX_LINE = 64 * 1024


def answer(lines: Iterable[bytes], defaults: Query, search: Callable[[Query], SearchResult]) -> Iterator[Json]:
    """One item per line. Raises InvalidInput before the first one when there are too many, or none."""
    given = [line.strip() for line in lines if line.strip()]
    if not given:
        raise InvalidInput("no queries came in", hint='one JSON object per line, such as {"query": "backup"}')
    if len(given) > MAX_QUERIES:
        raise InvalidInput(f"{len(given)} queries; at most {MAX_QUERIES} at once", hint="send the rest in another call")
    return (_item(line, defaults, search) for line in given)


def _item(line: bytes, defaults: Query, search: Callable[[Query], SearchResult]) -> Json:
    value: object = None
    try:
        value = _parsed(line)
        return encode_bulk_item(value, search(decode_bulk_input(value, defaults)), INDEX_VERSION)
    except KebabError as error:
        return encode_bulk_item(value, error, INDEX_VERSION)


def _parsed(line: bytes) -> object:
    if len(line) > MAX_LINE:
        raise InvalidInput(f"a line is longer than {MAX_LINE} bytes")
    try:
        parsed: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("a line is not JSON", hint='{"query": "what you look for"}') from error
    return parsed
