"""Many queries at once on the wire: each line in becomes a query, and each query an item with its response or error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kebab.core.asset import TrustLevel
from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.errors import InvalidInput, KebabError
from kebab.core.query import Filters, Query, SearchMode, SearchResult
from kebab.wire.error import encode_error
from kebab.wire.search import encode_response
from kebab.wire.value import Json, plain, plain_text

MAX_SNIPPET = 20_000
MAX_K = 1000


def decode_bulk_input(given: object, defaults: Query) -> Query:
    """One line of a bulk search. Raises InvalidInput with the name of the field that cannot be used."""
    if not isinstance(given, Mapping):
        raise InvalidInput("a line must be a JSON object", hint='{"query": "what you look for"}')
    reader = _Reader(given)
    return defaults._replace(
        text=reader.text("query", None),
        mode=reader.chosen("mode", SearchMode, defaults.mode),
        k=reader.whole("k", defaults.k, 1, MAX_K),
        filters=_filters(reader, defaults.filters),
        max_tokens=reader.whole("max_tokens", defaults.max_tokens, 1),
        snippet_chars=reader.whole("snippet_chars", defaults.snippet_chars, 20, MAX_SNIPPET),
        max_per_doc=reader.whole("max_per_doc", defaults.max_per_doc, 1),
        cursor=reader.text("cursor", ""),
        trace=reader.flag("trace", default=defaults.trace),
    )


def _filters(reader: "_Reader", defaults: Filters) -> Filters:
    return Filters(
        tags=reader.many("tag", defaults.tags),
        langs=reader.many("lang", defaults.langs),
        path_globs=reader.many("path_glob", defaults.path_globs),
        trust_min=reader.chosen("trust_min", TrustLevel, defaults.trust_min),
        media=reader.many("media", defaults.media),
        ingested_after=reader.chosen("ingested_after", _moment, defaults.ingested_after),
        doc_ids=reader.many("doc_id", defaults.doc_ids),
        sources=reader.many("source", defaults.sources),
        source_types=reader.many("source_type", defaults.source_types),
        repos=reader.many("repo", defaults.repos),
        # As they are stored, however they are written.
        code_langs=tuple(lang.lower() for lang in reader.many("code_lang", defaults.code_langs)),
        symbols=reader.many("symbol", defaults.symbols),
    )


def _moment(text: str) -> str:
    return rfc3339(parse_rfc3339(text))


class _Reader:
    """Fields of one line by type; null is the same as absent, and what is absent has the default."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given

    def text(self, name: str, default: str | None) -> str:
        value = self._given.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise InvalidInput(f"{name} must be a text", field=name)
        return plain_text(value)

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

    def many(self, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """A text, or a list of texts."""
        value = self._given.get(name)
        if value is None:
            return default
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise InvalidInput(f"{name} must be a text or a list of texts", field=name)
        return tuple(dict.fromkeys(plain_text(each) for each in values if each))

    def chosen(self, name: str, kind: Callable[[str], Any], default: Any) -> Any:  # noqa: ANN401 - the kind's own
        if self._given.get(name) is None:
            return default
        text = self.text(name, None)
        try:
            return kind(text)
        except (ValueError, OverflowError) as error:
            raise InvalidInput(f"{name}: {text!r} cannot be used", field=name) from error


def encode_bulk_item(given: object, outcome: SearchResult | KebabError, index_version: str) -> Json:
    """The line as it came, with what became of it."""
    return {
        "schema_version": "bulk_search_item.v1",
        "query": _echoed(given if isinstance(given, Mapping) else {"query": given}),
        "response": None if isinstance(outcome, KebabError) else encode_response(outcome, index_version),
        "error": encode_error(outcome) if isinstance(outcome, KebabError) else None,
    }


def _echoed(query: Mapping[str, Any]) -> Json:
    # Null says nothing. No field is an object or a list of lists; what is may be nested deeper than one can follow.
    echo: Json = {"schema_version": "bulk_search_input.v1"}
    echo |= {plain_text(name): plain(value) for name, value in query.items() if _is_kept(value)}
    # An item must name its query even when the line did not, or not as text.
    text = echo.get("query")
    return {**echo, "schema_version": "bulk_search_input.v1", "query": text if isinstance(text, str) else ""}


def _is_kept(value: object) -> bool:
    values = value if isinstance(value, list) else [value]
    return value is not None and not any(isinstance(each, list | dict) for each in values)


def encode_bulk_response(items: Sequence[Json]) -> Json:
    failed = sum(item["error"] is not None for item in items)
    return {
        "schema_version": "bulk_search_response.v1",
        "results": list(items),
        "summary": {"total": len(items), "succeeded": len(items) - failed, "failed": failed},
    }
