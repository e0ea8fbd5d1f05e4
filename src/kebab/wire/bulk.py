"""Many queries at once on the wire: each line in becomes a query, and each query an item with its response or error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kebab.core.asset import TrustLevel
from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.errors import InvalidInput, KebabError
from kebab.core.query import Filters, Query, SearchMode, SearchResult
from kebab.wire.error import encode_error
from kebab.wire.search import encode_response
from kebab.wire.value import Json, plain

MAX_SNIPPET = 20_000


def decode_bulk_input(given: object, defaults: Query) -> Query:
    """One line of a bulk search. Raises InvalidInput with the name of the field that cannot be used."""
    if not isinstance(given, Mapping):
        raise InvalidInput("a line must be a JSON object", hint='{"query": "what you look for"}')
    reader = _Reader(given)
    return defaults._replace(
        text=reader.text("query", None),
        mode=reader.chosen("mode", SearchMode, defaults.mode),
        k=reader.whole("k", defaults.k, 1),
        filters=_filters(reader),
        max_tokens=reader.whole("max_tokens", defaults.max_tokens, 1),
        snippet_chars=reader.whole("snippet_chars", defaults.snippet_chars, 20, MAX_SNIPPET),
        max_per_doc=reader.whole("max_per_doc", defaults.max_per_doc, 1),
        cursor=reader.text("cursor", ""),
        trace=reader.flag("trace", default=defaults.trace),
    )


def _filters(reader: "_Reader") -> Filters:
    for name in ("repo", "code_lang"):
        if reader.many(name):
            raise InvalidInput(f"{name}: there is no source code in the index", hint=f"leave {name} out")
    after = reader.text("ingested_after", "")
    try:
        moment = rfc3339(parse_rfc3339(after)) if after else None
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"ingested_after: {after!r} is not a date or time") from error
    return Filters(
        tags=reader.many("tag"),
        langs=reader.many("lang"),
        path_globs=reader.many("path_glob"),
        trust_min=reader.chosen("trust_min", TrustLevel, None),
        media=reader.many("media"),
        ingested_after=moment,
        doc_ids=reader.many("doc_id"),
        sources=reader.many("source"),
        source_types=reader.many("source_type"),
    )


class _Reader:
    """Fields of one line by type; null is the same as absent."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def text(self, name: str, default: str | None) -> str:
        value = self._given.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise InvalidInput(f"{name} must be a text", field=name)
        return value

    def whole(self, name: str, default: int, least: int, most: int = 10**9) -> int:
        value = self._given.get(name)
        if value is None:
            return default
        if type(value) is not int or not least <= value <= most:
            raise InvalidInput(f"{name} must be a whole number from {least} to {most}", field=name)
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        value = self._given.get(name)
        if value is not None and not isinstance(value, bool):
            raise InvalidInput(f"{name} must be true or false", field=name)
        return default if value is None else value

    def many(self, name: str) -> tuple[str, ...]:
        """A text, or a list of texts."""
        value = self._given.get(name)
        values = [value] if isinstance(value, str) else value or []
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise InvalidInput(f"{name} must be a text or a list of texts", field=name)
        return tuple(dict.fromkeys(each for each in values if each))

    def chosen(self, name: str, kind: Callable[[str], Any], default: Any) -> Any:  # noqa: ANN401 - the kind's own
        value = self._given.get(name)
        if value is None:
            return default
        try:
            return kind(value)
        except ValueError as error:
            raise InvalidInput(f"{name}: {value!r} is not known", field=name) from error


def encode_bulk_item(given: object, outcome: SearchResult | KebabError, index_version: str) -> Json:
    """The line as it came, with what became of it."""
    query = given if isinstance(given, Mapping) else {"query": "" if given is None else str(given)}
    echo = {"schema_version": "bulk_search_input.v1", **_echoed(query)}
    return {
        "schema_version": "bulk_search_item.v1",
        "query": echo,
        "response": None if isinstance(outcome, KebabError) else encode_response(outcome, index_version),
        "error": encode_error(outcome) if isinstance(outcome, KebabError) else None,
    }


def _echoed(query: Mapping[str, Any]) -> Json:
    text = query.get("query")
    kept = {str(name): plain(value) for name, value in query.items() if name != "schema_version"}
    # An item must name its query even when the line did not, or not as text.
    return {**kept, "query": text if isinstance(text, str) else ""}


def encode_bulk_response(items: Sequence[Json]) -> Json:
    failed = sum(item["error"] is not None for item in items)
    return {
        "schema_version": "bulk_search_response.v1",
        "results": list(items),
        "summary": {"total": len(items), "succeeded": len(items) - failed, "failed": failed},
    }
