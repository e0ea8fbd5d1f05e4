"""`kebab config set`: one key of the file gets a value, if the file still loads with it."""

import os
from dataclasses import dataclass
from pathlib import Path

from kebab.config.edit import add_keys, add_note, add_version, replace_value, value_at
from kebab.config.file import parse, read_text
from kebab.config.layers import known_key, schema_version
from kebab.config.loading import resolve
from kebab.config.schema import Key
from kebab.config.values import check, from_text, to_toml
from kebab.config.writing import keep_newlines, write_config
from kebab.core.errors import InvalidInput
from kebab.core.text import unify_newlines
from kebab.locations import Environment, absolute


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to `key`. `old` is what the file said before, None if nothing."""

    path: Path
    key: str
    old: object
    new: object
    changed: bool


def set_value(
    path: Path, dotted_key: str, text_value: str, *, env: Environment | None = None, note: str | None = None
) -> Change:
    """Writes one value into the file, a new one if there is none. Raises InvalidInput, ConfigInvalid, IoFailure.

    `note` is written behind the value as a comment, where there is room for one; up to its colon it is a label, and a
    later note of the same label takes its place.
    """
    key = known_key(dotted_key)
    value = _value(key, text_value)
    written = read_text(path)
    text = add_version("") if written is None else unify_newlines(written)
    file = parse(text, path)
    schema_version(file)
    old = value_at(file.tables, key.path)
    if old is not None and to_toml(old) == to_toml(value) and note is None:
        return Change(path, key.path, old, value, changed=False)
    text = add_keys(text, key.section, {key.path: value}) if old is None else replace_value(text, key.path, value)
    if note is not None:
        text = add_note(text, key.path, note)
    resolve(parse(text, path), path, _own_variables(os.environ if env is None else env), {})
    write_config(path, keep_newlines(text, written or ""))
    return Change(path, key.path, old, value, changed=True)


def _value(key: Key, text: str) -> object:
    if key.kind == "tables":
        raise InvalidInput(
            f"{key.path} cannot be set by a command", hint=f"add a [[{key.path}]] table to the file", key=key.path
        )
    try:
        text.encode()
        value = check(key, from_text(key, text))
    except UnicodeEncodeError:
        raise InvalidInput(f"{key.path} must be UTF-8 text", key=key.path) from None
    except ValueError as error:
        raise InvalidInput(f"{key.path} {error}", key=key.path) from None
    return _from_here(text) if key.kind == "path" else value


def _from_here(text: str) -> str:
    """Typed in a shell, a relative path means here; in the file it would mean the file's folder."""
    if text.startswith(("~", "$", "{")) or Path(text).is_absolute():
        return text
    return str(Path(str(absolute(Path())).replace("$", "$$"), text))


def _own_variables(env: Environment) -> Environment:
    """Without the overrides: the file has to stand on its own."""
    return {name: value for name, value in env.items() if not name.startswith("KEBAB_")}
