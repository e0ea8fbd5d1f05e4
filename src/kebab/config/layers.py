"""The four givers of settings, each as a layer of checked values: defaults < file < environment < flags.

A layer holds only what its giver said. Names nobody knows become warnings, wrong values are refused.
"""

from collections.abc import Iterable, Iterator, Mapping

from kebab.config.file import ConfigFile
from kebab.config.origin import Layer, Origin
from kebab.config.schema import BY_PATH, BY_VARIABLE, CONTROL_VARIABLES, KEYS, SCHEMA_VERSION, Key
from kebab.config.values import from_text
from kebab.core.errors import InvalidInput

_ALIKE = 0.6
_MAX_UNKNOWN = 10


def default_layer() -> Layer:
    return {key.path: (key.default, Origin(key.path, "default")) for key in KEYS}


def file_layer(file: ConfigFile, warnings: list[str]) -> Layer:
    layer: Layer = {}
    unknown = []
    for origin, raw in _entries(file, "", file.tables):
        key = BY_PATH.get(origin.key)
        if key is not None:
            layer[key.path] = (origin.accept(key, raw), origin)
        else:
            unknown.append((origin, raw))
    # Some other program's file would otherwise drown the screen.
    for origin, raw in unknown[:_MAX_UNKNOWN]:
        is_table = isinstance(raw, dict)
        known = (key.section for key in BY_PATH.values()) if is_table else BY_PATH
        warnings.append(unknown_name("section" if is_table else "key", origin, known))
    if len(unknown) > _MAX_UNKNOWN:
        warnings.append(f"{len(unknown) - _MAX_UNKNOWN} more unknown names; is {file.path} a config of kebab?")
    return layer


def schema_version(file: ConfigFile) -> int:
    """What the file says it was written for; 0 if it does not say. Raises ConfigInvalid for a newer one."""
    row = Key("schema_version", "whole", SCHEMA_VERSION, "", within=(0, 2**31))
    origin = file.origin(row.path)
    version = origin.accept(row, file.tables.get(row.path, 0))
    assert isinstance(version, int)
    if version > SCHEMA_VERSION:
        raise origin.refuse(
            f"is {version}, made for a newer kebab (this one knows {SCHEMA_VERSION})", hint="update kebab"
        )
    return version


def env_layer(env: Mapping[str, str], file: ConfigFile | None, warnings: list[str]) -> Layer:
    """`KEBAB_<SECTION>_<KEY>`; an empty variable counts as not set."""
    layer: Layer = {}
    for name in sorted(name for name in env if name.startswith("KEBAB_") and env[name]):
        key = BY_VARIABLE.get(name)
        if key is not None:
            origin = Origin(key.path, "env", variable=name)
            layer[key.path] = (origin.accept(key, from_text(key, env[name])), origin)
        # The file may use variables of the user's own, as in root = "${KEBAB_NOTES}".
        elif name not in CONTROL_VARIABLES and (file is None or name not in file.text):
            warnings.append(f"unknown variable {name}{_suggest(name, (*BY_VARIABLE, *CONTROL_VARIABLES))}")
    return layer


def flag_layer(flags: Mapping[str, object]) -> Layer:
    """Dotted key to value, as text or as the key's own type; None is not given. A `Path` is taken literally."""
    layer: Layer = {}
    for path, raw in flags.items():
        if raw is None:
            continue
        key = known_key(path)
        origin = Origin(path, "flag")
        layer[path] = (origin.accept(key, from_text(key, raw) if isinstance(raw, str) else raw), origin)
    return layer


def known_key(path: str) -> Key:
    key = BY_PATH.get(path)
    if key is None:
        raise InvalidInput(
            f"unknown key {printable(path)}{_suggest(path, BY_PATH, '')}",
            hint="`kebab config show` lists every key",
            key=path,
        )
    return key


def unknown_name(noun: str, origin: Origin, known: Iterable[str]) -> str:
    """The warning for a name in a file that means nothing."""
    place = f" (line {origin.line})" if origin.line else ""
    return f"unknown {noun} {printable(origin.key)}{place}{_suggest(origin.key, known)}"


def printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)


def _entries(file: ConfigFile, prefix: str, table: Mapping[str, object]) -> Iterator[tuple[Origin, object]]:
    """Every key below `table`; a table of no known section comes as one entry."""
    for name, raw in table.items():
        path = prefix + name
        if path in BY_PATH or not any(key.startswith(f"{path}.") for key in BY_PATH):
            if path != "schema_version":
                yield file.origin(path), raw
        elif isinstance(raw, dict):
            yield from _entries(file, f"{path}.", raw)
        else:
            raise file.origin(path).refuse(f"must be a table, written [{path}]")


def _suggest(name: str, known: Iterable[str], otherwise: str = "; it is ignored") -> str:
    from difflib import SequenceMatcher

    def likeness(other: str) -> float:
        # A shared prefix alone must not make two names alike, so their last parts count by themselves.
        pairs = ((name, other), (name.rpartition(".")[2], other.rpartition(".")[2]))
        return min(
            SequenceMatcher(None, one.removeprefix("KEBAB_"), two.removeprefix("KEBAB_")).ratio() for one, two in pairs
        )

    near = max(known, key=likeness)
    return f"; did you mean {near}?" if likeness(near) >= _ALIKE else otherwise
