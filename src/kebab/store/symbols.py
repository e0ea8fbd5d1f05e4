"""The table `symbols`: definitions by name, exactly for a search and roughly for someone who half remembers one."""

import re

from kebab.core.inspection import SymbolRow
from kebab.core.query import Filters
from kebab.core.text import nfc
from kebab.store.filters import document_condition, last_part, named_chunks, symbol_condition
from kebab.store.sql import Database

# Definitions of one name that are worth ranking; a name with more of them tells nothing.
_MOST_DEFINITIONS = 200
# Rows that are compared closely, and names among which a misspelt one is looked for.
_MOST_ROWS = 20_000
_MOST_NAMES = 200_000
_LONGEST_NAME = 1000
# As `difflib` measures it; below this, names that have nothing to do with each other count as alike.
_ALIKE = 0.75
_NAME = re.compile(r"[^\s\"'`]{1,200}")
# What makes a word a piece of code rather than a word: an underscore, a dot inside, a call, a change of case.
_CODE_MARK = re.compile(r"_|\w[.:#/]+[\w(]|\(\)|->|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d")
# A type before its constructors, which bear its name; last what is defined elsewhere, or is next to nothing.
_TYPES = frozenset("class struct union enum interface trait object record protocol".split())
_SECONDARY = frozenset("impl prototype module namespace package variable field property".split())
_WEIGHT = f"iif(s.kind IN {tuple(sorted(_TYPES))}, 0, iif(s.kind IN {tuple(sorted(_SECONDARY))}, 2, 1))"
_SELECT = """SELECT s.name, s.qualified, s.kind, s.line, s.line_end, d.workspace_path, d.code_lang, d.repo
    FROM symbols s JOIN documents d USING (doc_key)"""


