"""Filters as SQL over documents, so that they narrow a channel before it ranks."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from kebab.core.asset import TrustLevel
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters
from kebab.core.text import nfc
from kebab.store.sql import Database, among

_TRUST_ORDER = list(TrustLevel)
# What parts a qualified name, in any language.
_MARKS = (".", "::", "/", "#")
_BOUNDARIES = "'.', ':', '/', '#', ')'"
_SEPARATORS = re.compile("|".join(map(re.escape, _MARKS)))
_OPERATOR = re.compile(r"(?:^|::)(operator[^\w.:\s]\W*)$")
# Beyond this SQLite refuses a pattern in the end, and nobody has such a name.
_LONGEST_NAME = 1000
_MOST_PARTS = 20
# SQLite takes some thirty thousand values, and a media type is asked twice. Patterns nest, up to a thousand deep.
MOST_VALUES = 10_000
MOST_PATTERNS = 200
_FIRST_LINE = "source_spans_json ->> '$[0][0]'"
_LAST_LINE = "source_spans_json ->> '$[#-1][1]'"
_FAMILY = "substr(d.media_type, 1, instr(d.media_type || '/', '/') - 1)"


def _refuse_many(most: int, given: int) -> None:
    if given > most:
        raise InvalidInput(f"{given} values to filter by; at most {most} can be given", hint="give fewer of them")


def _any_of(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join('?' * len(values))})"


def document_condition(filters: Filters) -> tuple[str, list[str]]:
    """A condition on `documents d` and its bindings; an empty condition when nothing is filtered."""
    _refuse_many(MOST_VALUES, sum(len(values) for values in filters if isinstance(values, tuple)))
    _refuse_many(MOST_PATTERNS, len(filters.path_globs))
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
    """The same as a condition on a chunk's rowid, ready to follow a MATCH; for filters without symbols.

    The plus sign keeps SQLite from asking FTS5 for one row at a time: 26 s where it takes 0.06 s without.
    """
    condition, bindings = document_condition(filters)
    if not condition:
        return "", []
    inner = f"SELECT c.chunk_key FROM chunks c JOIN documents d USING (doc_key) WHERE {condition}"
    return f" AND +rowid IN ({inner})", bindings


def narrowing(database: Database, filters: Filters) -> tuple[str, Sequence[object]]:
    """`chunk_condition` for any filters."""
    if not filters.symbols:
        return chunk_condition(filters)
    return " AND +rowid IN carray(?)", (among(named_chunks(database, filters)),)


def named_chunks(database: Database, filters: Filters) -> list[int]:
    """The chunks that hold any line of a symbol named by the filters, within the documents the filters leave."""
    named, names = symbol_condition(filters.symbols)
    condition, bindings = document_condition(filters._replace(symbols=()))
    sql = f"""SELECT DISTINCT s.doc_key, s.chunk_key, s.line_end FROM symbols s JOIN documents d USING (doc_key)
        WHERE {named} AND {condition or "1"}"""
    rows = database.rows(sql, [*names, *bindings])
    found = {first for _, first, _ in rows}
    ends_sql = f"SELECT chunk_key, {_LAST_LINE} FROM chunks WHERE chunk_key IN carray(?)"
    ends: dict[int, int] = dict(database.rows(ends_sql, (among(found),)))
    # Most symbols end in the chunk they begin in. Only for the others is their document looked through, each once.
    longer = [row for row in rows if row[2] > ends[row[1]]]
    starts = _starts(database, {document for document, _, _ in longer})
    for document, first, end in longer:
        lines, keys = starts[document]
        found.update(keys[keys.index(first) : bisect_right(lines, end)])
    return sorted(found)


def _starts(database: Database, documents: set[int]) -> dict[int, tuple[list[int], list[int]]]:
    """The first lines of each document's chunks, and their keys."""
    sql = f"SELECT doc_key, {_FIRST_LINE}, chunk_key FROM chunks WHERE doc_key IN carray(?) ORDER BY doc_key, ordinal"
    found: dict[int, tuple[list[int], list[int]]] = {}
    for document, line, key in database.rows(sql, (among(documents),)) if documents else ():
        lines, keys = found.setdefault(document, ([], []))
        lines.append(line)
        keys.append(key)
    return found


def symbol_condition(names: tuple[str, ...], *, globs: bool = True) -> tuple[str, list[str]]:
    """A condition on `symbols s`: the name, its full path, the end of that, or a pattern with `*`; in any case."""
    _refuse_many(MOST_PATTERNS, len(names))
    parts: list[str] = []
    bindings: list[str] = []
    for name in map(nfc, names):
        condition, bound = _like(name) if globs and "*" in name else _equal(name)
        parts.append(condition)
        bindings += bound
    return "(" + " OR ".join(parts) + ")", bindings


def _equal(name: str) -> tuple[str, list[str]]:
    whole = "s.name = ? OR s.qualified = ?"
    # The name itself may have a dot in it: `v2` and `app.v2` may both be the last of `prod/app.v2`.
    ends = [name[match.end() :] for match in _SEPARATORS.finditer(name)][-_MOST_PARTS:]
    tails = list(dict.fromkeys([last_part(name), *filter(None, ends)]))
    if tails == [name]:
        return f"({whole})", [name, name]
    # `Store.open` is the end of `app.db.Store.open`, and not of `app.BigStore.open`. What comes first serves the index.
    end = f"""substr(s.qualified, -length(?)) = ? COLLATE NOCASE
        AND substr(s.qualified, -length(?) - 1, 1) IN ({_BOUNDARIES})"""
    return f"(({whole} OR {_any_of('s.name', tuple(tails))}) AND ({whole} OR ({end})))", [
        name,
        name,
        *tails,
        *[name] * 5,
    ]


def _like(name: str) -> tuple[str, list[str]]:
    """`Store.*` is the end of `app.db.Store.open` too."""
    if len(name) > _LONGEST_NAME:
        return "0", []
    pattern = like_pattern(name)
    patterns = [pattern, *(f"%{mark}{pattern}" for mark in _MARKS if last_part(name) != name)]
    whole = " OR ".join(["s.qualified LIKE ? ESCAPE '!'"] * len(patterns))
    return f"(s.name LIKE ? ESCAPE '!' OR {whole})", [pattern, *patterns]


def last_part(name: str) -> str:
    """What a qualified name ends with: `bar` of `pkg.(*Foo).bar`. A name of marks alone, as an operator's, is whole."""
    if (operator := _OPERATOR.search(name)) is not None:
        return operator[1]
    return _SEPARATORS.split(name)[-1] or name


def like_pattern(glob: str) -> str:
    escaped = glob.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return escaped.replace("*", "%")
