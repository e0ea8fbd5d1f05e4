"""TOML text to TOML text: a value replaced or keys added, everything else left as the person wrote it.

Every edit is proven: the new text must parse to the old tables plus the change, or it is not made.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from kebab.config.lines import Statement, statements
from kebab.config.schema import BY_PATH
from kebab.config.template import VERSION_LINES, key_lines, section_lines
from kebab.core.errors import ConfigInvalid

Values: TypeAlias = Mapping[str, object]


def replace_value(text: str, path: str, value: object) -> str:
    """The value of a key that is there; its comment stays."""
    return _proven(text, {path: value}, iter([_assigned(text, {path: value})]))


def add_keys(text: str, section: str, values: Values) -> str:
    """Keys that are not there yet, each under its comment, at the end of their table or in a new one."""
    return _proven(text, values, _additions(text, section, values))


def add_version(text: str) -> str:
    """The schema version goes first: below a table header it would belong to that table."""
    return "\n".join([*VERSION_LINES, "", text]) if text.strip() else "\n".join(VERSION_LINES) + "\n"


def add_note(text: str, path: str, note: str) -> str:
    """A comment behind the value of a key, after what a person wrote there; an earlier one of its label gives way."""
    place = next((found for found in statements(text) if found.path == path and found.first == found.last), None)
    if place is None or not note.isprintable():
        return text
    lines = text.split("\n")
    head, _, said = lines[place.first - 1].partition("#")
    kept = said.partition(f"{note.partition(':')[0]}:")[0].strip().rstrip(";")
    lines[place.first - 1] = f"{head.rstrip()}  # {f'{kept}; {note}' if kept else note}"
    candidate = "\n".join(lines)
    return _proven(text, {}, iter([candidate, text]))


def value_at(tables: Mapping[str, Any], path: str) -> Any | None:  # noqa: ANN401 (whatever TOML can hold)
    table: Any = tables
    for name in path.split("."):
        if not isinstance(table, Mapping) or name not in table:
            return None
        table = table[name]
    return table


def _proven(text: str, values: Values, candidates: Iterator[str | None]) -> str:
    import tomllib

    expected = tomllib.loads(text)
    for path, value in values.items():
        section, _, name = path.rpartition(".")
        _table(expected, section, dict)[name] = list(value) if isinstance(value, tuple) else value
    for candidate in candidates:
        try:
            if candidate is not None and tomllib.loads(candidate) == expected:
                return candidate
        except tomllib.TOMLDecodeError:
            continue
    raise ConfigInvalid(f"{', '.join(values)} cannot be written into this file's layout", hint="edit the file by hand")


def _additions(text: str, section: str, values: Values) -> Iterator[str | None]:
    keys = {BY_PATH[path]: value for path, value in values.items()}
    found = statements(text)
    if any(statement.is_header and statement.path == section for statement in found):
        lines = text.rstrip("\n").split("\n")
        end = _end_of(section, found)
        lines[end:end] = [line for key, value in keys.items() for line in key_lines(key, value)]
        yield "\n".join(lines) + "\n"
    else:
        yield "\n".join([text.rstrip("\n"), "", *section_lines(section, keys), ""])
    # Tables written inline or as dotted keys have no place for comments.
    yield _assigned(text, values)


def _end_of(section: str, found: list[Statement]) -> int:
    """The last line of a table's last key: a comment after it belongs to what follows."""
    return max(statement.last for statement in found if statement.table == section)


def _assigned(text: str, values: Values) -> str | None:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        for path, value in values.items():
            section, _, name = path.rpartition(".")
            _table(document, section, tomlkit.table)[name] = list(value) if isinstance(value, tuple) else value
        return tomlkit.dumps(document)
    except TOMLKitError:
        return None


def _table(root: Any, section: str, new: Any) -> Any:  # noqa: ANN401 (plain tables and tomlkit's share no type)
    for name in section.split(".") if section else ():
        if name not in root:
            root[name] = new()
        root = root[name]
        if not isinstance(root, Mapping):
            raise ConfigInvalid(f"{section} is not a table in this file", hint="edit the file by hand", key=section)
    return root
