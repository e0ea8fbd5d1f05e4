"""The configuration file as found: bytes to tables. Knows no key's meaning."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from kebab.config.origin import Origin
from kebab.core.errors import ConfigInvalid, IoFailure
from kebab.core.text import unify_newlines

_MAX_BYTES = 1_000_000


class ConfigFile(NamedTuple):
    path: Path
    text: str
    tables: Mapping[str, object]

    def origin(self, key: str) -> Origin:
        return Origin(key, "file", file=self.path, text=unify_newlines(self.text))


def read_file(path: Path) -> ConfigFile | None:
    """None if there is no such file."""
    text = read_text(path)
    return None if text is None else parse(text, path)


def read_text(path: Path) -> str | None:
    """As written, line ends included. Raises ConfigInvalid if it is no text, IoFailure if it cannot be read."""
    try:
        with path.open("rb") as handle:
            # One byte more tells a large file from an endless one.
            raw = handle.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise IoFailure(
            f"cannot read {path}: {error.strerror}",
            hint="check the file's permissions, or name another one with --config",
            path=str(path),
            cause=str(error),
        ) from error
    if len(raw) > _MAX_BYTES:
        raise _unusable(path, f"it is larger than {_MAX_BYTES // 1_000_000} MB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unusable(path, "it is not UTF-8 text", line=raw.count(b"\n", 0, error.start) + 1) from error


def parse(text: str, path: Path) -> ConfigFile:
    import tomllib

    try:
        tables = tomllib.loads(text)
    except RecursionError as error:
        raise _unusable(path, "it is nested too deeply") from error
    except ValueError as error:
        raise _syntax(path, str(error), text) from error
    return ConfigFile(path, text, tables)


def _syntax(path: Path, message: str, text: str) -> ConfigInvalid:
    found = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", message)
    line = None
    if found is not None:
        line = int(found[1]) if found[1] else len(text.rstrip().split("\n"))
    return _unusable(path, re.sub(r" \(at .*\)$", "", message).rstrip("."), line=line)


def _unusable(path: Path, cause: str, *, line: int | None = None) -> ConfigInvalid:
    place = f"{path.name}:{line}" if line else path.name
    return ConfigInvalid(
        f"{place}: not a usable TOML file: {cause[:1].lower()}{cause[1:]}",
        hint=f"edit {path}, or write a new one with `kebab init --force`",
        path=str(path),
        line=line,
        cause=cause,
    )
