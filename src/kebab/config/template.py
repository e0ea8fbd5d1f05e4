"""The configuration as text with a comment before every key, for a new file and for keys a file lacks."""

from collections.abc import Iterator, Mapping
from typing import Literal

from kebab.config.schema import FULL_PROFILE, KEYS, SCHEMA_VERSION, SECTIONS, SOURCE_KEYS, Key
from kebab.config.values import to_toml

VERSION_LINES = (
    "# The version of this file's layout; `kebab config migrate` raises it.",
    f"schema_version = {SCHEMA_VERSION}",
)
_HEAD = (
    "# Settings of kebab. Every key is optional and shown with its default.",
    "# A variable KEBAB_<SECTION>_<KEY> wins over this file, a flag wins over both.",
    "# In paths, ~, $NAME, ${NAME} and ${NAME:-default} are filled in.",
)


def render_template(profile: Literal["builtin", "full"] = "builtin") -> str:
    """An annotated file that loads as it is. `full` names the larger models."""
    keys, chosen = KEYS, FULL_PROFILE if profile == "full" else {}
    lines = [*_HEAD, "", *VERSION_LINES]
    for section in dict.fromkeys(key.section for key in keys):
        lines += ["", *section_lines(section, {k: chosen.get(k.path, k.default) for k in keys if k.section == section})]
    return "\n".join(lines) + "\n"


def section_lines(section: str, values: Mapping[Key, object]) -> list[str]:
    """A table with its keys; example tables come last, as TOML wants them."""
    rows = sorted(values, key=lambda key: key.kind == "tables")
    lines = [f"# {SECTIONS[section]}"] if section in SECTIONS else []
    return [*lines, f"[{section}]", *(line for key in rows for line in key_lines(key, values[key]))]


def key_lines(key: Key, value: object) -> list[str]:
    if key.kind == "tables":
        return list(_example(key))
    return [f"# {key.doc}", f"{key.name} = {to_toml(value)}"]


def _example(key: Key) -> Iterator[str]:
    yield from ("", f"# {key.doc} For example:", f"# [[{key.path}]]")
    for field in SOURCE_KEYS:
        yield f"# {field.name} = {to_toml(field.default)}  # {field.doc}"
