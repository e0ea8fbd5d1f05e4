"""How long the slow parts of reading took, told from the steps of a parser."""

import pytest

from kebab.app import timing
from kebab.app.timing import Stopwatch
from kebab.core.phases import PagePhase, Phase, PhaseKind, Steps


class Clock:
    now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(timing, "time", found)
    return found


def drive(watch: Stopwatch, clock: Clock, steps: Steps[str]) -> str:
    """Listens for a second to every step."""
    timed = watch.timed(steps)
    while True:
        try:
            next(timed)
        except StopIteration as done:
            return str(done.value)
        clock.now += 1


def test_phases_are_timed_and_listeners_are_not(clock: Clock) -> None:
    def reading() -> Steps[str]:
        clock.now += 10
        yield Phase(PhaseKind.OCR, "eyes")
        clock.now += 2
        yield Phase(PhaseKind.CAPTION, "words")
        clock.now += 3.5
        return "read"

    watch = Stopwatch()
    assert drive(watch, clock, reading()) == "read"
    assert (watch.ms(PhaseKind.OCR), watch.ms(PhaseKind.CAPTION)) == (2000, 3500)


def test_of_pages_only_what_lies_between_start_and_end_counts(clock: Clock) -> None:
    def reading() -> Steps[str]:
        for number in (1, 2):
            yield PagePhase(number, 2)
            clock.now += 4
            yield PagePhase(number, 2, finished=True)
            clock.now += 100
        return "read"

    watch = Stopwatch()
    drive(watch, clock, reading())
    assert watch.ms(PhaseKind.OCR) == 8000
    assert watch.ms(PhaseKind.CAPTION) is None


def test_a_reading_that_fails_is_timed_until_then(clock: Clock) -> None:
    def reading() -> Steps[str]:
        yield Phase(PhaseKind.OCR, "eyes")
        clock.now += 2
        raise LookupError

    watch = Stopwatch()
    with pytest.raises(LookupError):
        drive(watch, clock, reading())
    assert watch.ms(PhaseKind.OCR) == 2000
