"""The table `symbols`: definitions by name, exactly for a search and roughly for someone who half remembers one."""

import re

from kebab.core.inspection import SymbolRow
from kebab.core.query import Filters
from kebab.store.filters import document_condition, last_part, symbol_chunks, symbol_condition
from kebab.store.sql import Database

# Definitions of one name that are worth ranking; a name with more of them tells nothing.
_MOST_DEFINITIONS = 200
# Rows that are compared closely, and names among which a misspelt one is looked for.
_MOST_ROWS = 20_000
_MOST_NAMES = 200_000
_NAME = re.compile(r"[^\s\"'`]{1,200}")
# What makes a word a piece of code rather than a word: an underscore, a dot inside, a call, a change of case.
_CODE_MARK = re.compile(r"_|\w[.:#/]+[\w(]|\(\)|->|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d")
# These bear the name of something that is defined elsewhere, or of next to nothing.
_SECONDARY = frozenset(["impl", "prototype", "module", "namespace", "package", "variable", "field", "property"])
_SELECT = """SELECT s.name, s.qualified, s.kind, s.line, s.line_end, d.workspace_path, d.code_lang, d.repo
    FROM symbols s JOIN documents d USING (doc_key)"""


class Symbols:
    def __init__(self, database: Database) -> None:
        self._db = database

    def count(self) -> int:
        return int(self._db.scalar("SELECT count(*) FROM symbols"))

    def chunks(self, names: tuple[str, ...]) -> list[int]:
        """The chunks a filter on symbols leaves."""
        sql, bindings = symbol_chunks(names)
        return [key for (key,) in self._db.rows(f"SELECT DISTINCT chunk_key FROM ({sql})", bindings)]

    def definitions(self, text: str, filters: Filters) -> list[int]:
        """The chunks that define what a query names, if it is a name and nothing else: best spelt and shortest first.

        A word that is not written like code is also a word, so only one of its definitions counts.
        """
        name = text.strip().removesuffix("()")
        if _NAME.fullmatch(name) is None or "*" in name:
            return []
        named, bindings = symbol_condition((name,))
        condition, more = document_condition(filters)
        sql = f"""SELECT s.chunk_key, s.name, s.qualified, s.kind, d.workspace_path, s.line
            FROM symbols s JOIN documents d USING (doc_key)
            WHERE {named} AND {condition or "1"} LIMIT {_MOST_DEFINITIONS}"""
        last = last_part(name)
        rows = sorted(
            (shown != last and full != name, kind in _SECONDARY, len(full), path, line, key)
            for key, shown, full, kind, path, line in self._db.rows(sql, [*bindings, *more])
        )
        keys = list(dict.fromkeys(row[-1] for row in rows))
        return keys if _CODE_MARK.search(text) else keys[:1]

    def find(self, query: str, filters: Filters, limit: int) -> list[SymbolRow]:
        """By name, roughly: exact, beginning, part, letters in order; and what is spelt alike when nothing is."""
        condition, bindings = document_condition(filters)
        where = condition or "1"
        if not query:
            order = "ORDER BY d.workspace_path, s.line LIMIT ?"
            return self._rows(f"{_SELECT} WHERE {where} {order}", [*bindings, str(limit)])
        wanted = last_part(query)
        letters = "%".join(re.sub(r"([!%_])", r"!\1", letter) for letter in wanted)
        sql = f"{_SELECT} WHERE s.name LIKE ? ESCAPE '!' AND {where} LIMIT {_MOST_ROWS}"
        rows = self._rows(sql, [f"%{letters}%", *bindings]) or self._misspelt(wanted, where, bindings)
        if wanted != query:
            inside = [row for row in rows if _letters_in_order(query.lower(), row.qualified.lower())]
            rows = inside or rows
        return sorted(rows, key=lambda row: _distance(wanted, query, row))[:limit]

    def _misspelt(self, name: str, where: str, bindings: list[str]) -> list[SymbolRow]:
        from difflib import get_close_matches

        tables = "symbols s JOIN documents d USING (doc_key)"
        sql = f"SELECT DISTINCT s.name FROM {tables} WHERE {where} LIMIT {_MOST_NAMES}"
        names = {str(row[0]).lower(): str(row[0]) for row in self._db.rows(sql, bindings)}
        alike = [names[each] for each in get_close_matches(name.lower(), names, n=20, cutoff=0.75)]
        if not alike:
            return []
        marks = ", ".join("?" * len(alike))
        return self._rows(f"{_SELECT} WHERE s.name IN ({marks}) AND {where} LIMIT {_MOST_ROWS}", [*alike, *bindings])

    def _rows(self, sql: str, bindings: list[str]) -> list[SymbolRow]:
        return [SymbolRow(*row) for row in self._db.rows(sql, bindings)]


def _letters_in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


def _distance(name: str, query: str, row: SymbolRow) -> tuple[int, float, int, str, int]:
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
    return rank, -alike, len(shown), row.doc_path, row.line
