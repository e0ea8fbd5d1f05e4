"""Source bytes to the units defined in them, through a worker. What comes back is checked: it handled hostile bytes.

A file that is too much for the worker raises `WorkerFailed`, and so does an answer that makes no sense.
"""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from kebab.parse.code.languages import LANGUAGES
from kebab.parse.code.names import Name
from kebab.parse.code.row import Language
from kebab.parse.code.units import MAX_UNITS, Unit
from kebab.parse.worker import Limits, WorkerFailed
from kebab.parse.worker.frames import Json

NAME = "code reader"
# Beyond what the bounds of `grammar` allow the largest file, so that only what gets past them meets these: 340 MB of
# stack, 370 MB of tree and 20 s of reading, the latter two once more for a C header that may be C++. The binding never
# lets go of the source it is handed, so a process has soon read enough.
LIMITS = Limits(memory_mb=1536, cpu_s=60, wall_s=120.0, result_mb=160, calls=5000, given_mb=64)

_READ = "kebab.parse.code.reading:read"
# The types of the fields of units and names as they arrive.
_MAYBE_TEXT, _MAYBE_NUMBER = (str, type(None)), (int, type(None))
_UNITS = frozenset((list, str, int, int, int, body, bool) for body in _MAYBE_NUMBER)
_NAMES = frozenset((str, int, kind, path) for kind in _MAYBE_TEXT for path in _MAYBE_TEXT)
# What took longer than this would take as long again.
_WORTH_ANOTHER_S = 5.0


class Sandbox(Protocol):
    """The part of a `Worker` that is needed here."""

    @property
    def pid(self) -> int | None: ...

    def call(self, target: str, raw: bytes, arguments: Mapping[str, Json]) -> Json: ...

    def close(self) -> None: ...


class Reading(NamedTuple):
    """A file in the language it turned out to be of. `problem` is why its units were not looked for."""

    language: Language
    package: str
    problem: str | None
    units: list[Unit]


def fetch(worker: Sandbox, source: bytes, language: str, path: str) -> Reading:
    """A process that read other files before may fail over what they left behind; then a new one is asked."""
    served, began = worker.pid is not None, time.monotonic()
    try:
        return _ask(worker, source, language, path)
    except WorkerFailed:
        if not served or time.monotonic() - began > _WORTH_ANOTHER_S:
            raise
    return _ask(worker, source, language, path)


def _ask(worker: Sandbox, source: bytes, language: str, path: str) -> Reading:
    told = worker.call(_READ, source, {"language": language, "path": path})
    try:
        return _checked(told, source)
    except (ValueError, TypeError, KeyError):
        worker.close()
        raise WorkerFailed(f"the {NAME} gave an answer that makes no sense") from None


def _checked(told: Any, source: bytes) -> Reading:  # noqa: ANN401 - whatever came over the pipe
    """Raises ValueError, TypeError or KeyError for what no reader would say."""
    name, package, problem, units = told
    if type(package) is not str or type(problem) not in _MAYBE_TEXT or len(units) > MAX_UNITS:
        raise ValueError
    size, line_count = len(source), source.count(b"\n") + (not source.endswith(b"\n"))
    # In place: a file may define very many names.
    for position, row in enumerate(units):
        if tuple(map(type, row)) not in _UNITS:
            raise ValueError
        unit = units[position] = Unit._make(row)
        if not (1 <= unit.first <= unit.last <= line_count and -1 <= unit.owner < position and unit.names):
            raise ValueError
        for index, parts in enumerate(unit.names):
            if tuple(map(type, parts)) not in _NAMES or not 0 <= parts[1] <= size:
                raise ValueError
            unit.names[index] = Name._make(parts)
    return Reading(LANGUAGES[name], package, problem, units)
