"""How things stand, for somebody who typed `kebab` alone: is there a config, an index, and what is in it.

Reading the whole configuration takes as long as all the rest, and only the place of the index is wanted. So where that
is plain to see it is read off the file, and only otherwise is everything loaded; a test holds the two equal.
"""

import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw

from kebab.core.errors import KebabError, NotIndexed
from kebab.locations import DATA_DIR, config_file, expand
from kebab.store.connection import open_reader

_SQLITE = "{data_dir}/kebab.sqlite"
_MOST_BYTES = 100_000


class Standing(NamedTuple):
    """`documents` is None while there is no index; `problem` is why nothing more can be said."""

    config_exists: bool = False
    documents: int | None = None
    updated_at: str | None = None
    problem: KebabError | None = None


class Located(NamedTuple):
    config_exists: bool
    database: Path


def standing(config_path: Path | None = None, flags: Mapping[str, object] | None = None) -> Standing:
    """Under the config in use, or the one named and the settings given for this run."""
    given = config_path is not None or bool(flags)
    try:
        found = None if given else at_a_glance(os.environ)
        found = found or in_full(os.environ, config_path, flags)
    except KebabError as error:
        return Standing(problem=error)
    try:
        with closing(open_reader(found.database)) as connection:
            count, moment = connection.execute("SELECT count(*), max(updated_at) FROM documents").fetchall()[0]
    except NotIndexed:
        return Standing(found.config_exists)
    except KebabError as error:
        return Standing(found.config_exists, problem=error)
    except apsw.Error as error:
        problem = KebabError(f"the index cannot be read: {error}", hint="run `kebab doctor`")
        return Standing(found.config_exists, problem=problem)
    return Standing(found.config_exists, int(str(count)), str(moment) if moment else None)


def at_a_glance(env: Mapping[str, str]) -> Located | None:
    """None where it takes the whole configuration to tell, or where something is wrong with it."""
    if env.get("KEBAB_CONFIG") or any(name.startswith("KEBAB_STORAGE_") for name in env):
        return None
    try:
        file = config_file(env)
        storage = _storage(file)
        if storage is None:
            return Located(config_exists=False, database=_index(DATA_DIR, _SQLITE, env, file.parent))
        data, sqlite = storage.get("data_dir", DATA_DIR), storage.get("sqlite", _SQLITE)
        if not isinstance(data, str) or not isinstance(sqlite, str):
            return None
        return Located(config_exists=True, database=_index(data, sqlite, env, file.parent))
    except (KebabError, OSError, ValueError, RecursionError):
        return None


def _storage(file: Path) -> Mapping[str, object] | None:
    """The section of the file; None if there is no file."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(raw) > _MOST_BYTES:
        raise ValueError("not to be read at a glance")
    import tomllib

    section = tomllib.loads(raw.decode("utf-8-sig")).get("storage", {})
    if not isinstance(section, dict):
        raise ValueError("not a section")
    return section


def _index(data: str, sqlite: str, env: Mapping[str, str], base: Path) -> Path:
    folder = expand(data, env, base=base, names={})
    return expand(sqlite, env, base=base, names={"data_dir": str(folder)})


def in_full(
    env: Mapping[str, str], config_path: Path | None = None, flags: Mapping[str, object] | None = None
) -> Located:
    from kebab import config as configuration

    config = configuration.load(flags or {}, path=config_path, env=env)
    return Located(config.file_exists, config.storage.sqlite)
