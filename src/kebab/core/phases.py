"""What a parser says while it reads something slow: which part begins, and how far it is with pictures of pages.

Said just before the work begins, and only when there is work: what a cache knows takes no time.
"""

from collections.abc import Generator
from enum import StrEnum
from typing import NamedTuple, TypeAlias, TypeVar

_Result = TypeVar("_Result")


class PhaseKind(StrEnum):
    OCR = "ocr"
    CAPTION = "caption"
    TRANSCRIBE = "transcribe"
    EMBED = "embed"


class Phase(NamedTuple):
    """A slow part begins; `model` is who does it."""

    kind: PhaseKind
    model: str


class PagePhase(NamedTuple):
    """A picture of page `page` is about to be read, or was: one of `pages` that are read so."""

    page: int
    pages: int
    finished: bool = False


Step: TypeAlias = Phase | PagePhase
# A reading that says its steps, and in the end gives its result.
Steps: TypeAlias = Generator[Step, None, _Result]


def finish(steps: Generator[Step, None, _Result]) -> _Result:
    """The result alone, for whoever does not care for the steps."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: _Result = done.value
            return result
