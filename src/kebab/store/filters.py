"""Filters as SQL over documents, so that they narrow a channel before it ranks."""

import re

from kebab.core.asset import TrustLevel
from kebab.core.query import Filters
from kebab.core.text import nfc

_TRUST_ORDER = list(TrustLevel)
_SEPARATORS = re.compile(r"(?:\.|::|/|#)")
_FAMILY = "substr(d.media_type, 1, instr(d.media_type || '/', '/') - 1)"


def _any_of(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"


def document_condition(filters: Filters) -> tuple[str, list[str]]:
    """A condition on `documents d` and its bindings; an empty condition when nothing is filtered."""
    parts: list[str] = []
    bindings: list[str] = []
    trusted = tuple(_TRUST_ORDER[: _TRUST_ORDER.index(filters.trust_min) + 1]) if filters.trust_min else ()
    for column, values in (
        ("d.lang", filters.langs),
        ("d.doc_id", filters.doc_ids),
        ("d.source_id", filters.sources),
        ("d.source_type", filters.source_types),
        ("d.trust_level", trusted),
        ("d.repo", filters.repos),
        ("d.code_lang", filters.code_langs),
    ):
        if values:
            parts.append(_any_of(column, values))
            bindings += values
    if filters.media:
        # A family stands for all of its kinds: `code` for `code/rust`.
        parts.append(f"({_any_of('d.media_type', filters.media)} OR {_any_of(_FAMILY, filters.media)})")
        bindings += filters.media * 2
    if filters.tags:
        parts.append(f"d.doc_key IN (SELECT doc_key FROM document_tags WHERE {_any_of('tag', filters.tags)})")
        bindings += filters.tags
    if filters.path_globs:
        parts.append("(" + " OR ".join(["d.workspace_path GLOB ?"] * len(filters.path_globs)) + ")")
        bindings += [nfc(glob) for glob in filters.path_globs]
    if filters.symbols:
        named, names = symbol_condition(filters.symbols)
        parts.append(f"d.doc_key IN (SELECT s.doc_key FROM symbols s WHERE {named})")
        bindings += names
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
    if filters.symbols:
        within, names = symbol_chunks(filters.symbols)
        return f" AND rowid IN ({inner} AND c.chunk_key IN ({within}))", [*bindings, *names]
    return f" AND rowid IN ({inner})", bindings


def symbol_chunks(names: tuple[str, ...]) -> tuple[str, list[str]]:
    """A selection of the chunks that hold any line of what is named so."""
    named, bindings = symbol_condition(names)
    sql = f"""SELECT c.chunk_key FROM symbols s JOIN chunks c ON c.doc_key = s.doc_key
        AND c.source_spans_json ->> '$[0][0]' <= s.line_end AND c.source_spans_json ->> '$[#-1][1]' >= s.line
        WHERE {named}"""
    return sql, bindings


def symbol_condition(names: tuple[str, ...]) -> tuple[str, list[str]]:
    """A condition on `symbols s`: the name, its full path, the end of that, or a pattern with `*`; in any case."""
    parts: list[str] = []
    bindings: list[str] = []
    for name in names:
        if "*" in name:
            pattern = like_pattern(name)
            parts.append("(s.name LIKE ? ESCAPE '!' OR s.qualified LIKE ? ESCAPE '!')")
            bindings += [pattern, pattern]
        elif (last := last_part(name)) == name:
            parts.append("(s.name = ? OR s.qualified = ?)")
            bindings += [name, name]
        else:
            # `Store.open` is the end of `app.db.Store.open`, and not of `app.BigStore.open`.
            parts.append(
                """(s.qualified = ? OR (s.name = ? AND substr(s.qualified, -length(?)) = ? COLLATE NOCASE
                   AND substr(s.qualified, -length(?) - 1, 1) IN ('.', ':', '/', '#', ')')))"""
            )
            bindings += [name, last, name, name, name]
    return "(" + " OR ".join(parts) + ")", bindings


def last_part(name: str) -> str:
    """What a qualified name ends with: `bar` of `pkg.(*Foo).bar`. A name of marks alone, as an operator's, is whole."""
    return _SEPARATORS.split(name)[-1] or name


def like_pattern(glob: str) -> str:
    escaped = glob.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return escaped.replace("*", "%")
