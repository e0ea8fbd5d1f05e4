"""What a request says: the JSON of its body or the words of its address, as values the table of options can check."""

import json
from collections.abc import Sequence
from typing import Any

from kebab.core.errors import InvalidInput
from kebab.ui.options import Kind, Option

_DEEPEST = 16
_BOOLEANS = {"true": True, "1": True, "": True, "false": False, "0": False}


def from_body(raw: bytes) -> dict[str, Any]:
    """Raises InvalidInput for anything but a JSON object of reasonable depth."""
    try:
        value = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the request is not JSON", hint='send an object such as {"query": "backup"}') from error
    if not isinstance(value, dict):
        raise InvalidInput("the request must be a JSON object", hint='such as {"query": "backup"}')
    _refuse_depth(value)
    # Objects that kebab sends name their schema, and some of them may come back.
    value.pop("schema_version", None)
    return value


def _refuse_depth(value: object) -> None:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise InvalidInput(f"the request is nested deeper than {_DEEPEST} levels")


def from_words(pairs: Sequence[tuple[str, str]], options: Sequence[Option]) -> dict[str, Any]:
    """`?tag=a&tag=b&limit=5`; names are checked later, with the values."""
    rows = {row.name: row for row in options}
    given: dict[str, Any] = {}
    for name, text in pairs:
        row = rows.get(name)
        if row is not None and row.kind is Kind.TEXTS:
            given.setdefault(name, []).append(text)
        else:
            given[name] = _value(row, text)
    return given


def _value(row: Option | None, text: str) -> object:
    """As the row wants it; what cannot be read so stays a text, which the check refuses by name."""
    if row is not None and row.kind in (Kind.WHOLE, Kind.NUMBER):
        try:
            return int(text) if row.kind is Kind.WHOLE else float(text)
        except ValueError:
            return text
    if row is not None and row.kind is Kind.FLAG:
        return _BOOLEANS.get(text.lower(), text)
    return text
