"""`kebab config migrate`: a file brought up to the current schema, with what the person wrote left alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kebab.config.edit import add_keys, add_version, replace_value, value_at
from kebab.config.file import ConfigFile, parse, read_text
from kebab.config.layers import file_layer, schema_version
from kebab.config.schema import KEYS, SCHEMA_VERSION, Key
from kebab.config.values import to_toml
from kebab.config.writing import keep_newlines, write_backup, write_config
from kebab.core.errors import ConfigNotFound
from kebab.core.text import unify_newlines


@dataclass(frozen=True, slots=True)
class MigrationChange:
    kind: Literal["added_section", "added_key", "removed_deprecated"]
    path: str
    detail: str


@dataclass(frozen=True, slots=True)
class Migration:
    """What was changed, or would be in a dry run. The file as it was is at `backup_path`."""

    config_path: Path
    dry_run: bool
    from_schema_version: int
    to_schema_version: int
    changes: tuple[MigrationChange, ...]
    backup_path: Path | None

    @property
    def changed(self) -> bool:
        return bool(self.changes)


def migrate(path: Path, *, dry_run: bool = False) -> Migration:
    """Adds what is missing with its default and comment; a second run changes nothing. Raises ConfigNotFound."""
    written = read_text(path)
    if written is None:
        raise ConfigNotFound(f"there is no config file {path}", hint="`kebab init` writes one", path=str(path))
    file = parse(unify_newlines(written), path)
    version = schema_version(file)
    file_layer(file, [])
    text, changes = _plan(file, version)
    backup = None
    if changes and not dry_run:
        backup = write_backup(path)
        write_config(path, keep_newlines(text, written))
    return Migration(path, dry_run, version, SCHEMA_VERSION, tuple(changes), backup)


def _plan(file: ConfigFile, version: int) -> tuple[str, list[MigrationChange]]:
    text = file.text
    changes = []
    if version < SCHEMA_VERSION:
        is_new = "schema_version" not in file.tables
        text = add_version(text) if is_new else replace_value(text, "schema_version", SCHEMA_VERSION)
        changes.append(MigrationChange("added_key", "schema_version", str(SCHEMA_VERSION)))
    for key, old in _retired(file):
        text = replace_value(text, key.path, key.default)
        detail = f"{to_toml(old)} is now {to_toml(key.default)}"
        changes.append(MigrationChange("removed_deprecated", key.path, detail))
    for section, values in _missing(file):
        text = add_keys(text, section, values)
        if section in file.tables:
            changes += [MigrationChange("added_key", path, to_toml(value)) for path, value in values.items()]
        else:
            names = ", ".join(path.removeprefix(f"{section}.") for path in values)
            changes.append(MigrationChange("added_section", section, names))
    return text, changes


def _retired(file: ConfigFile) -> Iterator[tuple[Key, str]]:
    for key in KEYS:
        old = value_at(file.tables, key.path)
        if isinstance(old, str) and old in key.retired:
            yield key, old


def _missing(file: ConfigFile) -> Iterator[tuple[str, dict[str, object]]]:
    """Sections that lack keys, with the defaults of those. Tables like [[workspace.sources]] are nobody's default."""
    for section in dict.fromkeys(key.section for key in KEYS):
        values: dict[str, object] = {
            key.path: key.default
            for key in KEYS
            if key.section == section and key.kind != "tables" and value_at(file.tables, key.path) is None
        }
        if values:
            yield section, values
