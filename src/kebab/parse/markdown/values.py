"""Values of front matter: what a field stands for, as text, as a moment, or as JSON.

Gets what YAML and TOML gave, gives values of `core`. Raises ValueError for what a value cannot be. Does not know keys.
"""

import math
import re
from datetime import UTC, date, datetime

from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.document import UserValue
from kebab.parse.markdown.names import well_formed
from kebab.parse.markdown.plain_yaml import MAX_DEPTH, Plain

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?[0-9]{1,17}\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,2})?")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_MOMENT = re.compile(_DATE.pattern + r"[Tt ]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*([Zz]|[-+]\d{2}:?\d{2})?")

# Up to here the text of a number is cheap; beyond, decimal digits cost their square and Python refuses.
_BIG_BITS = 10_000


def is_absent(value: object) -> bool:
    """Whether a key was written with nothing after it."""
    return value is None or (isinstance(value, Plain) and value in _NULL)


def as_text(value: object) -> str:
    """A scalar as the person wrote it. Raises ValueError for lists and mappings."""
    if isinstance(value, str):
        return well_formed(str(value))
    if isinstance(value, list | dict):
        raise ValueError("not text")
    text = str(user_value(value))
    return text.lower() if isinstance(value, bool) else text


def as_moment(value: object) -> str:
    """A date or time as RFC 3339 in UTC. Raises ValueError."""
    try:
        if isinstance(value, datetime):
            return rfc3339(value if value.tzinfo else value.replace(tzinfo=UTC))
        if isinstance(value, date):
            return rfc3339(datetime(value.year, value.month, value.day, tzinfo=UTC))
        return rfc3339(parse_rfc3339(_iso(as_text(value).strip())))
    except OverflowError as error:
        raise ValueError("outside the calendar") from error


def user_value(value: object, depth: int = 0) -> UserValue:
    """Anything as JSON: what JSON has no type for becomes its text."""
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    match value:
        case Plain():
            return resolve(value)
        case dict():
            return {well_formed(str(key)): user_value(inside, depth + 1) for key, inside in value.items()}
        case list():
            return [user_value(inside, depth + 1) for inside in value]
        case bool() | None:
            return value
        case int():
            return _integer(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case datetime():
            return as_moment(value)
    return well_formed(str(value))


def _integer(value: int) -> int | str:
    """The number, or its text when 64 bits cannot hold it."""
    if value.bit_length() < 64:
        return value
    return str(value) if value.bit_length() < _BIG_BITS else hex(value)


def resolve(plain: Plain) -> UserValue:
    """What an unquoted scalar stands for; only what nobody could mean as a word stops being one."""
    if plain in _NULL:
        return None
    if plain in _BOOL:
        return _BOOL[plain]
    if _INT.fullmatch(plain):
        return int(plain)
    if _FLOAT.fullmatch(plain):
        return float(plain)
    try:
        return as_moment(plain) if _MOMENT.fullmatch(plain) else well_formed(str(plain))
    except ValueError:
        return well_formed(str(plain))


def _iso(text: str) -> str:
    """The looser dates people write (`2024-1-2`, `2024-01-02 9:30 +0900`) in the form ISO 8601 has for them."""
    if match := _DATE.fullmatch(text):
        return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}"
    if match := _MOMENT.fullmatch(text):
        clock = match[4] if match[4][2] == ":" else f"0{match[4]}"
        return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}T{clock}{(match[5] or '').upper()}"
    return text
