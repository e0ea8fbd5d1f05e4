"""One value against its row of the schema: from TOML, from a word typed by a person, and back to TOML.

A value that does not fit is a ValueError whose text continues the sentence "search.default_k ...".
"""

import json
import math
from collections.abc import Callable
from pathlib import Path

from kebab.config.schema import Key, Kind

_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_SHOWN_CHARS = 60
_SHOWN_BITS = 128


def check(key: Key, raw: object) -> object:
    """`raw` as the type of `key`: str, Path, int, float, bool or tuple. Raises ValueError."""
    if isinstance(raw, str) and raw in key.retired:
        return key.default
    value = _READERS[key.kind](raw)
    if isinstance(value, str) and key.choices:
        value = value.lower() if value.lower() in key.choices else None
    if value is None or not _within(key, value):
        raise ValueError(f"must be {expected(key)}, not {shown(raw)}")
    return value


def from_text(key: Key, text: str) -> object:
    """What a person typed, as TOML would have given it; `check` judges it."""
    return _PARSERS[key.kind](text)


def to_toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(to_toml(item) for item in value)}]"
    if isinstance(value, int | float):
        return repr(value)
    # JSON's escapes are TOML's, but for the one control character JSON lets through.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def expected(key: Key) -> str:
    if key.choices:
        return "one of " + ", ".join(key.choices) if len(key.choices) > 1 else f'"{key.choices[0]}"'
    if key.within is not None:
        return f"{_NOUNS[key.kind]} from {key.within[0]} to {key.within[1]}"
    return _NOUNS[key.kind]


def shown(raw: object) -> str:
    """A wrong value as part of a message: short, on one line."""
    if isinstance(raw, dict):
        return "a table"
    if isinstance(raw, str) and not raw.strip():
        return "empty text"
    if isinstance(raw, int) and raw.bit_length() > _SHOWN_BITS:
        return "a number as large as that"
    if isinstance(raw, str | int | float | list | tuple | Path):
        text = to_toml(raw)
        return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."
    return f"a {type(raw).__name__}"


def _within(key: Key, value: object) -> bool:
    return key.within is None or not isinstance(value, int | float) or key.within[0] <= value <= key.within[1]


def _path(raw: object) -> str | Path | None:
    return raw if isinstance(raw, Path) or (isinstance(raw, str) and raw.strip()) else None


def _whole(raw: object) -> int | None:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def _number(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        return float(raw) if math.isfinite(raw) else None
    except OverflowError:
        return None


def _list(raw: object) -> tuple[str, ...] | None:
    if not isinstance(raw, list | tuple):
        return None
    items = tuple(item for item in raw if isinstance(item, str) and item.strip())
    return items if len(items) == len(raw) else None


def _tables(raw: object) -> tuple[dict[str, object], ...] | None:
    if not isinstance(raw, list | tuple):
        return None
    items = tuple(item for item in raw if isinstance(item, dict))
    return items if len(items) == len(raw) else None


def _number_or_text(kind: type[int] | type[float]) -> Callable[[str], object]:
    def parse(text: str) -> object:
        try:
            return kind(text)
        except ValueError:
            return text

    return parse


def _parse_list(text: str) -> object:
    parsed = _parse_json(text)
    # `[ab]*.md` is a pattern, `["*.md"]` a list.
    return parsed if isinstance(parsed, list) else [item.strip() for item in text.split(",") if item.strip()]


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_READERS: dict[Kind, Callable[[object], object]] = {
    "text": lambda raw: raw if isinstance(raw, str) else None,
    "path": _path,
    "whole": _whole,
    "number": _number,
    "flag": lambda raw: raw if isinstance(raw, bool) else None,
    "list": _list,
    "tables": _tables,
}
_PARSERS: dict[Kind, Callable[[str], object]] = {
    "text": str,
    "path": str,
    "whole": _number_or_text(int),
    "number": _number_or_text(float),
    "flag": lambda text: _WORDS.get(text.strip().lower(), text),
    "list": _parse_list,
    "tables": _parse_json,
}
_NOUNS: dict[Kind, str] = {
    "text": "text",
    "path": "a path",
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "list": "a list of texts",
    "tables": "a list of tables",
}
