"""Filters as SQL over documents, so that they narrow a channel before it ranks."""

from kebab.core.asset import TrustLevel
from kebab.core.query import Filters
from kebab.core.text import nfc

_TRUST_ORDER = list(TrustLevel)


def _any_of(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"


def document_condition(filters: Filters) -> tuple[str, list[str]]:
    """A condition on `documents d` and its bindings; an empty condition when nothing is filtered."""
    parts: list[str] = []
    bindings: list[str] = []
    trusted = tuple(_TRUST_ORDER[: _TRUST_ORDER.index(filters.trust_min) + 1]) if filters.trust_min else ()
    for column, values in (
        ("d.lang", filters.langs),
        ("d.media_type", filters.media),
        ("d.doc_id", filters.doc_ids),
        ("d.source_id", filters.sources),
        ("d.source_type", filters.source_types),
        ("d.trust_level", trusted),
    ):
        if values:
            parts.append(_any_of(column, values))
            bindings += values
    if filters.tags:
        parts.append(f"d.doc_key IN (SELECT doc_key FROM document_tags WHERE {_any_of('tag', filters.tags)})")
        bindings += filters.tags
    if filters.path_globs:
        parts.append("(" + " OR ".join(["d.workspace_path GLOB ?"] * len(filters.path_globs)) + ")")
        bindings += [nfc(glob) for glob in filters.path_globs]
    if filters.ingested_after:
        # As text, `00Z` sorts behind `00.5Z`; with the fraction spelled out the order is that of time.
        parts.append("replace(d.updated_at, 'Z', '') > ?")
        bindings.append(filters.ingested_after.removesuffix("Z"))
    return " AND ".join(parts), bindings


def chunk_condition(filters: Filters) -> tuple[str, list[str]]:
    """The same as a condition on a chunk's rowid, ready to follow a MATCH."""
    condition, bindings = document_condition(filters)
    if not condition:
        return "", []
    inner = f"SELECT c.chunk_key FROM chunks c JOIN documents d USING (doc_key) WHERE {condition}"
    return f" AND rowid IN ({inner})", bindings
