"""Where kebab keeps things on disk, after the XDG base directory rules, and how a path written by a person is read.

Everything is computed from the environment it is handed: nothing here reads a file or looks whether one exists.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from kebab.core.errors import ConfigInvalid

Environment: TypeAlias = Mapping[str, str]

CONFIG_FILE = "${XDG_CONFIG_HOME:-~/.config}/kebab/config.toml"
DATA_DIR = "${XDG_DATA_HOME:-~/.local/share}/kebab"
CACHE_DIR = "${XDG_CACHE_HOME:-~/.cache}/kebab"
STATE_DIR = "${XDG_STATE_HOME:-~/.local/state}/kebab"

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
# A default may hold variables of its own, one level deep: `${A:-${B:-~/c}}`.
_PLACEHOLDER = (
    rf"\$\$|\$\{{(?P<braced>{_NAME})(?P<fallback>:-(?P<default>(?:[^{{}}]|\$\{{[^{{}}]*\}})*))?\}}"
    rf"|\$(?P<bare>{_NAME})|(?P<broken>\$\{{)|\{{(?P<named>{_NAME})\}}"
)


def config_file(env: Environment) -> Path:
    return expand(CONFIG_FILE, env)


def data_dir(env: Environment) -> Path:
    return expand(DATA_DIR, env)


def cache_dir(env: Environment) -> Path:
    return expand(CACHE_DIR, env)


def state_dir(env: Environment) -> Path:
    return expand(STATE_DIR, env)


def expand(text: str, env: Environment, *, base: Path | None = None, names: Mapping[str, str] | None = None) -> Path:
    """An absolute, normalised path from `~`, `$VAR`, `${VAR}` and `${VAR:-default}`; `$$` is a dollar sign.

    A relative path starts at `base`, or at the current directory. `names` are what `{name}` may stand for; without
    it braces mean nothing. Raises ConfigInvalid.
    """
    if "\0" in text:
        raise ConfigInvalid("a path cannot hold a NUL character")
    return absolute(_tilde(_fill(text, env, names), env), base)


def absolute(path: str | Path, base: Path | None = None) -> Path:
    """`path` from the root, without `.` and `..`; symbolic links are not followed."""
    try:
        # A current directory that is gone matters only to who starts there.
        whole = os.path.normpath(path if Path(path).is_absolute() else (base or Path()).absolute() / path)
    except OSError as error:
        raise ConfigInvalid(
            f"a relative path has nowhere to start: {error.strerror}", hint="use an absolute path"
        ) from error
    # POSIX keeps exactly two leading slashes apart; nobody who writes them here means that.
    return Path(re.sub("^//+", "/", whole) if os.sep == "/" else whole)


def _fill(text: str, env: Environment, names: Mapping[str, str] | None) -> str:
    def value(found: re.Match[str]) -> str:
        if found["named"] is not None:
            return found[0] if names is None else _named(found["named"], names)
        if found["broken"] is not None:
            raise ConfigInvalid(
                f"${{ is not closed or not a variable in {text}", hint="write ${NAME} or ${NAME:-default}"
            )
        variable = found["braced"] or found["bare"]
        return "$" if variable is None else _variable(variable, found["default"], env)

    return re.sub(_PLACEHOLDER, value, text)


def _variable(name: str, default: str | None, env: Environment) -> str:
    value = env.get(name, "")
    # The XDG specification has relative values ignored.
    if value and not (name.startswith("XDG_") and not Path(value).is_absolute()):
        return _tilde(value, env)
    if default is None:
        raise ConfigInvalid(f"the variable {name} is not set", hint=f"set {name}, or write ${{{name}:-default}}")
    return _tilde(_fill(default, env, None), env)


def _named(name: str, names: Mapping[str, str]) -> str:
    if name not in names:
        known = ", ".join(f"{{{each}}}" for each in names) or "none"
        raise ConfigInvalid(f"{{{name}}} means nothing here", hint=f"names that may be used here: {known}")
    return names[name]


def _tilde(text: str, env: Environment) -> str:
    if not text.startswith("~"):
        return text
    if text != "~" and text[1] not in ("/", os.sep):
        raise ConfigInvalid(f"{text.split('/', maxsplit=1)[0]} is not understood", hint="write the folder in full")
    return _home(env) + text[1:]


def _home(env: Environment) -> str:
    home = env.get("HOME") or (env.get("USERPROFILE") if os.name == "nt" else None) or _account_home()
    if not Path(home).is_absolute():
        state = f"HOME is {home!r}" if home else "HOME is not set"
        raise ConfigInvalid(f"the home folder is not known: {state}", hint="set HOME, or write an absolute path")
    return home


def _account_home() -> str:
    """What the account database says, as cron jobs and services run without HOME."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""
