"""The configuration as the interfaces use it: load, show, change, migrate, and the first set-up."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kebab import config as configuration
from kebab.config import Config, Setting
from kebab.core.errors import InvalidInput, IoFailure, ReadonlyMode


def load(flags: Mapping[str, object], path: Path | None) -> Config:
    return configuration.load(flags, path=path, env=os.environ)


def path_in_use(path: Path | None) -> Path:
    """Where the config file is, or would be."""
    return configuration.config_path(path, os.environ)


def show(config: Config) -> list[Setting]:
    return configuration.describe(config)


def value(config: Config, key: str) -> tuple[object, str]:
    """A value and where it came from."""
    return configuration.get_value(config, key), config.origins.get(key, "default")


def change(path: Path | None, key: str, text: str) -> "configuration.Change":
    return configuration.set_value(path_in_use(path), key, text, env=os.environ)


def migrate(path: Path | None, *, dry_run: bool) -> "configuration.Migration":
    return configuration.migrate(path_in_use(path), dry_run=dry_run)


@dataclass(frozen=True, slots=True)
class Initialised:
    config: Path
    created: tuple[Path, ...]
    kept: tuple[Path, ...]
    database: Path
    schema: int


@dataclass(frozen=True, slots=True)
class InitRequest:
    path: Path | None
    profile: Literal["builtin", "full"] = "builtin"
    workspace: Path | None = None
    force: bool = False


def suggested_root() -> Path:
    """The folder that is indexed when nobody names one."""
    return configuration.load({}, path=None, env={**os.environ, "KEBAB_CONFIG": os.devnull}).workspace.root


def initialise(request: InitRequest) -> Initialised:
    """Writes the config (an existing one only with `force`), creates the folders and opens the index."""
    from kebab.app.writing import writer
    from kebab.store.connection import SCHEMA_VERSION

    if request.workspace is not None and request.workspace.exists() and not request.workspace.is_dir():
        raise InvalidInput(f"{request.workspace} is not a folder", hint="--workspace names the folder of your notes")
    target = path_in_use(request.path)
    created: list[Path] = []
    kept: list[Path] = []
    if target.exists() and not request.force:
        kept.append(target)
    else:
        configuration.write_config(target, configuration.render_template(request.profile))
        created.append(target)
        if target != configuration.config_path(None, {**os.environ, "KEBAB_CONFIG": ""}):
            # Two configs must not share an index without meaning to.
            _set(target, "storage.data_dir", target.with_name(f"{target.stem}-data"))
        if request.workspace is not None:
            _set(target, "workspace.root", request.workspace.expanduser())
    config = load({}, target)
    for folder in (config.storage.data_dir, config.workspace.root):
        (kept if folder.is_dir() else created).append(folder)
        _make(folder)
    # An index that was imported to be read only is there already, and stays as it is.
    with suppress(ReadonlyMode), writer(config):
        pass
    return Initialised(target, tuple(created), tuple(kept), config.storage.sqlite, SCHEMA_VERSION)


def _set(target: Path, key: str, path: Path) -> None:
    """A path as it stands: a `$` in a folder's name is not a variable."""
    configuration.set_value(target, key, str(path.absolute()).replace("$", "$$"), env=os.environ)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise IoFailure(f"cannot create {folder}: {error.strerror}", path=str(folder), op="create") from error
