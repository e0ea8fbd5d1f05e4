"""Settings of another program, text to text: one entry is set under its keys, and all else stays as it was written.

Every edit is proven: the new text must parse to what the old one did, with the entry. What cannot be is refused.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kebab.core.installation import FileFormat

Entry = Mapping[str, object]
_DECODER = json.JSONDecoder()
_INDENT = re.compile(r"\n([ \t]+)\S")
_BLANKS = re.compile(r"[ \t\n\r]*")


class Unfit(ValueError):
    """The text cannot take the entry; its words say why."""


def document(keys: Sequence[str], entry: Entry, form: FileFormat) -> str:
    """A file that holds nothing else."""
    return with_entry("", keys, entry, form)


def with_entry(
    text: str, keys: Sequence[str], entry: Entry, form: FileFormat, own: frozenset[str] = frozenset()
) -> str:
    """`text` with `entry` under `keys`. Where there is one, only its keys among `own` change; what lacks is added."""
    try:
        held = _parsed(text, form)
    except (ValueError, RecursionError) as error:
        raise Unfit(f"it is not plain {form.upper()}: {_first_words(error)}") from error
    kept = _kept(held, keys, own - set(entry))
    value = {**kept, **{name: each for name, each in entry.items() if name in own or name not in kept}}
    expected = _nested(held, keys, value)
    if expected == held:
        return text
    changed = _set_json(text, keys, value) if form is FileFormat.JSON else _set_toml(text, keys, value)
    if not _holds(changed, expected, form):
        raise Unfit("its layout leaves no place for another server")
    return changed


def _holds(text: str, expected: Mapping[str, Any], form: FileFormat) -> bool:
    """Also whether it can be written: escaped halves of characters and numbers without end can be read alone."""
    try:
        text.encode("utf-8")
        return _parsed(text, form) == expected
    except (ValueError, RecursionError):
        return False


def _parsed(text: str, form: FileFormat) -> dict[str, Any]:
    if form is FileFormat.TOML:
        return tomllib.loads(text)
    held = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number) if text.strip() else {}
    if not isinstance(held, dict):
        raise ValueError("the whole is not an object")
    return held


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return held


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no number")


def _first_words(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _kept(held: Mapping[str, Any], keys: Sequence[str], dropped: frozenset[str]) -> dict[str, Any]:
    value: Any = held
    for key in keys:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return {name: each for name, each in value.items() if name not in dropped} if isinstance(value, dict) else {}


def _nested(held: Mapping[str, Any], keys: Sequence[str], value: Entry) -> dict[str, Any]:
    if not keys:
        return dict(value)
    inner = held.get(keys[0], {})
    if len(keys) > 1 and not isinstance(inner, dict):
        raise Unfit(f"{keys[0]} in it is not an object")
    return {**held, keys[0]: _nested(inner if isinstance(inner, dict) else {}, keys[1:], value)}


def _set_json(text: str, keys: Sequence[str], value: Entry) -> str:
    if not text.strip():
        return json.dumps(_nested({}, keys, value), ensure_ascii=False, indent=2) + "\n"
    start = _after_blanks(text, 0)
    for depth, key in enumerate(keys, start=1):
        members = {name: (begin, end) for name, begin, end in _members(text, start)}
        if key not in members:
            inner = _nested({}, keys[depth:], value)
            return _inserted(text, start, max((end for _, end in members.values()), default=None), key, inner, depth)
        start, end = members[key]
    return text[:start] + _dumped(text, value, len(keys), flat="\n" not in text[start:end]) + text[end:]


def _members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The names in the object that begins at `start`, and from where to where their values stand."""
    at = _after_blanks(text, start + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        begin = _after_blanks(text, _after_blanks(text, at) + 1)
        _, end = _DECODER.raw_decode(text, begin)
        yield name, begin, end
        at = _after_blanks(text, end)
        at = _after_blanks(text, at + 1) if text[at] == "," else at


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _inserted(text: str, start: int, last: int | None, key: str, value: Entry, depth: int) -> str:
    """Behind the last member, or alone in an object that had none."""
    _, close = _DECODER.raw_decode(text, start)
    flat = last is not None and "\n" not in text[start:close]
    name = json.dumps(key, ensure_ascii=False)
    member = f"{name}: {_dumped(text, value, depth, flat=flat)}"
    if flat:
        return f"{text[:last]}, {member}{text[last:]}"
    newline, unit = _layout(text)
    if last is not None:
        return f"{text[:last]},{newline}{unit * depth}{member}{text[last:]}"
    return f"{text[:start]}{{{newline}{unit * depth}{member}{newline}{unit * (depth - 1)}}}{text[close:]}"


def _layout(text: str) -> tuple[str, str]:
    found = _INDENT.search(text)
    return "\r\n" if "\r\n" in text else "\n", found[1] if found else "  "


def _dumped(text: str, value: Entry, depth: int, *, flat: bool) -> str:
    if flat:
        return json.dumps(value, ensure_ascii=False)
    newline, unit = _layout(text)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + unit * depth)


def _set_toml(text: str, keys: Sequence[str], value: Entry) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import InlineTable

    try:
        whole = tomlkit.parse(text)
        table: Any = whole
        for key in keys[:-1]:
            if key not in table:
                table[key] = tomlkit.table(is_super_table=True)
            table = table[key]
        new = tomlkit.inline_table() if isinstance(table, InlineTable) else tomlkit.table()
        entry = table.setdefault(keys[-1], new)
        for name in [name for name in entry if name not in value]:
            del entry[name]
        for name, each in value.items():
            if entry.get(name) != each:
                entry[name] = each
        return tomlkit.dumps(whole)
    except (TOMLKitError, TypeError, ValueError, AttributeError) as error:
        raise Unfit("its layout leaves no place for another server") from error
