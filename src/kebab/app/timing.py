"""How long the slow parts of reading a file took, told from the steps its parser says. Listeners cost no time."""

import time
from collections.abc import Generator
from typing import NamedTuple, TypeVar

from kebab.core.phases import Phase, PhaseKind, Step, Steps

_Result = TypeVar("_Result")


class Timings(NamedTuple):
    """Milliseconds. What images and pages took to be read or described is part of `parse`."""

    parse: int = 0
    chunk: int = 0
    store: int = 0
    embed: int = 0
    ocr: int | None = None
    caption: int | None = None


NO_TIME = Timings()


class Stopwatch:
    """Seconds by kind of phase; a phase lasts until the next step, and of a page until it is said to be finished."""

    def __init__(self) -> None:
        self._spent: dict[PhaseKind, float] = {}

    def ms(self, kind: PhaseKind) -> int | None:
        """None where there was no such phase."""
        spent = self._spent.get(kind)
        return None if spent is None else round(spent * 1000)

    def timed(self, steps: Steps[_Result]) -> Generator[Step, None, _Result]:
        kind: PhaseKind | None = None
        while True:
            began = time.perf_counter()
            try:
                step = next(steps)
            except StopIteration as done:
                result: _Result = done.value
                return result
            finally:
                if kind is not None:
                    self._spent[kind] = self._spent.get(kind, 0.0) + time.perf_counter() - began
            kind = _kind(step)
            yield step


def _kind(step: Step) -> PhaseKind | None:
    if isinstance(step, Phase):
        return step.kind
    return None if step.finished else PhaseKind.OCR
