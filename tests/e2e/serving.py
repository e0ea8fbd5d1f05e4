"""A running `kebab serve` or `kebab watch`, ended in good order whatever the test does."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from kebab_process import TIMEOUT, start


class Running(NamedTuple):
    process: Any
    url: str

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """The status and the rest of what it said."""
        self.process.send_signal(number)
        rest = self.process.stderr.read().decode()
        return self.process.wait(TIMEOUT), rest


def line_with(process: Any, words: str) -> str:
    """The first line on stderr that holds these words."""
    while line := process.stderr.readline().decode():
        if words in line:
            return line
    raise AssertionError(f"it ended without {words!r}: {process.wait(TIMEOUT)}")


@contextmanager
def running(home: Path, *arguments: str | Path, env: dict[str, str] | None = None) -> Iterator[Any]:
    process = start(home, *arguments, env=env)
    try:
        with process.stdout, process.stderr:
            yield process
    finally:
        process.kill()
        process.wait(TIMEOUT)


@contextmanager
def serving(home: Path, *arguments: str | Path, env: dict[str, str] | None = None) -> Iterator[Running]:
    with running(home, "serve", "--port", "0", *arguments, env=env) as process:
        yield Running(process, line_with(process, "serving http").split()[1])
