"""The settings as a list: what holds, who said so, and what it means."""

from typing import NamedTuple

from kebab.config.layers import known_key
from kebab.config.schema import KEYS, RESERVED, RESERVED_PATHS, Key
from kebab.config.sections import FIELD_OF_SECTION, Config
from kebab.core.errors import InvalidInput


class Setting(NamedTuple):
    """`value` is a str, int, float, bool, Path, tuple of str, or tuple of Source. A reserved one has no effect yet."""

    key: str
    value: object
    origin: str
    doc: str
    reserved: bool = False


def describe(config: Config) -> list[Setting]:
    """Every setting in use, then the reserved ones that were given."""
    rows = (*KEYS, *(key for key in RESERVED if key.path in config.reserved))
    return [
        Setting(key.path, _value(config, key), config.origins[key.path], key.doc, key.path in RESERVED_PATHS)
        for key in rows
    ]


def get_value(config: Config, key: str) -> object:
    """One value by its dotted key. Raises InvalidInput for a name nobody knows, and for a reserved one nobody gave."""
    row = known_key(key)
    if row.path in RESERVED_PATHS and row.path not in config.reserved:
        raise InvalidInput(f"{key} is not set, and this version does not use it", key=key)
    return _value(config, row)


def _value(config: Config, key: Key) -> object:
    if key.path in RESERVED_PATHS:
        return config.reserved.get(key.path, key.default)
    if key.path == "chunking.chunker_version":
        return config.chunker_version
    return getattr(getattr(config, FIELD_OF_SECTION.get(key.section, key.section)), key.name)
