"""Settings: defaults < file < environment < flags, checked against one table of keys and handed out as frozen sections.

Reading is loaded at once, as every command needs it; what edits a file is loaded when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from kebab.config.loading import config_path, load
from kebab.config.sections import Config, Logging, Storage, Workspace
from kebab.config.show import Setting, describe, get_value

if TYPE_CHECKING:
    from kebab.config.change import Change, set_value
    from kebab.config.migration import Migration, MigrationChange, migrate
    from kebab.config.template import render_template
    from kebab.config.writing import write_config

__all__ = [
    "Change",
    "Config",
    "Logging",
    "Migration",
    "MigrationChange",
    "Setting",
    "Storage",
    "Workspace",
    "config_path",
    "describe",
    "get_value",
    "load",
    "migrate",
    "render_template",
    "set_value",
    "write_config",
]

_EDITING = {
    "Change": "kebab.config.change",
    "Migration": "kebab.config.migration",
    "MigrationChange": "kebab.config.migration",
    "migrate": "kebab.config.migration",
    "render_template": "kebab.config.template",
    "set_value": "kebab.config.change",
    "write_config": "kebab.config.writing",
}


def __getattr__(name: str) -> object:
    if name not in _EDITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EDITING[name]), name)
