"""A request made again when its failure may be over in a moment. Knows no HTTP; is told what to try and how often."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from kebab.core.errors import KebabError

# Waits before the second and the third attempt; there is no fourth.
PAUSES_S = (0.2, 0.6)
LONGEST_PAUSE_S = 5.0

Result = TypeVar("Result")


class Passing(Exception):
    """A failure that may be over in a moment, and how long the server asks to wait."""

    def __init__(self, failure: KebabError, wait_s: float = 0.0) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.wait_s = wait_s


def patiently(attempt: Callable[[], Result], pauses: Sequence[float]) -> Result:
    waits = iter(pauses)
    while True:
        try:
            return attempt()
        except Passing as passing:
            pause = next(waits, None)
            if pause is None or passing.wait_s > LONGEST_PAUSE_S:
                raise passing.failure from passing.__cause__
            time.sleep(max(pause, passing.wait_s))


def asked_wait(retry_after: str) -> float:
    """Seconds; the form with a date is not worth a clock that both sides agree on."""
    return float(retry_after) if retry_after.strip().isdecimal() else 0.0
