"""A filter line to `Filters`: `tag:recipes lang:ko path:docs/*`. Names are those of the option table, or shorter."""

import shlex

from kebab.core.errors import InvalidInput
from kebab.core.query import Filters
from kebab.ui.options import FILTERS, Kind, filters_of

_SHORTER = {"path": "path_glob", "trust": "trust_min", "after": "ingested_after", "doc": "doc_id", "code": "code_lang"}
_ROWS = {row.name: row for row in FILTERS}


def filters_in(line: str) -> Filters:
    """Raises InvalidInput with the word that is not understood."""
    values: dict[str, tuple[str, ...] | str] = {}
    for word in _words(line):
        name, colon, value = word.partition(":")
        row = _ROWS.get(_SHORTER.get(name.replace("-", "_"), name.replace("-", "_")))
        if row is None or not colon:
            raise InvalidInput(f"no filter {word!r}", hint=f"filters are {', '.join(_names())}")
        if not value:
            continue
        if row.choices and value not in row.choices:
            raise InvalidInput(f"{name}: {value!r} is none of {', '.join(row.choices)}")
        if row.kind is Kind.TEXTS:
            parts = tuple(part for part in value.split(",") if part) if row.commas else (value,)
            values[row.name] = (*values.get(row.name, ()), *parts)
        else:
            values[row.name] = value
    return filters_of(values)


def _names() -> list[str]:
    short = {long: name for name, long in _SHORTER.items()}
    return [f"{short.get(row.name, row.name)}:" for row in FILTERS]


def _words(line: str) -> list[str]:
    """Quotes keep spaces together; one that is still open takes the rest of the line."""
    for closed in (line, f'{line}"', f"{line}'"):
        try:
            return shlex.split(closed)
        except ValueError:
            continue
    return line.split()