class Symbols:
    def __init__(self, database: Database) -> None:
        self._db = database

    def count(self) -> int:
        return int(self._db.scalar("SELECT count(*) FROM symbols"))

    def chunks(self, filters: Filters) -> list[int]:
        """The chunks that filters with symbols leave."""
        return named_chunks(self._db, filters)

    def definitions(self, text: str, filters: Filters) -> list[int]:
        """The chunks that define what a query names, if it is a name and nothing else: best spelt and shortest first.

        A word that is not written like code is also a word, so only one of its definitions counts.
        """
        name = _name(text)
        if _NAME.fullmatch(name) is None:
            return []
        named, bindings = symbol_condition((name,), globs=False)
        condition, more = document_condition(filters)
        # Sorted here and not by whoever reads the rows, so that which of too many are kept is no accident of insertion.
        sql = f"""SELECT s.chunk_key FROM symbols s JOIN documents d USING (doc_key)
            WHERE {named} AND {condition or "1"}
            ORDER BY s.name COLLATE BINARY <> ? AND s.qualified COLLATE BINARY <> ?, {_WEIGHT},
            length(s.qualified), d.workspace_path, s.line LIMIT {_MOST_DEFINITIONS}"""
        rows = self._db.rows(sql, [*bindings, *more, last_part(name), name])
        keys = list(dict.fromkeys(key for (key,) in rows))
        if filters.symbols:
            within = set(self.chunks(filters))
            keys = [key for key in keys if key in within]
        return keys if _CODE_MARK.search(text) else keys[:1]

    def find(self, query: str, filters: Filters, limit: int) -> list[SymbolRow]:
        """By name, roughly: exact, beginning, part, letters in order; and what is spelt alike when nothing is."""
        where, bindings = _where(filters)
        query = _name(query)
        if not query:
            order = "ORDER BY d.workspace_path, s.line LIMIT ?"
            return self._rows(f"{_SELECT} WHERE {where} {order}", [*bindings, str(limit)])
        if len(query) > _LONGEST_NAME:
            return []
        if "*" in query and (found := self._like(query, where, bindings, limit)):
            return found
        found = self._near(query, where, bindings, limit)
        if " " not in query or (found and query.lower() in found[0].name.lower()):
            return found
        # Words apart are parts of a name to someone who half remembers it.
        return self._near(".".join(query.split()), where, bindings, limit) or found

    def _like(self, pattern: str, where: str, bindings: list[str], limit: int) -> list[SymbolRow]:
        named, names = symbol_condition((pattern,))
        order = "ORDER BY s.name <> ?, length(s.name), s.name, d.workspace_path, s.line LIMIT ?"
        bound = [*names, *bindings, last_part(pattern), str(limit)]
        return self._rows(f"{_SELECT} WHERE {named} AND {where} {order}", bound)

    def _near(self, query: str, where: str, bindings: list[str], limit: int) -> list[SymbolRow]:
        wanted = last_part(query)
        letters = "%".join(re.sub(r"([!%_])", r"!\1", letter) for letter in wanted)
        # The shortest are the nearest, should there be too many.
        sql = f"{_SELECT} WHERE s.name LIKE ? ESCAPE '!' AND {where} ORDER BY length(s.name) LIMIT {_MOST_ROWS}"
        rows = self._rows(sql, [f"%{letters}%", *bindings])
        if not any(wanted.lower() in row.name.lower() for row in rows):
            rows = list(dict.fromkeys([*rows, *self._misspelt(wanted, where, bindings)]))
        if wanted != query:
            inside = [row for row in rows if _letters_in_order(query.lower(), row.qualified.lower())]
            rows = inside or rows
        return sorted(rows, key=lambda row: _distance(wanted, query, row))[:limit]

    def _misspelt(self, name: str, where: str, bindings: list[str]) -> list[SymbolRow]:
        from difflib import get_close_matches

        tables = "symbols s JOIN documents d USING (doc_key)"
        # No name of another length can be as much alike.
        shortest, longest = len(name) * _ALIKE / (2 - _ALIKE), len(name) * (2 - _ALIKE) / _ALIKE
        sized = f"length(s.name) BETWEEN {int(shortest)} AND {int(longest) + 1}"
        sql = f"SELECT DISTINCT s.name FROM {tables} WHERE {sized} AND {where} LIMIT {_MOST_NAMES}"
        names = {str(row[0]).lower(): str(row[0]) for row in self._db.rows(sql, bindings)}
        alike = [names[each] for each in get_close_matches(name.lower(), names, n=20, cutoff=_ALIKE)]
        if not alike:
            return []
        marks = ", ".join("?" * len(alike))
        return self._rows(f"{_SELECT} WHERE s.name IN ({marks}) AND {where} LIMIT {_MOST_ROWS}", [*alike, *bindings])

    def _rows(self, sql: str, bindings: list[str]) -> list[SymbolRow]:
        return [SymbolRow(*row) for row in self._db.rows(sql, bindings)]


def _where(filters: Filters) -> tuple[str, list[str]]:
    """A condition on symbols: here a filter on names leaves these, not all of their documents."""
    condition, bindings = document_condition(filters._replace(symbols=()))
    if not filters.symbols:
        return condition or "1", bindings
    named, names = symbol_condition(filters.symbols)
    return f"{condition or '1'} AND {named}", [*bindings, *names]


def _name(text: str) -> str:
    """What a person wrote, as a name: a call is of the function, except where the parentheses are the operator."""
    name = nfc(text.strip())
    return name if last_part(name).startswith("operator") else name.removesuffix("()")


def _letters_in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


def _weight(kind: str) -> int:
    return 0 if kind in _TYPES else 2 if kind in _SECONDARY else 1


def _distance(name: str, query: str, row: SymbolRow) -> tuple[int, float, int, int, str, int]:
    """How far a symbol is from what was asked for; the smaller, the better."""
    from difflib import SequenceMatcher

    shown, low = row.name, row.name.lower()
    wanted = name.lower()
    if shown == name:
        rank = 0 if row.qualified.endswith(query) else 1
    elif low == wanted:
        rank = 2
    elif low.startswith(wanted):
        rank = 3
    elif wanted in low:
        rank = 4
    else:
        rank = 5
    alike = SequenceMatcher(None, low, wanted).ratio() if rank == 5 else 0.0
    return rank, -alike, len(shown), _weight(row.kind), row.doc_path, row.line
